"""From bounds of scaled states to thresholds of observations, exactly.

An engine scales an observation, rounds it to float32 and compares it with float32 bounds.
Scaling and rounding never decrease, so that "the state is at least b" is "the observation is
at least t" for one number t, which is found by bisection over all floats. Rules in the user's
units are then compared directly, without scaling, and decide exactly as in the engine.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    pass

Vector = NDArray[np.float64]
States = NDArray[np.float32]

_SIGN = np.int64(-(2**63))
_ROUNDING = 2.0**-24  # share of a range that is lost when states are rounded to float32


def scale(observations: Vector, low: Vector, high: Vector) -> States:
    """Return observations as the engine's states in [0, 1], bit by bit; NaN stays NaN."""
    scaled = (observations - low) * (1.0 / (high - low))
    return np.clip(scaled, 0.0, 1.0).astype(np.float32)


def lower_thresholds(bounds: States, low: Vector, high: Vector) -> Vector:
    """Return the smallest observations whose states reach the bounds; -inf if all do.

    `bounds` is (rules, features).
    """
    reach = 2.0 * (high - low)
    first, last = _ordinal(low - reach), _ordinal(high + reach)
    below, above = (np.broadcast_to(side, bounds.shape).copy() for side in (first, last))
    while (above > below + 1).any():  # the answer lies in (below, above]
        middle = (below >> 1) + (above >> 1) + (below & above & 1)  # the sum might overflow
        reached = scale(_float(middle), low, high) >= bounds
        below, above = np.where(reached, below, middle), np.where(reached, middle, above)
    return np.where(bounds <= 0.0, -np.inf, _float(above))


def upper_thresholds(bounds: States, low: Vector, high: Vector) -> Vector:
    """Return the largest observations whose states do not exceed the bounds; inf if none does."""
    next_bounds = np.nextafter(bounds, np.float32(2.0))
    beyond = lower_thresholds(np.minimum(next_bounds, np.float32(1.0)), low, high)
    return np.where(bounds >= 1.0, np.inf, np.nextafter(beyond, -np.inf))


def tidied(bounds: Vector, low: Vector, high: Vector) -> Vector:
    """Return bounds in as few decimals as states of float32 tell apart; ends of ranges stay."""
    tidy = bounds.copy()
    for k, (start, end) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        column = bounds[:, k]
        with np.errstate(all="ignore"):
            rounded = np.round(column, math.floor(-math.log10(_ROUNDING * (end - start))))
        stays = (column == start) | (column == end) | ~np.isfinite(rounded)
        tidy[:, k] = np.where(stays, column, rounded)
    return tidy


def _ordinal(values: Vector) -> NDArray[np.int64]:
    """Return the places of floats in the order of all floats; both zeros are at 0."""
    bits = values.view(np.int64) if values.flags.c_contiguous else values.copy().view(np.int64)
    return np.where(bits < 0, _SIGN - bits, bits)


def _float(ordinals: NDArray[np.int64]) -> Vector:
    """Return the floats with these numbers."""
    return np.where(ordinals < 0, _SIGN - ordinals, ordinals).astype(np.int64).view(np.float64)
