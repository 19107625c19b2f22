"""Take rules out of an engine: the parts of a set that decides exactly as it does."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.rules.category_sets import Flags, category_slices, within_places
from ruleplay.rules.features import (
    Feature,
    Quantities,
    Readable,
    classifies,
    features_of,
    fill_of,
    outcomes_of,
    quantities_of,
    spans_of,
)
from ruleplay.rules.models import MODELS
from ruleplay.rules.origins import origins_of
from ruleplay.rules.thresholds import lower_thresholds, upper_thresholds

Vector = NDArray[np.float64]

COPIED = ("prediction", "error", "fitness", "numerosity", "experience")


def take_rules(
    engine: Readable, default_action: int | None, features: tuple[Feature, ...] | None
) -> dict[str, Any]:
    """Return the parts of a set of rules; features may be narrower than the engine's bounds."""
    parts, config = engine.export(), engine.config
    known = features_of(engine) if features is None else features
    if default_action is None:
        default_action = _favourite(engine.about.get("actions_taken"), engine.n_actions)
    lower, upper = _thresholds(engine, parts, known)
    weights = parts.get("weights")
    quantities = quantities_of(engine)
    if quantities is not None:
        parts |= _in_units(parts, quantities)
        weights = parts.get("weights")
    fill = None if weights is None else fill_of(engine)
    nominal = tuple(k for k, span in enumerate(spans_of(engine)) if span.nominal)
    return {
        "lower": lower,
        "upper": upper,
        "allowed": _allowed_categories(engine, parts, known, (lower, upper)),
        **{name: parts[name] for name in COPIED},
        "action": parts["action"].astype(np.int64),
        "origin": origins_of(engine, parts),
        "weights": weights,
        "model": config.prediction if config.prediction in MODELS else "linear",
        "nominal": () if weights is None else nominal,
        "fill": fill,
        "scaling": None if weights is None else _scaling(engine, known),
        "features": known,
        "outcomes": outcomes_of(engine),
        "default_action": default_action,
        "error_threshold": config.error_threshold,
        "prediction_limit": config.prediction_limit,
        "missing_values": config.missing_values if fill is None else "fill",
        "quantities": None if quantities is None else quantities.ranges,
        "against_below": RIGHT_REWARD / 2 if classifies(engine) else None,
    }


def _in_units(parts: dict[str, NDArray[Any]], quantities: Quantities) -> dict[str, Any]:
    """Return what rules say about payoffs in the units of the quantities that these stand for."""
    shift, scale = (side[parts["action"]] for side in (quantities.shift, quantities.scale))
    changed = {
        "prediction": parts["prediction"] * scale + shift,
        "error": parts["error"] * scale,
    }
    if "weights" in parts:
        weights = parts["weights"] * scale[:, np.newaxis]
        weights[:, 0] += shift
        changed["weights"] = weights
    return changed


def _ends(features: Sequence[Feature]) -> tuple[Vector, Vector]:
    low, high = (np.array([getattr(f, end) for f in features]) for end in ("low", "high"))
    return low, high


def _thresholds(
    engine: Readable, parts: dict[str, NDArray[Any]], features: Sequence[Feature]
) -> tuple[Vector, Vector]:
    """Return bounds in the user's units, open where they lie beyond a feature's range."""
    first = [span.first for span in spans_of(engine)]
    scaled = engine.low[first], engine.high[first]
    lower = lower_thresholds(parts["lower"][:, first], *scaled)
    upper = upper_thresholds(parts["upper"][:, first], *scaled)
    low, high = _ends(features)
    return np.where(lower <= low, -np.inf, lower), np.where(upper >= high, np.inf, upper)


def _allowed_categories(
    engine: Readable,
    parts: dict[str, NDArray[Any]],
    features: Sequence[Feature],
    bounds: tuple[Vector, Vector],
) -> Flags:
    """Tell which categories rules allow: between bounds; of nominal features, free columns."""
    allowed, slices = within_places(*bounds, features), category_slices(features)
    for k, span in enumerate(spans_of(engine)):
        if span.nominal:
            allowed[:, slices[k]] = parts["upper"][:, span.first : span.end] >= 1.0
    return allowed


def _scaling(engine: Readable, features: Sequence[Feature]) -> Vector | None:
    """Return what the engine scales to 0 and 1; None if these are the features' ranges."""
    scaling = np.array([engine.low, engine.high])
    return None if np.array_equal(scaling, _ends(features)) else scaling


def _favourite(taken: Any, n_actions: int) -> int:
    """Return the action taken most often according to notes, 0 if they say nothing."""
    if not isinstance(taken, Sequence) or len(taken) != n_actions:
        return 0
    counts = [count if type(count) is int else 0 for count in taken]
    return counts.index(max(counts))
