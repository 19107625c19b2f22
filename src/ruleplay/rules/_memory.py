"""Observations to judge rules by: those an engine remembers, and random ones."""

import numpy as np
from numpy.typing import NDArray

from ruleplay.contrib.symbols.spans import Span
from ruleplay.engine import XCS
from ruleplay.rules.features import features_of, spans_of
from ruleplay.rules.ruleset import RuleSet

Vector = NDArray[np.float64]


def experiences(source: XCS | RuleSet) -> Vector:
    """Return the observations in an engine's replay memory, within its bounds; maybe none."""
    if isinstance(source, RuleSet):
        return np.empty((0, len(source.low)))
    return _as_features(source.remembered(), spans_of(source))


def _as_features(columns: Vector, spans: list[Span]) -> Vector:
    """Return an engine's observations as features: of a nominal one, the place of its category."""
    rows = np.empty((len(columns), len(spans)))
    for k, span in enumerate(spans):
        part = columns[:, span.first : span.end]
        places = np.where(np.isnan(part[:, 0]), np.nan, np.nan_to_num(part).argmax(axis=1))
        rows[:, k] = places if span.nominal else part[:, 0]
    return rows


def reference_observations(source: XCS | RuleSet, count: int, seed: int = 0) -> Vector:
    """Return observations drawn from an engine's memory.

    What it lacks, or all if there is no memory, is drawn uniformly within the bounds, from
    whole numbers where a feature takes no others.
    """
    rng = np.random.default_rng(seed)
    lived = experiences(source)
    if len(lived) >= count:
        return lived[np.sort(rng.choice(len(lived), count, replace=False))]
    features = source.features if isinstance(source, RuleSet) else features_of(source)
    low, high = (np.array([getattr(f, end) for f in features]) for end in ("low", "high"))
    shares = rng.random((count - len(lived), len(low)))
    numbers = low + np.floor(shares * (high - low + 1))
    drawn = np.where([feature.whole for feature in features], numbers, low + shares * (high - low))
    return np.concatenate([lived, drawn])
