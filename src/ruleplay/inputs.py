"""What comes in from outside is checked here, at the door, before anything changes."""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.errors import ConfigError

Vector = NDArray[np.float64]

LARGEST_SIZE = 2**31 - 1
LARGEST_ABOUT = 1 << 19


def checked_integer(name: str, value: Any, low: int, high: int = LARGEST_SIZE) -> int:
    """Return the value as an int, or refuse it."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not low <= value <= high:
        raise ConfigError(f"{name} must be an integer in [{low}, {high}], got {value!r}")
    return int(value)


def checked_about(about: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the dictionary if it can stand in a model file, or refuse it."""
    try:
        text = json.dumps(dict(about or {}), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"about must hold plain values only: {error}") from None
    if len(text) > LARGEST_ABOUT:
        raise ConfigError(f"about must take at most {LARGEST_ABOUT} characters, got {len(text)}")
    plain_values: dict[str, Any] = json.loads(text)
    return plain_values


def checked_reward(reward: float) -> float:
    """Return a finite reward as a float, or refuse it."""
    try:
        value = float(reward)
    except (TypeError, ValueError):
        raise ConfigError(f"reward must be a number, got {reward!r}") from None
    if not math.isfinite(value):
        raise ConfigError(f"reward must be finite, got {value}")
    return value


def as_floats(name: str, values: ArrayLike) -> Vector:
    """Return real numbers as a contiguous array of floats, or refuse them."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        raise ConfigError(f"{name} must be an array of numbers, got {values!r}") from None
    if array.dtype.kind not in "fiub":
        raise ConfigError(f"{name} must be an array of numbers, got dtype {array.dtype}")
    return np.ascontiguousarray(array, np.float64)


def checked_bounds(low: ArrayLike, high: ArrayLike) -> tuple[Vector, Vector]:
    """Return the observation bounds as vectors, or refuse them."""
    lower, upper = as_floats("low", low).copy(), as_floats("high", high).copy()
    if lower.ndim != 1 or lower.shape != upper.shape or len(lower) == 0:
        raise ConfigError(
            f"low and high must be vectors of one length, got shapes {lower.shape}, {upper.shape}"
        )
    for k, (one, other) in enumerate(zip(lower, upper, strict=True)):
        if not (math.isfinite(one) and math.isfinite(other) and one < other):
            raise ConfigError(f"low[{k}] < high[{k}] must be finite, got {one:g} and {other:g}")
    return lower, upper
