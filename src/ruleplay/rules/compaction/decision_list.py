"""Learn an ordered list of rules that decides as the population does.

Rules are added one at a time at the front of the list, each where it gains most: from the
boxes of the population's own rules, moved and cut by `box_search`. After each addition the
rules are fitted anew, one by one, given the others, and those that have become useless go.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.compaction.box_search import Box, Flags, Grid, Integers, Vector

STARTS = 6  # boxes of the population from which each search climbs
PASSES = 4  # over the list after each addition
MANY = 8  # actions: of more, only the most promising ones are tried
FEW_STARTS = 2  # of a rule that is fitted anew and keeps its action


class Price(NamedTuple):
    """What a list must gain to be worth its length, in payoffs."""

    rule: float = 0.0  # a rule must gain more than this
    bound: float = 0.0  # and each of its bounds, and each category that must be named
    slack: float = 0.0  # what may be lost to open a bound afterwards


class ListRule(NamedTuple):
    """IF the observation lies in the box THEN the action."""

    box: Box
    action: int
    inside: Flags  # (observations,): which ones the box contains


class Task(NamedTuple):
    """What a list is learned from."""

    observations: Vector
    grid: Grid
    payoff: Vector  # (observations, actions): what each action is worth
    starts: tuple[Box, ...]  # boxes to begin a search from
    cover: NDArray[np.float32]  # (starts, observations): 1 where a start contains one
    price: Price
    centred: bool = False  # whether bounds are moved to the middle of what is empty beside them
    quick: bool = False  # whether rules that are fitted anew keep their actions

    def take(self, which: Flags) -> "Task":
        """Return the task with some of the observations only."""
        return self._replace(
            observations=self.observations[which],
            grid=self.grid.take(which),
            payoff=self.payoff[which],
            cover=self.cover[:, which],
        )


def make_task(
    observations: Vector,
    grid: Grid,
    payoff: Vector,
    boxes: Sequence[Box],
    price: Price,
    *,
    centred: bool = False,
    quick: bool = False,
) -> Task:
    """Prepare a search over observations, beginning with these boxes."""
    starts = tuple(box for box in boxes if not grid.is_empty(box))
    cover = np.array([grid.inside(box) for box in starts], np.float32)
    cover = cover.reshape(len(starts), len(observations))
    return Task(observations, grid, payoff, starts, cover, price, centred, quick)


class Draft:
    """A decision list in the making."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.rules: list[ListRule] = []
        self.default = int(task.payoff.sum(axis=0).argmax())

    def actions(self, skip: int | None = None, first: int = 0) -> Integers:
        """Return what the list decides, without one rule, or only from one on."""
        chosen = np.full(len(self.task.payoff), self.default)
        for place in range(len(self.rules) - 1, first - 1, -1):
            if place != skip:
                rule = self.rules[place]
                chosen[rule.inside] = rule.action
        return chosen

    def worth(self, skip: int | None = None) -> float:
        """Return the sum of payoffs of what the list decides, less its price."""
        chosen = self.actions(skip)
        paid = float(self.task.payoff[np.arange(len(chosen)), chosen].sum())
        kept = [rule.box for place, rule in enumerate(self.rules) if place != skip]
        return paid - self.task.price.rule * len(kept) - sum(map(self._price, kept))

    def grow(self) -> bool:
        """Put the rule that gains most in front; tell whether any gains."""
        free = np.ones(len(self.task.payoff), np.bool_)
        rule, gain = self._best_rule(self.actions(), free, None)
        if gain <= self.task.price.rule:
            return False
        self.rules.insert(0, rule)
        return True

    def refit(self) -> None:
        """Fit each rule anew, given the others, until nothing gains; drop useless ones."""
        for _ in range(PASSES):
            before = self.worth()
            for place in range(len(self.rules)):
                self._refit_rule(place)
            self._refit_default()
            self.prune(0.0)
            if self.worth() <= before:
                return

    def prune(self, spare: float) -> None:
        """Drop rules, the least useful first, as long as that costs no more than there is."""
        least = self.worth() - spare
        while self.rules:
            without = [self.worth(skip=place) for place in range(len(self.rules))]
            place = int(np.argmax(without))
            if without[place] < least:
                return
            del self.rules[place]

    def _refit_rule(self, place: int) -> None:
        free = np.ones(len(self.task.payoff), np.bool_)
        for rule in self.rules[:place]:
            free &= ~rule.inside
        current = self.rules[place]
        later = self.actions(first=place + 1)
        gains = np.where(free, self._gains(later, current.action), 0.0)
        kept = float(gains[current.inside].sum()) - self._price(current.box)
        rule, gain = self._best_rule(later, free, current)
        if gain > kept:
            self.rules[place] = rule

    def _refit_default(self) -> None:
        reached = np.ones(len(self.task.payoff), np.bool_)
        for rule in self.rules:
            reached &= ~rule.inside
        if reached.any():
            self.default = int(self.task.payoff[reached].sum(axis=0).argmax())

    def _gains(self, chosen: Integers, action: int) -> Vector:
        """Return what another action gains over those chosen."""
        payoff = self.task.payoff
        gains: Vector = payoff[:, action] - payoff[np.arange(len(chosen)), chosen]
        return gains

    def _best_rule(
        self, chosen: Integers, free: Flags, current: ListRule | None
    ) -> tuple[ListRule, float]:
        """Return the rule that gains most over the actions chosen where it is asked."""
        task, grid = self.task, self.task.grid
        best, best_action, best_gain = grid.whole, 0, -np.inf
        for action in self._promising(chosen, free, current):
            gains = np.where(free, self._gains(chosen, action), 0.0)
            if not (gains > 0.0).any():
                continue
            for start in self._starts(gains, current):
                box, gain = grid.climb(start, gains, task.price.bound)
                if task.price.slack:
                    box, gain = grid.loosen(box, gains, task.price.slack)
                if gain > best_gain:
                    best, best_action, best_gain = box, action, gain
        if task.centred and best_gain > -np.inf:
            gains = np.where(free, self._gains(chosen, best_action), 0.0)
            best = grid.centre(best, gains)
        return ListRule(best, best_action, grid.inside(best)), best_gain

    def _promising(self, chosen: Integers, free: Flags, current: ListRule | None) -> list[int]:
        """Return the actions to try: of many, those of which a start gains most."""
        payoff = self.task.payoff
        if self.task.quick and current is not None:
            return [current.action]
        if not self.task.quick or payoff.shape[1] <= MANY:
            return list(range(payoff.shape[1]))
        rows = np.flatnonzero(free)
        gains = payoff[rows] - payoff[rows, chosen[rows]][:, np.newaxis]
        most = (self.task.cover[:, rows] @ gains.astype(np.float32)).max(axis=0, initial=0.0)
        return [int(action) for action in np.sort(np.argsort(-most, kind="stable")[:MANY])]

    def _starts(self, gains: Vector, current: ListRule | None) -> list[Box]:
        """Return boxes to climb from: all, those that gain most, and the one there is."""
        task = self.task
        order = np.argsort(-(task.cover @ gains.astype(np.float32)), kind="stable")
        if current is None:
            return [task.grid.whole, *(task.starts[k] for k in order[:STARTS])]
        if task.quick:
            return [*(task.starts[k] for k in order[:FEW_STARTS]), current.box]
        return [task.grid.whole, *(task.starts[k] for k in order[:STARTS]), current.box]

    def _price(self, box: Box) -> float:
        """Return what the bounds of a box cost."""
        price = self.task.price.bound
        return price * self.task.grid.n_bounds(box) if price else 0.0
