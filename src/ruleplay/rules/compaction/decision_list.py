"""Learn an ordered list of rules that decides as the population does.

Rules are added one at a time at the front of the list, each where it gains most: from the
boxes of the population's own rules, moved and cut by `box_search`. After each addition the
rules are fitted anew, one by one, given the others, and those that have become useless go.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.compaction.box_search import Box, Grid, Integers, Vector

STARTS = 6  # boxes of the population from which each search climbs
PASSES = 4  # over the list after each addition
SLACK = 5e-4  # share of all gains that one bound less may cost


class ListRule(NamedTuple):
    """IF the observation lies in the box THEN the action."""

    box: Box
    action: int


class Task(NamedTuple):
    """What a list is learned from."""

    observations: Vector
    grid: Grid
    payoff: Vector  # (observations, actions): what each action is worth
    starts: tuple[Box, ...]  # boxes to begin a search from
    cover: NDArray[np.float32]  # (starts, observations): 1 where a start contains one


def make_task(
    observations: Vector, payoff: Vector, boxes_of: tuple[Vector, Vector], digits: tuple[int, ...]
) -> Task:
    """Prepare a search over observations, beginning with the boxes of these bounds."""
    grid = Grid.of(observations, digits)
    boxes = [grid.box(*bounds) for bounds in zip(*boxes_of, strict=True)]
    starts = tuple(box for box in boxes if (box[:, 0] <= box[:, 1]).all())
    cover = np.array([grid.inside(box) for box in starts], np.float32)
    return Task(observations, grid, payoff, starts, cover.reshape(len(starts), len(observations)))


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
                chosen[self.task.grid.inside(rule.box)] = rule.action
        return chosen

    def worth(self, chosen: Integers) -> float:
        """Return the sum of payoffs of some actions."""
        return float(self.task.payoff[np.arange(len(chosen)), chosen].sum())

    def grow(self) -> bool:
        """Put the rule that gains most in front; tell whether any gains."""
        free = np.ones(len(self.task.payoff), np.bool_)
        rule, gain = self._best_rule(self.actions(), free, None)
        if gain <= 0.0:
            return False
        self.rules.insert(0, rule)
        return True

    def refit(self) -> None:
        """Fit each rule anew, given the others, until nothing gains; drop useless ones."""
        for _ in range(PASSES):
            before = self.worth(self.actions())
            for place in range(len(self.rules)):
                self._refit_rule(place)
            self._refit_default()
            self.prune(0.0)
            if self.worth(self.actions()) <= before:
                return

    def prune(self, spare: float) -> None:
        """Drop rules, the least useful first, as long as that costs no more than there is."""
        least = self.worth(self.actions()) - spare
        while self.rules:
            without = [self.worth(self.actions(skip=place)) for place in range(len(self.rules))]
            place = int(np.argmax(without))
            if without[place] < least:
                return
            del self.rules[place]

    def _refit_rule(self, place: int) -> None:
        free = np.ones(len(self.task.payoff), np.bool_)
        for rule in self.rules[:place]:
            free &= ~self.task.grid.inside(rule.box)
        current = self.rules[place]
        later = self.actions(first=place + 1)
        gains = np.where(free, self._gains(later, current.action), 0.0)
        kept = float(gains[self.task.grid.inside(current.box)].sum())
        rule, gain = self._best_rule(later, free, current)
        if gain > kept:
            self.rules[place] = rule

    def _refit_default(self) -> None:
        reached = np.ones(len(self.task.payoff), np.bool_)
        for rule in self.rules:
            reached &= ~self.task.grid.inside(rule.box)
        if reached.any():
            self.default = int(self.task.payoff[reached].sum(axis=0).argmax())

    def _gains(self, chosen: Integers, action: int) -> Vector:
        """Return what another action gains over those chosen."""
        payoff = self.task.payoff
        gains: Vector = payoff[:, action] - payoff[np.arange(len(chosen)), chosen]
        return gains

    def _best_rule(
        self, chosen: Integers, free: NDArray[np.bool_], current: ListRule | None
    ) -> tuple[ListRule, float]:
        """Return the rule that gains most over the actions chosen where it is asked."""
        task, grid = self.task, self.task.grid
        slack = SLACK * len(chosen)
        best, best_gain = ListRule(grid.whole, 0), -np.inf
        for action in range(task.payoff.shape[1]):
            gains = np.where(free, self._gains(chosen, action), 0.0)
            if not (gains > 0.0).any():
                continue
            order = np.argsort(-(task.cover @ gains.astype(np.float32)), kind="stable")
            starts = [grid.whole, *(task.starts[k] for k in order[:STARTS])]
            if current is not None:
                starts.append(current.box)
            for start in starts:
                box, _ = grid.climb(start, gains)
                box, gain = grid.loosen(box, gains, slack)
                if gain > best_gain:
                    best, best_gain = ListRule(box, action), gain
        return best, best_gain
