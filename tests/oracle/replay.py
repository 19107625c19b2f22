"""Remember experiences: the replay memory RM (Alg. 2 lines 1, 5, 11, 13 and 14)."""

from typing import NamedTuple

from .random_source import RandomSource


class Transition(NamedTuple):
    """Hold one experience (s, a, r, s'); after a terminal one, s' has no value."""

    state: list[float]
    action: int
    reward: float
    next_state: list[float]
    terminal: bool


class ReplayMemory:
    """Keep the newest experiences in a ring of fixed capacity: first in, first out."""

    def __init__(self, capacity: int) -> None:
        """Start empty."""
        self.capacity = capacity
        self.slots: list[Transition] = []
        self.stored = 0  # ever, not only those still held

    def store(self, transition: Transition) -> None:
        """Add an experience; in a full ring the oldest gives way (Alg. 2 line 13)."""
        if len(self.slots) < self.capacity:
            self.slots.append(transition)
        else:
            self.slots[self.stored % self.capacity] = transition
        self.stored += 1

    def newest(self) -> Transition:
        """Return the experience stored last."""
        return self.slots[(self.stored - 1) % self.capacity]

    def sample(self, size: int, include_newest: bool, rng: RandomSource) -> list[Transition]:
        """Draw a minibatch uniformly, with replacement (Alg. 2 line 14)."""
        batch = [self.newest()] if include_newest else []
        while len(batch) < size:
            batch.append(self.slots[rng.below(len(self.slots))])
        return batch
