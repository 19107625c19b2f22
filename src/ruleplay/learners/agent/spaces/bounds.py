"""Between which bounds features lie: what spaces declare, users give, or random play shows."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ruleplay.errors import ConfigError
from ruleplay.learners.agent.spaces.encoder import Encoder, Vector
from ruleplay.learners.agent.spaces.parts import AnyEncoder, encoded_spaces

Bounds = tuple[Vector, Vector]
Flags = NDArray[np.bool_]

LARGEST_BOUND = 1e6  # a larger bound says "no bound", whatever its type can hold


def declared_bounds(space: spaces.Space[Any], encoder: AnyEncoder) -> Bounds:
    """Return the bounds of the features that the space itself states; some may be infinite."""
    pairs = [plain_bounds(one, how) for one, how in encoded_spaces(space, encoder)]
    return np.concatenate([low for low, _ in pairs]), np.concatenate([high for _, high in pairs])


def plain_bounds(space: spaces.Space[Any], encoder: Encoder) -> Bounds:
    """Return the bounds that a space without parts states."""
    if encoder.one_hot:
        return np.zeros(encoder.n_features), np.ones(encoder.n_features)
    if encoder.sizes:
        return np.zeros(len(encoder.sizes)), _above(0.0, np.array(encoder.sizes) - 1.0)
    if isinstance(space, spaces.Box):
        low, high = (np.array(side, np.float64).ravel() for side in (space.low, space.high))
    elif isinstance(space, spaces.MultiBinary):
        low, high = np.zeros(encoder.n_features), np.ones(encoder.n_features)
    elif isinstance(space, spaces.MultiDiscrete):
        low = np.array(space.start, np.float64).ravel()
        high = low + space.nvec.ravel() - 1.0
    else:
        assert isinstance(space, spaces.Discrete)
        low = np.array([space.start], np.float64)
        high = low + float(space.n) - 1.0
    return low, _above(low, high)


def _above(low: Vector | float, high: Vector) -> Vector:
    """Return upper bounds of which each exceeds its lower one: a constant needs some room."""
    return np.where(high > low, high, low + 1.0)


def box_features(space: spaces.Space[Any], encoder: AnyEncoder) -> Flags:
    """Tell which features are numbers of a `Box`, whose bounds may be others than it declares."""
    return np.array(
        [
            isinstance(one, spaces.Box)
            for one, how in encoded_spaces(space, encoder)
            for _ in range(how.n_features)
        ]
    )


def unbounded_features(bounds: Bounds) -> Flags:
    """Tell which features have no bounds: infinite ones, or such that stand for none."""
    low, high = bounds
    return ~((np.abs(low) <= LARGEST_BOUND) & (np.abs(high) <= LARGEST_BOUND))


def given_bounds(bounds: Any, encoder: AnyEncoder) -> Bounds:
    """Return the bounds that a user gives as (low, high): numbers, or one per feature."""
    shape = encoder.shape if isinstance(encoder, Encoder) else (encoder.n_features,)
    try:
        low, high = bounds
        lower, upper = (
            np.broadcast_to(np.asarray(side, np.float64), shape).flatten() for side in (low, high)
        )
    except (TypeError, ValueError):
        raise ConfigError(
            "bounds must be None, 'observe' or a pair (low, high) of numbers or of arrays "
            f"of shape {shape}, got {bounds!r}"
        ) from None
    return lower, upper


def left_open(bounds: Bounds, which: Flags) -> Bounds:
    """Return bounds that are NaN where they are to be observed."""
    return np.where(which, np.nan, bounds[0]), np.where(which, np.nan, bounds[1])


def are_open(bounds: Bounds) -> bool:
    """Tell whether any bound is to be observed."""
    return bool(np.isnan(bounds[0]).any())


def observed_bounds(observations: Vector, declared: Bounds, wanted: Bounds) -> Bounds:
    """Return the wanted bounds, and where they are open, those around what was observed.

    These are widened by a quarter of the range on each side, within what the space declares.
    """
    low, high = observations.min(axis=0), observations.max(axis=0)
    room = np.where(high > low, (high - low) / 4, 0.5)
    lower, upper = np.maximum(low - room, declared[0]), np.minimum(high + room, declared[1])
    which = np.isnan(wanted[0])
    return np.where(which, lower, wanted[0]), np.where(which, _above(lower, upper), wanted[1])
