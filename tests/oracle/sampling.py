"""Remember and replay beyond the paper: by surprise, by region, rewarding ones longer, mixed.

Everything is looked up and counted anew each time it is needed.
"""

from .population import add_up
from .random_source import RandomSource
from .replay import ReplayMemory, Transition


class Even:
    """Draw every experience with the same chance."""

    def note_stored(self, slot: int, transition: Transition) -> None:
        """Ignore it."""

    def note_replayed(self, slot: int, surprise: float) -> None:
        """Ignore it."""

    def choose(self, size: int, rng: RandomSource) -> int:
        """Draw a slot."""
        return rng.below(size)

    def weigh(self, slot: int, progress: float) -> tuple[float, float]:
        """Let it count in full."""
        return 1.0, 1.0


class BySurprise(Even):
    """Draw an experience in proportion to (surprise + eps_0)^alpha."""

    def __init__(self, replay, eps_0: float) -> None:
        """Start empty; the first experiences have priority 1."""
        self.replay, self.eps_0 = replay, eps_0
        self.priorities: dict[int, float] = {}
        self.top = 1.0

    def note_stored(self, slot: int, transition: Transition) -> None:
        """Prefer what is new."""
        self.priorities[slot] = self.top

    def note_replayed(self, slot: int, surprise: float) -> None:
        """Set a priority by surprise."""
        self.priorities[slot] = (surprise + self.eps_0) ** self.replay.priority_exponent
        self.top = max(self.top, self.priorities[slot])

    def choose(self, size: int, rng: RandomSource) -> int:
        """Draw a slot: the first at which the priorities add up to more than a random part."""
        rest = rng.uniform() * add_up(self.priorities[slot] for slot in range(size))
        for slot in range(size):
            rest -= self.priorities[slot]
            if rest < 0.0:
                return slot
        return size - 1

    def weigh(self, slot: int, progress: float) -> tuple[float, float]:
        """Return (N P)^-b over the largest of these: for predictions, and for all else."""
        if self.replay.importance == "none":
            return 1.0, 1.0
        start = self.replay.priority_beta_start
        exponent = 1.0 if progress >= 1.0 else start + (1.0 - start) * progress
        weight = (min(self.priorities.values()) / self.priorities[slot]) ** exponent
        return weight, weight if self.replay.importance == "all" else 1.0


class ByRegion(Even):
    """Draw a cell of a grid that holds any experience, then one of them."""

    def __init__(self, grid: int) -> None:
        """Start empty."""
        self.grid = grid
        self.cells: dict[tuple[int, ...], list[int]] = {}
        self.visited: list[tuple[int, ...]] = []
        self.cell_of: dict[int, tuple[int, ...]] = {}

    def note_stored(self, slot: int, transition: Transition) -> None:
        """Move a slot to the cell of its new experience; the last fills the gap it leaves."""
        if slot in self.cell_of:
            cell = self.cell_of[slot]
            fill_gap(self.cells[cell], slot)
            if not self.cells[cell]:
                fill_gap(self.visited, cell)
        sides = [0 if x != x else min(int(x * self.grid), self.grid - 1) for x in transition.state]
        cell = (*sides, transition.action)
        if not self.cells.setdefault(cell, []):
            self.visited.append(cell)
        self.cells[cell].append(slot)
        self.cell_of[slot] = cell

    def choose(self, size: int, rng: RandomSource) -> int:
        """Draw a slot."""
        cell = self.visited[rng.below(len(self.visited))]
        return self.cells[cell][rng.below(len(self.cells[cell]))]


def fill_gap(things: list, thing) -> None:
    """Remove a thing; the last one takes its place."""
    place = things.index(thing)
    things[place] = things[-1]
    things.pop()


class Keeper(ReplayMemory):
    """Keep experiences first in, first out, or protect rewarding ones; sample as told."""

    def __init__(self, replay, eps_0: float) -> None:
        """Start empty."""
        super().__init__(replay.capacity)
        self.replay = replay
        self.ages: list[int] = []
        self.last_slot = 0
        kinds = {"prioritized": BySurprise, "stratified": ByRegion}
        given = {"prioritized": (replay, eps_0), "stratified": (replay.strata_grid,)}
        self.sampler = kinds.get(replay.sampling, Even)(*given.get(replay.sampling, ()))

    def store(self, transition: Transition) -> None:
        """Add an experience; in a full memory another one gives way."""
        if len(self.slots) < self.capacity:
            self.last_slot = len(self.slots)
            self.slots.append(transition)
            self.ages.append(self.stored)
            self.payoffs.append(None)
        else:
            self.last_slot = self._victim()
            self.slots[self.last_slot] = transition
            self.ages[self.last_slot] = self.stored
            self.payoffs[self.last_slot] = None
        self.stored += 1
        self.sampler.note_stored(self.last_slot, transition)

    def draw(self, size: int, include_newest: bool, rng: RandomSource):
        """Draw the slots of a minibatch, each when it is asked for."""
        if include_newest:
            yield self.last_slot
        for _ in range(size - include_newest):
            yield self.sampler.choose(len(self.slots), rng)

    def find_neighbour(self, slot: int, rng: RandomSource) -> int | None:
        """Draw eight slots; return the nearest of the same kind that is near enough."""
        one, best, nearest = self.slots[slot], self.replay.interpolation_distance**2, None
        for _ in range(8):
            other = rng.below(len(self.slots))
            two = self.slots[other]
            alike = two.action == one.action and two.terminal == one.terminal
            distance = add_up((a - b) * (a - b) for a, b in zip(one.state, two.state, strict=True))
            if other != slot and alike and distance <= best:
                nearest, best = other, distance
        return nearest

    def _victim(self) -> int:
        """Return the oldest slot that is not protected."""
        by_age = sorted(range(self.capacity), key=lambda slot: self.ages[slot])
        if self.replay.storage == "protected":
            most = min(max(1, int(self.replay.protected_share * self.capacity)), self.capacity - 1)
            protected = [slot for slot in by_age if self._is_rewarding(self.slots[slot])][-most:]
            by_age = [slot for slot in by_age if slot not in protected]
        return by_age[0]

    def _is_rewarding(self, transition: Transition) -> bool:
        return transition.terminal or transition.reward != self.replay.usual_reward
