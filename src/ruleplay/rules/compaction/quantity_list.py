"""Learn an ordered list of rules about a quantity: boxes with models of few terms.

A rule is found by turns: a model is fitted to what is in a box, and the box is moved to where this
model gains most over what the list says already, from boxes of the population and from halves
of the space.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ruleplay.rules.compaction.box_search import Box, Flags, Grid, Vector
from ruleplay.rules.compaction.list_draft import ListDraft, Price
from ruleplay.rules.compaction.sparse_models import Fitting, fit_model

STARTS = 6  # boxes from which the search for a new rule begins
TURNS = 6  # of a model and its box, at most


class Model(NamedTuple):
    """What a rule answers, and what that pays."""

    weights: Vector  # a constant, and one for each column
    pays: Vector  # (observations,)


class QuantityRule(NamedTuple):
    """IF the observation lies in the box THEN the model."""

    box: Box
    model: Model
    inside: Flags  # (observations,): which ones the box contains


class QuantityTask(NamedTuple):
    """What a list is learned from."""

    grid: Grid
    states: Vector  # (observations, columns): what models are fitted to
    answers: Vector  # (observations,): what they are to say
    weights: Vector
    ends: tuple[float, float]  # between which all that is said lies
    unit: float  # the squared error that costs 1/2
    starts: tuple[Box, ...]  # boxes to begin a search from
    price: Price
    fitting: Fitting

    def take(self, which: Flags, weights: Vector, share: float) -> "QuantityTask":
        """Return the task with some of the observations, which weigh this, and are a share."""
        return self._replace(
            grid=self.grid.take(which),
            states=self.states[which],
            answers=self.answers[which],
            weights=weights[which],
            price=Price(*(share * part for part in self.price)),
        )

    def said(self, weights: Vector, states: Vector) -> Vector:
        """Return what a model says about states."""
        said: Vector = np.clip(weights[0] + states @ weights[1:], *self.ends)
        return said

    def fit(self, which: Flags) -> Model:
        """Return the model of some observations."""
        weights = fit_model(
            self.states[which], self.answers[which], self.weights[which], self.fitting
        )
        errors = self.said(weights, self.states) - self.answers
        return Model(weights, -self.weights * errors**2 / (2.0 * self.unit))


class QuantityDraft(ListDraft[QuantityRule]):
    """A list of rules about a quantity in the making."""

    def __init__(self, task: QuantityTask) -> None:
        super().__init__(task.grid, task.price)
        self.task = task
        self.default = self.best_answer(np.ones(len(task.answers), np.bool_))
        self._known = [self._begin(box) for box in task.starts]

    def pays(self, answer: Model) -> Vector:
        """Return what a model is worth to each observation."""
        return answer.pays

    def answer_of(self, rule: QuantityRule) -> Model:
        """Return the model of a rule."""
        return rule.model

    def best_answer(self, reached: Flags) -> Model:
        """Return the model of what is reached."""
        return self.task.fit(reached)

    def best_rule(
        self, paid: Vector, free: Flags, current: QuantityRule | None
    ) -> tuple[QuantityRule, float]:
        """Return the rule that gains most over what is paid where it is asked, and its gain."""
        starts = self._starts(paid) if current is None else [current]
        whole = self.grid.whole
        best = current or QuantityRule(whole, self.default, self.grid.inside(whole))
        best_gain = -np.inf
        for start in starts:
            rule, gain = self._climb(start, paid, free)
            if gain > best_gain:
                best, best_gain = rule, gain
        return best, best_gain

    def _starts(self, paid: Vector) -> list[QuantityRule]:
        """Return the rules known beforehand that gain most as they are."""
        gains = [self._gain(rule, paid, rule.inside) for rule in self._known]
        order = np.argsort(-np.array(gains), kind="stable")
        return [self._known[k] for k in order[:STARTS]]

    def _begin(self, box: Box) -> QuantityRule:
        inside = self.grid.inside(box)
        return QuantityRule(box, self.task.fit(inside) if inside.any() else self.default, inside)

    def _climb(self, rule: QuantityRule, paid: Vector, free: Flags) -> tuple[QuantityRule, float]:
        """Move the box of a rule and fit its model by turns, as long as that gains."""
        best, best_gain = rule, self._gain(rule, paid, rule.inside & free)
        for _ in range(TURNS):
            gains = np.where(free, best.model.pays - paid, 0.0)
            box, _ = self.grid.climb(best.box, gains, self.price.bound)
            inside = self.grid.inside(box)
            if not (inside & free).any():
                break
            moved = QuantityRule(box, self.task.fit(inside & free), inside)
            gain = self._gain(moved, paid, inside & free)
            if gain <= best_gain:
                break
            best, best_gain = moved, gain
        return best, best_gain

    def _gain(self, rule: QuantityRule, paid: Vector, where: Flags) -> float:
        return float((rule.model.pays - paid)[where].sum()) - self.price_of(rule.box)


def halves(grid: Grid, cuts: Sequence[float] = (0.25, 0.5, 0.75)) -> list[Box]:
    """Return the boxes below and above some quantiles of each number."""
    boxes = []
    for k in np.flatnonzero(~grid.unordered).tolist():
        cells = slice(grid.edges[k], grid.edges[k + 1] - 1)
        n_cells = cells.stop - cells.start
        place = np.arange(n_cells)
        for cut in sorted({round(share * n_cells) for share in cuts} - {0, n_cells}):
            for side in (place < cut, place >= cut):
                box = grid.whole
                box[cells] = side
                boxes.append(box)
    return boxes
