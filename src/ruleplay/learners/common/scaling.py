"""Where features lie: the bounds between which an engine scales them to [0, 1]."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.errors import ConfigError

Vector = NDArray[np.float64]
Bounds = tuple[Vector, Vector]

FEATURES_WITHOUT_MARGIN = 8
MARGIN_OF_TWO = 1.0  # around a feature of two values

_SMALLEST_RANGE = 1e-290  # its inverse is finite with room to spare


def observed_bounds(rows: Vector) -> Bounds:
    """Return the smallest and largest value of each feature; a constant one gets some room.

    >>> observed_bounds(np.array([[1.0, 5.0], [3.0, np.nan]]))
    (array([1., 5.]), array([ 3., 10.]))
    """
    low = np.fmin.reduce(rows, axis=0, initial=np.inf)
    high = np.fmax.reduce(rows, axis=0, initial=-np.inf)
    empty = low > high
    if empty.any():
        raise ConfigError(
            f"feature {int(np.argmax(empty))} must have at least one value, got only missing "
            "ones: leave it out, or give bounds"
        )
    with np.errstate(over="ignore"):
        constant = ~(high - low > _SMALLEST_RANGE)
        high = np.where(constant, low + np.maximum(1.0, np.abs(low)), high)
        wide = ~np.isfinite(high - low)
    if wide.any():
        k = int(np.argmax(wide))
        raise ConfigError(
            f"the range of feature {k} must be finite, got [{low[k]:g}, {high[k]:g}]; rescale it"
        )
    return low, high


def given_bounds(bounds: Any, n_features: int) -> Bounds:
    """Return bounds that the user gave as (low, high), numbers or one per feature."""
    try:
        low, high = (np.array(side, np.float64) for side in bounds)
        low, high = (np.broadcast_to(side, (n_features,)).copy() for side in (low, high))
    except (TypeError, ValueError):
        raise ConfigError(
            f"bounds must be (low, high), each a number or {n_features} of them, got {bounds!r}"
        ) from None
    for k, (one, other) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        if not (math.isfinite(other - one) and other - one > _SMALLEST_RANGE):
            raise ConfigError(
                f"bounds of feature {k} must be finite, low < high, got {one:g} and {other:g}"
            )
    return low, high


def with_margin(bounds: Bounds, margins: float | Vector) -> Bounds:
    """Return bounds that leave room on both sides, as multiples of the ranges.

    >>> with_margin((np.zeros(1), np.full(1, 2.0)), 1.5)
    (array([-3.]), array([5.]))
    """
    low, high = bounds
    room = margins * (high - low)
    return low - room, high + room


def checked_margin(margin: Any, n_features: int) -> float:
    """Return the margin; "auto" is none for few features, and grows with their number.

    A covered rule limits every feature, so with many features it matches hardly any other
    row: the population is replaced before it has learned. With room around the data most
    intervals of a covered rule reach across all of it. The room of "auto" keeps the number
    of features that a covered rule limits at that of FEATURES_WITHOUT_MARGIN features.

    >>> checked_margin("auto", 8), checked_margin("auto", 64)
    (0.0, 3.5)
    """
    if isinstance(margin, str) and margin == "auto":
        return max(0.0, (n_features / FEATURES_WITHOUT_MARGIN - 1.0) / 2.0)
    if isinstance(margin, bool) or not isinstance(margin, (int, float)):
        raise ConfigError(f"margin must be 'auto' or a number in [0, 1000], got {margin!r}")
    if not 0.0 <= margin <= 1000.0:
        raise ConfigError(f"margin must lie in [0, 1000], got {margin}")
    return float(margin)


def wider_for_two(margins: Vector, rows: Vector) -> Vector:
    """Return margins of features, larger ones where there are two values.

    A covered interval reaches half of the range at most, from a value that it contains. Around
    one of two values that is never the other one: without room, no rule would leave it free.

    >>> wider_for_two(np.zeros(2), np.array([[0.0, 5.0], [1.0, 6.0], [0.0, 8.0], [np.nan, 5.0]]))
    array([1., 0.])
    """
    least, most = np.fmin.reduce(rows, axis=0), np.fmax.reduce(rows, axis=0)
    two = ((rows == least) | (rows == most) | np.isnan(rows)).all(axis=0) & (least < most)
    return np.where(two, np.maximum(margins, MARGIN_OF_TWO), margins)
