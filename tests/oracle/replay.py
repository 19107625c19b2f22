"""Remember experiences: the replay memory RM (Alg. 2 lines 1, 5, 11, 13 and 14)."""

from typing import NamedTuple

from .random_source import RandomSource


class Transition(NamedTuple):
    """Hold one experience (s, a, r, s'); after a terminal one, s' has no value.

    A time limit that is no terminal end still ends a sequence.
    """

    state: list[float]
    action: int
    reward: float
    next_state: list[float]
    terminal: bool
    truncated: bool = False
    explored: bool = False  # the action was not greedy


class ReplayMemory:
    """Keep the newest experiences in a ring of fixed capacity: first in, first out."""

    def __init__(self, capacity: int) -> None:
        """Start empty."""
        self.capacity = capacity
        self.slots: list[Transition] = []
        self.payoffs: list[float | None] = []  # last taught for each; None: not yet
        self.stored = 0  # ever, not only those still held

    def store(self, transition: Transition) -> None:
        """Add an experience; in a full ring the oldest gives way (Alg. 2 line 13)."""
        if len(self.slots) < self.capacity:
            self.slots.append(transition)
            self.payoffs.append(None)
        else:
            self.slots[self.stored % self.capacity] = transition
            self.payoffs[self.stored % self.capacity] = None
        self.stored += 1

    def newest(self) -> Transition:
        """Return the experience stored last."""
        return self.slots[(self.stored - 1) % self.capacity]

    def sample(self, size: int, include_newest: bool, rng: RandomSource) -> list[Transition]:
        """Draw a minibatch uniformly, with replacement (Alg. 2 line 14)."""
        return [self.slots[slot] for slot in self.draw(size, include_newest, rng)]

    def draw(self, size: int, include_newest: bool, rng: RandomSource) -> list[int]:
        """Draw the slots of a minibatch."""
        batch = [(self.stored - 1) % self.capacity] if include_newest else []
        while len(batch) < size:
            batch.append(rng.below(len(self.slots)))
        return batch

    def sequence(self, slot: int, length: int, cut_at_exploration: bool) -> list[Transition]:
        """List an experience and those that came right after it, at most so many in all."""
        by_age = list(range(len(self.slots)))
        if self.stored > self.capacity:
            oldest = self.stored % self.capacity
            by_age = by_age[oldest:] + by_age[:oldest]
        ahead = [self.slots[s] for s in by_age[by_age.index(slot) :]]
        found = ahead[:1]
        for one in ahead[1:length]:
            if not follows(found[-1], one) or (cut_at_exploration and one.explored):
                break
            found.append(one)
        return found


def follows(before: Transition, after: Transition) -> bool:
    """Tell whether one experience came right after another, in the same episode."""
    if before.terminal or before.truncated:
        return False
    return before.next_state == after.state
