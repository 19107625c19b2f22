"""Turn Gymnasium observations into vectors with bounds, and refuse spaces that have none."""

import math
import operator
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from ruleplay.errors import ConfigError

Vector = NDArray[np.float64]
Bounds = tuple[Vector, Vector]

LARGEST_BOUND = 1e6  # a larger bound says "no bound", whatever its type can hold


@dataclass(frozen=True)
class Encoder:
    """How an observation of a space becomes a vector of features.

    Most spaces are flattened as they are. A `Discrete` one may be taken apart into the
    digits of its number, which has `sizes` as bases, or into one feature per value.
    """

    shape: tuple[int, ...]  # of one observation
    first: int = 0  # smallest value of a discrete space that is taken apart
    sizes: tuple[int, ...] = ()
    one_hot: bool = False

    @property
    def n_features(self) -> int:
        """Return how many features an observation has."""
        if not self.sizes:
            return math.prod(self.shape)
        return math.prod(self.sizes) if self.one_hot else len(self.sizes)

    def vector(self, observation: ArrayLike) -> Vector:
        """Return the features of one observation."""
        if not self.sizes:
            return _numbers(observation, np.float64).ravel()
        row: Vector = self.rows(np.reshape(np.asarray(observation), (1,)))[0]
        return row

    def rows(self, observations: NDArray[Any]) -> Vector:
        """Return the features of several observations, (observations, features)."""
        if not self.sizes:
            table = observations.reshape(len(observations), self.n_features)
            return _numbers(table, np.float64)
        number: NDArray[np.int64] = _numbers(observations.reshape(-1), np.int64) - self.first
        count = math.prod(self.sizes)
        if ((number < 0) | (number >= count)).any():
            last = self.first + count - 1
            raise ConfigError(f"observation must lie in [{self.first}, {last}]")
        if self.one_hot:
            return np.eye(count)[number]
        return np.stack(np.unravel_index(number, self.sizes), axis=1).astype(np.float64)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values from which `from_dict` makes an equal encoder."""
        return {
            "shape": list(self.shape),
            "first": self.first,
            "sizes": list(self.sizes),
            "one_hot": self.one_hot,
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Encoder":
        """Make an encoder from what `as_dict` returned."""
        whole = [content["first"], *content["shape"], *content["sizes"]]
        if any(type(value) is not int for value in whole) or type(content["one_hot"]) is not bool:
            raise ConfigError("an encoder takes integers, and whether it is one_hot")
        if any(value < 1 for value in whole[1:]):
            raise ConfigError("shape and sizes of an encoder must be positive")
        return cls(
            tuple(content["shape"]), content["first"], tuple(content["sizes"]), content["one_hot"]
        )


def _numbers(observation: ArrayLike, kind: Any) -> NDArray[Any]:
    """Return an observation, or several, as numbers of a kind; refuse what holds others."""
    try:
        return np.asarray(observation, kind)
    except (TypeError, ValueError, OverflowError) as error:
        raise ConfigError(f"observation must hold numbers: {error}") from None


def choose_encoder(space: spaces.Space[Any], encode_discrete: str | Sequence[int]) -> Encoder:
    """Return the encoder for an observation space, or refuse the space."""
    if isinstance(space, spaces.Discrete):
        return _discrete_encoder(space, encode_discrete)
    if isinstance(space, (spaces.Box, spaces.MultiDiscrete, spaces.MultiBinary)):
        shape = tuple(int(size) for size in space.shape)
        if math.prod(shape) < 1:
            raise ConfigError(f"observation space must not be empty, got {space}")
        return Encoder(shape)
    raise ConfigError(
        "observation space must be Box, Discrete, MultiDiscrete or MultiBinary, "
        f"got {type(space).__name__}: wrap the environment in "
        "gymnasium.wrappers.FlattenObservation, or in a TransformObservation of your own"
    )


def _discrete_encoder(space: spaces.Discrete, encode_discrete: str | Sequence[int]) -> Encoder:
    count, first = int(space.n), int(space.start)
    if encode_discrete == "ordinal":
        return Encoder(())
    if encode_discrete == "one_hot":
        return Encoder((), first, (count,), one_hot=True)
    sizes: tuple[int, ...] = ()
    if not isinstance(encode_discrete, str):
        with suppress(TypeError):
            sizes = tuple(operator.index(size) for size in encode_discrete)
    if min(sizes, default=0) < 1 or math.prod(sizes) != count:
        raise ConfigError(
            "encode_discrete must be 'ordinal', 'one_hot' or sizes whose product is "
            f"{count}, got {encode_discrete!r}"
        )
    return Encoder((), first, sizes)


class Grain(NamedTuple):
    """How finely a space is divided."""

    states: float  # different observations; may be infinite for discrete spaces too
    finest: int  # values of the feature that has most; 0 for real numbers


def grain_of(space: spaces.Space[Any], encoder: Encoder) -> Grain:
    """Count the observations of a space, and the values of its finest feature."""
    if isinstance(space, spaces.Box):
        return Grain(math.inf, 0)
    if isinstance(space, spaces.Discrete):
        finest = 2 if encoder.one_hot else max(encoder.sizes or (int(space.n),))
        return Grain(float(space.n), finest)
    low, high = declared_bounds(space, encoder)
    values = high - low + 1.0
    return Grain(float(np.exp(np.log(values).sum())), int(values.max()))


def whole_features(space: spaces.Space[Any], encoder: Encoder) -> tuple[bool, ...]:
    """Tell which features take whole numbers only."""
    if isinstance(space, spaces.Box):
        return (bool(np.issubdtype(space.dtype, np.integer)),) * encoder.n_features
    return (True,) * encoder.n_features


def declared_bounds(space: spaces.Space[Any], encoder: Encoder) -> Bounds:
    """Return the bounds of the features that the space itself states; some may be infinite."""
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


def unbounded_features(bounds: Bounds) -> NDArray[np.bool_]:
    """Tell which features have no bounds: infinite ones, or such that stand for none."""
    low, high = bounds
    return ~((np.abs(low) <= LARGEST_BOUND) & (np.abs(high) <= LARGEST_BOUND))


def given_bounds(bounds: Any, encoder: Encoder) -> Bounds:
    """Return the bounds that a user gives as (low, high): numbers, or one per feature."""
    try:
        low, high = bounds
        lower, upper = (
            np.broadcast_to(np.asarray(side, np.float64), encoder.shape).flatten()
            for side in (low, high)
        )
    except (TypeError, ValueError):
        raise ConfigError(
            "bounds must be None, 'observe' or a pair (low, high) of numbers or of arrays "
            f"of shape {encoder.shape}, got {bounds!r}"
        ) from None
    return lower, upper


def observed_bounds(observations: Vector, declared: Bounds) -> Bounds:
    """Return bounds around what was observed, widened by a quarter of the range on each side.

    They stay within what the space declares.
    """
    low, high = observations.min(axis=0), observations.max(axis=0)
    room = np.where(high > low, (high - low) / 4, 0.5)
    lower, upper = np.maximum(low - room, declared[0]), np.minimum(high + room, declared[1])
    return lower, _above(lower, upper)


def checked_actions(space: spaces.Space[Any]) -> spaces.Discrete:
    """Return the action space if it is one of single choices, or refuse it."""
    if not isinstance(space, spaces.Discrete):
        raise ConfigError(
            f"action space must be Discrete, got {type(space).__name__}: offer a number of "
            "fixed actions through gymnasium.wrappers.TransformAction"
        )
    return space
