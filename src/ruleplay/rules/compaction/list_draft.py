"""An ordered list in the making, whatever its rules answer.

Rules are added one at a time at the front of the list, each where it gains most. After each
addition the rules are fitted anew, one by one, given the others, and those that have become useless
go.
"""

from abc import ABC, abstractmethod
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from ruleplay.rules.compaction.box_search import Box, Flags, Grid, Vector

PASSES = 4  # over the list after each addition


class Price(NamedTuple):
    """What a list must gain to be worth its length, in payoffs."""

    rule: float = 0.0  # a rule must gain more than this
    bound: float = 0.0  # and each of its bounds, and each category that must be named
    slack: float = 0.0  # what may be lost to open a bound afterwards


class Boxed(Protocol):
    """What every rule of a list has."""

    @property
    def box(self) -> Box:
        """Return the cells that the rule allows."""

    @property
    def inside(self) -> Flags:
        """Tell which observations the box contains, (observations,)."""


Rule = TypeVar("Rule", bound=Boxed)


class ListDraft(ABC, Generic[Rule]):
    """Grows, fits anew and prunes a list; a subclass knows what rules answer and what that pays."""

    default: Any  # what is answered if no rule applies

    def __init__(self, grid: Grid, price: Price) -> None:
        self.grid, self.price = grid, price
        self.rules: list[Rule] = []

    @abstractmethod
    def pays(self, answer: Any) -> Vector:
        """Return what an answer is worth to each observation, (observations,)."""

    @abstractmethod
    def answer_of(self, rule: Rule) -> Any:
        """Return what a rule answers."""

    @abstractmethod
    def best_rule(self, paid: Vector, free: Flags, current: Rule | None) -> tuple[Rule, float]:
        """Return the rule that gains most over what is paid where it is asked, and its gain."""

    @abstractmethod
    def best_answer(self, reached: Flags) -> Any:
        """Return what is best answered about some observations."""

    def paid(self, skip: int | None = None, first: int = 0) -> Vector:
        """Return what the list is paid, without one rule, or only from one on."""
        paid = self.pays(self.default).copy()
        for place in range(len(self.rules) - 1, first - 1, -1):
            if place != skip:
                rule = self.rules[place]
                paid[rule.inside] = self.pays(self.answer_of(rule))[rule.inside]
        return paid

    def worth(self, skip: int | None = None) -> float:
        """Return the sum of payoffs of what the list decides, less its price."""
        kept = [rule.box for place, rule in enumerate(self.rules) if place != skip]
        paid = float(self.paid(skip).sum())
        return paid - self.price.rule * len(kept) - sum(map(self.price_of, kept))

    def grow(self) -> bool:
        """Put the rule that gains most in front; tell whether any gains."""
        free = np.ones(len(self.grid.places), np.bool_)
        rule, gain = self.best_rule(self.paid(), free, None)
        if gain <= self.price.rule:
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

    def price_of(self, box: Box) -> float:
        """Return what the bounds of a box cost."""
        return self.price.bound * self.grid.n_bounds(box) if self.price.bound else 0.0

    def _refit_rule(self, place: int) -> None:
        free = self._left_by(self.rules[:place])
        current = self.rules[place]
        later = self.paid(first=place + 1)
        gains = np.where(free, self.pays(self.answer_of(current)) - later, 0.0)
        kept = float(gains[current.inside].sum()) - self.price_of(current.box)
        rule, gain = self.best_rule(later, free, current)
        if gain > kept:
            self.rules[place] = rule

    def _refit_default(self) -> None:
        reached = self._left_by(self.rules)
        if reached.any():
            self.default = self.best_answer(reached)

    def _left_by(self, rules: list[Rule]) -> Flags:
        """Tell which observations rules leave to later ones."""
        left = np.ones(len(self.grid.places), np.bool_)
        for rule in rules:
            left &= ~rule.inside
        return left
