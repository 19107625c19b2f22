"""Put sets of rules into the plain values from which a page shows and asks them."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.experiments.portraits import round_floats
from ruleplay.report.packing import pack_arrays
from ruleplay.rules import RuleSet, value_digits
from ruleplay.rules.dates import DATES
from ruleplay.rules.drawing.colours import action_colours
from ruleplay.rules.models import products_of
from ruleplay.rules.origins import ORIGINS
from ruleplay.rules.wording import missing_sentence, origin_remark

Vector = NDArray[np.float64]

MAP_SIDE = 100  # points along each side of a map, as the page has it
FLOATS = ("lower", "upper", "error", "fitness")
COUNTS = ("numerosity", "experience")


class KnownRows(NamedTuple):
    """Rows of which the answers are known: a page begins at the first, and draws all as points."""

    rows: Vector  # (rows, features): of categories, their places; NaN if missing
    answers: NDArray[Any]  # classes as places among the outcomes, or the quantity
    name: str = "rows"  # what they are called


class Intervals(NamedTuple):
    """How far quantities are off on unseen rows, in deviations that rules state; (targets,)."""

    coverage: float  # the share of rows that lie inside
    factor: Vector  # stated deviations that are the true one
    reach: Vector  # and those to each side that hold this share
    least: Vector  # what counts as stated at least
    unknown: Vector  # and where no rule matches


def describe_rules(
    sets: Sequence[RuleSet],
    steps: Sequence[int] | None = None,
    *,
    known: KnownRows | None = None,
    intervals: Intervals | None = None,
    truth: Vector | None = None,
    rounded: bool = False,
) -> dict[str, Any]:
    """Return sets of rules over the same features, the course of learning if there are many.

    The numbers of learning steps belong to the sets. `truth` has what a quantity is at the points
    of a map, rows of columns. Rounded numbers take a third of the room; others are what decides,
    bit by bit.
    """
    last = sets[-1]
    arrays = _arrays(sets)
    if rounded:
        arrays = {name: _rounded(name, array) for name, array in arrays.items()}
    if known is not None:
        arrays["known_rows"] = known.rows.astype(np.float64).reshape(-1)
        arrays["known_answers"] = known.answers.astype(np.float64)
    if truth is not None:
        arrays["truth"] = truth.astype(np.float32)
    return {
        "features": _features(last),
        "plane": telling_features(last),
        "noun": last.noun,
        "actions": list(last.outcome_names),
        "colours": action_colours(last.outcome_names),
        "against_below": None if last.ordered else last.against_below,
        "default_action": last.default_action,
        "ordered": last.ordered,
        "inputs": _inputs(last),
        "products": None if last.weights is None else _products(last),
        "quantities": None if last.quantities is None else last.quantities.T.tolist(),
        "intervals": None if intervals is None else _plain(intervals),
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
    if rules.missing_values == "error":
        return ""
    return missing_sentence(rules.missing_values, rules.features)


def telling_features(rules: RuleSet) -> list[int]:
    """Return the two features that the strongest rules say most about; one twice if alone."""
    if not len(rules):
        return [0, min(1, len(rules.low) - 1)]
    weights = rules.strength if rules.strength.sum() > 0.0 else None
    said = np.average(rules.extent - _effects(rules), axis=0, weights=weights)
    first, *others = sorted(np.argsort(said, kind="stable")[:2].tolist())
    return [first, others[0] if others else first]


def _effects(rules: RuleSet) -> Vector:
    """Return how far a quantity goes with each feature within a box, (rules, features).

    In shares of the quantity's range; what is decided goes with conditions alone.
    """
    effects = np.zeros((len(rules), len(rules.features)))
    if rules.quantities is None or rules.model_terms is None:
        return effects
    spans = (rules.quantities[2] - rules.quantities[0])[rules.action]
    for place, column in enumerate(rules.model_columns):
        width = rules.model_boxes[1][:, place]
        reach = np.abs(rules.model_terms.coefficients[:, place]) * width
        share = np.divide(reach, spans, out=np.zeros(len(rules)), where=spans > 0.0)
        effects[:, column.feature] = np.maximum(effects[:, column.feature], share)
    return effects


def _features(rules: RuleSet) -> list[dict[str, Any]]:
    """Return the features, with what a missing number counts as, if that is something."""
    slices = rules.category_slices
    fill = [None] * len(rules.features) if rules.fill is None else rules.fill.tolist()
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
            "fill": None if value is None or math.isnan(value) else value,
        }
        for k, (feature, value) in enumerate(zip(rules.features, fill, strict=True))
    ]


def _inputs(rules: RuleSet) -> list[dict[str, Any]]:
    """Return the columns that models take, with what is scaled to 0 and 1."""
    if rules.weights is None:
        return []
    scaling = rules.scaled_between.T.tolist()
    return [
        {"feature": column.feature, "category": column.category, "scaled": scaled}
        for column, scaled in zip(rules.model_columns, scaling, strict=True)
    ]


def _products(rules: RuleSet) -> list[list[int]]:
    """Return the inputs that each weight but the first belongs to."""
    return list(map(list, products_of(rules.model, len(rules.model_columns))))


def _plain(intervals: Intervals) -> dict[str, Any]:
    sides = zip(Intervals._fields[1:], intervals[1:], strict=True)
    return {"coverage": intervals.coverage, **{name: side.tolist() for name, side in sides}}


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
