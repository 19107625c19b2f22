"""What comes in from outside is checked here, at the entry point, before anything changes."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.config import XCSConfig
from ruleplay.core.state.described import LARGEST_PAYOFF
from ruleplay.errors import ConfigError

Vector = NDArray[np.float64]

LARGEST_SIZE = 2**31 - 1
LARGEST_ABOUT = 1 << 23
_FLOAT = np.dtype(np.float64)
_SMALLEST_RANGE, _LARGEST_RANGE = 1e-300, 1e300  # of an observation's bounds


def checked_integer(name: str, value: Any, low: int, high: int = LARGEST_SIZE) -> int:
    """Return the value as an int, or refuse it."""
    if type(value) is int and low <= value <= high:
        return value
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not low <= value <= high:
        raise ConfigError(f"{name} must be an integer in [{low}, {high}], got {value!r}")
    return int(value)


def checked_about(about: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the dictionary if it can stand in a model file, or refuse it."""
    try:
        text = json.dumps(dict(about or {}), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigError(f"about must hold plain values only: {error}") from None
    if len(text) > LARGEST_ABOUT:
        raise ConfigError(f"about must take at most {LARGEST_ABOUT} characters, got {len(text)}")
    plain_values: dict[str, Any] = json.loads(text)
    return plain_values


def checked_reward(reward: float) -> float:
    """Return a reward of sensible size as a float, or refuse it."""
    return checked_payoff("reward", reward)


def checked_payoff(name: str, given: Any) -> float:
    """Return a number of sensible size as a float, or refuse it."""
    if type(given) is float and -LARGEST_PAYOFF <= given <= LARGEST_PAYOFF:
        return given
    try:
        value = math.nan if isinstance(given, (str, bytes)) else float(given)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not abs(value) <= LARGEST_PAYOFF:
        raise ConfigError(
            f"{name} must be a number in [{-LARGEST_PAYOFF:g}, {LARGEST_PAYOFF:g}], "
            f"got {shown(given)}"
        )
    return value


def checked_return(largest_return: float | None) -> float | None:
    """Return the largest return as a float, None if it is unknown, or refuse it."""
    return None if largest_return is None else checked_payoff("largest_return", largest_return)


def as_array(name: str, values: Any) -> NDArray[Any]:
    """Return values as an array, or refuse rows of unequal length."""
    try:
        return np.asarray(values)
    except (TypeError, ValueError):
        raise ConfigError(f"{name} must be an array of numbers, got {shown(values)}") from None


def as_floats(name: str, values: ArrayLike) -> Vector:
    """Return real numbers as a contiguous array of floats that can be written, or refuse them.

    An array that cannot is another type to the compiler, which would compile everything again.
    """
    array = as_array(name, values)
    if array.dtype.kind not in "fiub":
        raise ConfigError(f"{name} must be an array of numbers, got dtype {array.dtype}")
    return np.require(array, np.float64, ["C", "A", "W"])


def checked_numbers(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Vector:
    """Return an array of numbers of sensible size, or refuse it."""
    array = as_floats(name, values)
    if array.shape != shape:
        raise ConfigError(f"{name} must have shape {shape}, got {array.shape}")
    _check_sizes(name, array)
    return array


def _check_sizes(name: str, array: Vector) -> None:
    """Refuse numbers that are too large, or none."""
    for value in array[~(np.abs(array) <= LARGEST_PAYOFF)]:
        raise ConfigError(
            f"{name} must lie in [{-LARGEST_PAYOFF:g}, {LARGEST_PAYOFF:g}], got {value}"
        )


def as_flags(name: str, values: ArrayLike) -> NDArray[np.bool_]:
    """Return truth values, or zeros and ones, as an array of truth values, or refuse them."""
    array = as_array(name, values)
    if array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise ConfigError(f"{name} must be an array of truth values, got {shown(values)}")
    return array.astype(np.bool_)


def checked_bounds(low: ArrayLike, high: ArrayLike) -> tuple[Vector, Vector]:
    """Return the observation bounds as vectors, or refuse them."""
    lower, upper = as_floats("low", low).copy(), as_floats("high", high).copy()
    if lower.ndim != 1 or lower.shape != upper.shape or len(lower) == 0:
        raise ConfigError(
            f"low and high must be vectors of one length, got shapes {lower.shape}, {upper.shape}"
        )
    for k, (one, other) in enumerate(zip(lower, upper, strict=True)):
        if not (one < other and _SMALLEST_RANGE <= other - one <= _LARGEST_RANGE):
            raise ConfigError(
                f"high[{k}] - low[{k}] must lie in [{_SMALLEST_RANGE:g}, {_LARGEST_RANGE:g}], "
                f"got low {one:g} and high {other:g}"
            )
    return lower, upper


def checked_choices(
    actions: ArrayLike, rewards: ArrayLike, count: int, n_actions: int
) -> tuple[NDArray[np.int64], Vector]:
    """Return actions and what each paid, `count` of both, or refuse them."""
    chosen, paid, shape = as_array("actions", actions), as_floats("rewards", rewards), (count,)
    if chosen.shape != shape or paid.shape != shape:
        raise ConfigError(
            f"actions and rewards must have shape {shape}, got {chosen.shape} and {paid.shape}"
        )
    unknown = chosen
    if chosen.dtype.kind in "iu":
        unknown = chosen[(chosen < 0) | (chosen >= n_actions)]
    if len(unknown):
        raise ConfigError(f"actions must be integers in [0, {n_actions - 1}], got {unknown[0]!r}")
    _check_sizes("rewards", paid)
    return np.require(chosen, np.int64, ["C", "A", "W"]), paid


def checked_observation(observation: ArrayLike, n_features: int) -> Vector:
    """Return one observation, or refuse it; what is right as it is passes at once."""
    if (
        type(observation) is np.ndarray
        and observation.dtype is _FLOAT
        and observation.shape == (n_features,)
        and observation.flags.carray
    ):
        return observation
    seen = as_floats("observation", observation)
    if seen.shape != (n_features,):
        raise ConfigError(f"observation must have shape ({n_features},), got {seen.shape}")
    return seen


def checked_rows(observations: ArrayLike, n_features: int) -> Vector:
    """Return observations, one a row, or refuse them."""
    rows = as_floats("observations", observations)
    if rows.ndim != 2 or rows.shape[1] != n_features:
        raise ConfigError(f"observations must have shape (rows, {n_features}), got {rows.shape}")
    return rows


class Shape(Protocol):
    """What experiences have to fit."""

    n_features: int
    n_actions: int


def checked_experiences(
    shape: Shape,
    observations: ArrayLike,
    actions: ArrayLike,
    rewards: ArrayLike,
    next_observations: ArrayLike | None,
    terminal: ArrayLike | None,
) -> tuple[Any, ...]:
    """Return checked arrays; of what follows, None if all experiences are terminal."""
    rows = checked_rows(observations, shape.n_features)
    chosen, paid = checked_choices(actions, rewards, len(rows), shape.n_actions)
    if next_observations is None:
        return rows, chosen, paid, None, None
    next_rows, count = checked_rows(next_observations, shape.n_features), (len(rows),)
    ended = np.zeros(count, np.bool_) if terminal is None else as_flags("terminal", terminal)
    if len(next_rows) != len(rows) or ended.shape != count:
        raise ConfigError(
            f"next_observations and terminal must have {len(rows)} rows, "
            f"got {len(next_rows)} and {ended.shape}"
        )
    return rows, chosen, paid, next_rows, np.ascontiguousarray(ended)


def refusal_of(
    observations: Sequence[Vector], low: Vector, high: Vector, config: XCSConfig
) -> ConfigError:
    """Word the refusal of the first bad value among observations."""
    for observation in observations:
        for k, value in enumerate(observation):
            if math.isnan(value) and config.missing_values == "match":
                continue
            if not math.isfinite(value):
                return ConfigError(f"observation[{k}] must be finite, got {value}")
            if config.out_of_range == "error" and not low[k] <= value <= high[k]:
                return ConfigError(
                    f"observation[{k}] must lie in [{low[k]:g}, {high[k]:g}], got {value:g}"
                )
    return ConfigError("observation must be finite after scaling")


def shown(value: Any) -> str:
    """Show a value on one line, cut short."""
    text = str(value) if isinstance(value, float) else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:77]}..."
