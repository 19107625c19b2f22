"""Learn an ordered list of rules that decides as the population does.

A new rule is looked for from the boxes of the population's own rules, moved and cut by
`box_search`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.compaction.box_search import Box, Flags, Grid, Vector
from ruleplay.rules.compaction.list_draft import ListDraft, Price

STARTS = 6  # boxes of the population from which each search climbs
MANY = 8  # actions: of more, only the most promising ones are tried
FEW_STARTS = 2  # of a rule that is fitted anew and keeps its action


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


class Draft(ListDraft[ListRule]):
    """A decision list in the making."""

    def __init__(self, task: Task) -> None:
        super().__init__(task.grid, task.price)
        self.task = task
        self.default = self.best_answer(np.ones(len(task.payoff), np.bool_))

    def pays(self, answer: int) -> Vector:
        """Return what an action is worth to each observation."""
        return self.task.payoff[:, answer]

    def answer_of(self, rule: ListRule) -> int:
        """Return the action of a rule."""
        return rule.action

    def best_answer(self, reached: Flags) -> int:
        """Return the action that pays most where the list is reached."""
        return int(self.task.payoff[reached].sum(axis=0).argmax())

    def best_rule(
        self, paid: Vector, free: Flags, current: ListRule | None
    ) -> tuple[ListRule, float]:
        """Return the rule that gains most over what is paid where it is asked, and its gain."""
        task, grid = self.task, self.task.grid
        best, best_action, best_gain = grid.whole, 0, -np.inf
        for action in self._promising(paid, free, current):
            gains = np.where(free, self.pays(action) - paid, 0.0)
            if not (gains > 0.0).any():
                continue
            for start in self._starts(gains, current):
                box, gain = grid.climb(start, gains, task.price.bound)
                if task.price.slack:
                    box, gain = grid.loosen(box, gains, task.price.slack)
                if gain > best_gain:
                    best, best_action, best_gain = box, action, gain
        if task.centred and best_gain > -np.inf:
            gains = np.where(free, self.pays(best_action) - paid, 0.0)
            best = grid.centre(best, gains)
        return ListRule(best, best_action, grid.inside(best)), best_gain

    def _promising(self, paid: Vector, free: Flags, current: ListRule | None) -> list[int]:
        """Return the actions to try: of many, those of which a start gains most."""
        payoff = self.task.payoff
        if self.task.quick and current is not None:
            return [current.action]
        if not self.task.quick or payoff.shape[1] <= MANY:
            return list(range(payoff.shape[1]))
        rows = np.flatnonzero(free)
        gains = payoff[rows] - paid[rows, np.newaxis]
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
