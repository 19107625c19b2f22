"""Put sets of rules into the plain values from which a page shows and asks them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.experiments.portraits import round_floats
from ruleplay.report.packing import pack_arrays
from ruleplay.rules import RuleSet, value_digits
from ruleplay.rules.dates import DATES
from ruleplay.rules.drawing.colours import action_colours
from ruleplay.rules.origins import ORIGINS
from ruleplay.rules.wording import missing_sentence, origin_remark

FLOATS = ("lower", "upper", "error", "fitness")
COUNTS = ("numerosity", "experience")


class KnownRows(NamedTuple):
    """Rows of which the classes are known: a page begins at the first, and draws all as points."""

    rows: NDArray[np.float64]  # (rows, features): of categories, their places; NaN if missing
    classes: NDArray[np.int64]  # places among the outcomes
    name: str = "rows"  # what they are called


def describe_rules(
    sets: Sequence[RuleSet],
    steps: Sequence[int] | None = None,
    *,
    known: KnownRows | None = None,
    rounded: bool = False,
) -> dict[str, Any]:
    """Return sets of rules over the same features, the course of learning if there are many.

    The numbers of learning steps belong to the sets. Rounded numbers take a third of
    the room; others are what decides, bit by bit.
    """
    last = sets[-1]
    arrays = _arrays(sets)
    if rounded:
        arrays = {name: _rounded(name, array) for name, array in arrays.items()}
    if known is not None:
        arrays["known_rows"] = known.rows.astype(np.float64).reshape(-1)
        arrays["known_classes"] = known.classes.astype(np.int32)
    return {
        "features": _features(last),
        "plane": telling_features(last),
        "noun": last.noun,
        "actions": list(last.outcome_names),
        "colours": action_colours(last.outcome_names),
        "against_below": None if last.ordered else last.against_below,
        "default_action": last.default_action,
        "ordered": last.ordered,
        "linear": last.weights is not None,
        "limit": last.prediction_limit,
        "origins": [origin_remark(origin).removeprefix(", ") for origin in ORIGINS],
        "missing": _missing(last),
        "digits": value_digits(last),
        "sizes": [len(rules) for rules in sets],
        "known": None if known is None else known.name,
        "steps": None if steps is None else [int(step) for step in steps],
        **pack_arrays(arrays),
    }


def _missing(rules: RuleSet) -> str:
    """Say what a missing value means, if one may be."""
    if rules.missing_values != "match":
        return ""
    return missing_sentence(rules.missing_values, rules.features)


def telling_features(rules: RuleSet) -> list[int]:
    """Return the two features that the strongest rules confine most; one twice if alone."""
    if not len(rules):
        return [0, min(1, len(rules.low) - 1)]
    strength = rules.fitness * rules.numerosity
    weights = strength if strength.sum() > 0.0 else None
    narrowest = np.argsort(np.average(rules.extent, axis=0, weights=weights), kind="stable")[:2]
    first, *others = sorted(narrowest.tolist())
    return [first, others[0] if others else first]


def _features(rules: RuleSet) -> list[dict[str, Any]]:
    """Return the features, with what is scaled to 0 and 1, which linear models depend on."""
    scaling = np.array([rules.low, rules.high]) if rules.scaling is None else rules.scaling
    slices = rules.category_slices
    return [
        {
            "name": feature.name,
            "low": feature.low,
            "high": feature.high,
            "whole": feature.whole,
            "categories": list(map(str, feature.categories)),
            "first": slices[k].start if k in slices else 0,
            "digits": feature.digits,
            "is_date": feature.written in DATES,
            "scaled": scaled,
        }
        for k, (feature, scaled) in enumerate(zip(rules.features, scaling.T.tolist(), strict=True))
    ]


def _arrays(sets: Sequence[RuleSet]) -> dict[str, NDArray[Any]]:
    """Return the parts of all rules of all sets, one set after the other."""
    predicted = "prediction" if sets[-1].weights is None else "weights"

    def joined(name: str, kind: type) -> NDArray[Any]:
        return np.concatenate([np.array(getattr(r, name), kind).reshape(-1) for r in sets])

    arrays = {name: joined(name, np.float64) for name in (*FLOATS, predicted)}
    arrays["allowed"] = joined("allowed", np.uint8)
    if any(rules.hand_written for rules in sets):
        arrays["origin"] = joined("origin", np.uint8)
    most = np.iinfo(np.int32).max
    counts = {name: np.minimum(joined(name, np.int64), most) for name in ("action", *COUNTS)}
    return arrays | {name: array.astype(np.int32) for name, array in counts.items()}


def _rounded(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Return four figures of what decides, and three of the rest."""
    if array.dtype.kind != "f":
        return array
    return round_floats(array.astype(np.float32), 10 if name in ("error", "fitness") else 12)
