"""Turn the observations of one plain space into vectors of features."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.errors import ConfigError

Vector = NDArray[np.float64]


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

    def rows(self, observations: Any) -> Vector:
        """Return the features of several observations, (observations, features)."""
        seen = np.asarray(observations)
        if not self.sizes:
            return _numbers(seen.reshape(len(seen), self.n_features), np.float64)
        number: NDArray[np.int64] = _numbers(seen.reshape(-1), np.int64) - self.first
        count = math.prod(self.sizes)
        if ((number < 0) | (number >= count)).any():
            last = self.first + count - 1
            raise ConfigError(f"observation must lie in [{self.first}, {last}]")
        if self.one_hot:
            return np.eye(count)[number]
        return np.stack(np.unravel_index(number, self.sizes), axis=1).astype(np.float64)

    def one_or_several(self, observation: Any) -> tuple[Vector, bool]:
        """Return the features of one observation or of several, and whether it is only one."""
        seen = np.asarray(observation)
        is_single = seen.shape == self.shape
        if not is_single and seen.shape[1:] != self.shape:
            raise ConfigError(
                f"observation must have shape {self.shape}, or (n, ...) for several, "
                f"got {seen.shape}"
            )
        return self.rows(seen[np.newaxis] if is_single else seen), is_single

    def plain_names(self) -> list[str]:
        """Return what features without names are called."""
        if self.one_hot:
            return [f"is_{self.first + k}" for k in range(self.n_features)]
        if self.shape == () and not self.sizes:
            return ["state"]
        return [f"x{k}" for k in range(self.n_features)]

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
