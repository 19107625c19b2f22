"""Note what a policy is asked about."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Integers = NDArray[np.int64]
Policy = Callable[[Vector], Integers]


class Recorder:
    """A policy that notes what it is asked about."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.seen: list[Vector] = []

    def __call__(self, observations: Vector) -> Integers:
        """Decide as the policy does."""
        self.seen.append(np.array(observations, np.float64))
        return self.policy(observations)

    def observations(self) -> Vector:
        """Return all observations so far."""
        return np.concatenate(self.seen)

    def thinned(self, most: int) -> Vector:
        """Return some of the observations, evenly spread over all."""
        seen = self.observations()
        return seen[thin(seen, most)]


def thin(observations: Vector, most: int) -> NDArray[np.intp]:
    """Return places of observations, `most` at most, evenly spread over all."""
    return np.unique(
        np.linspace(0, len(observations) - 1, min(most, len(observations))).astype(int)
    )
