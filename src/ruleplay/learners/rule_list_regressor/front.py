"""The lists among which a reader may choose: error against the number of rules."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ruleplay.learners.common.list_front import ListFront
from ruleplay.rules import RuleSet, sentences
from ruleplay.rules.wording import in_figures


@dataclass(frozen=True, eq=False)
class QuantityList:
    """An ordered list, whose last rule is for all other rows, and how far it is off.

    `train_error` is the root of its mean squared error on the training rows, `held_out_error` that
    of lists of this length which were learned without the rows that they were tested with. Of each
    rule, the `error` of `ruleset` is the same on the training rows that it decides, and
    `experience` how many these are.
    """

    ruleset: RuleSet
    train_error: float
    held_out_error: float

    @property
    def n_rules(self) -> int:
        """Return the number of rules, not counting the last one."""
        return len(self.ruleset) - 1

    @property
    def training(self) -> float:
        """Return the error on the training rows."""
        return self.train_error

    @property
    def held_out(self) -> float:
        """Return the error on rows held out."""
        return self.held_out_error

    @property
    def counts(self) -> NDArray[np.int64]:
        """Return how many training rows each rule decides, the last one for all others."""
        return self.ruleset.experience

    def text(self) -> str:
        """Return the rules as sentences with the training rows that each decides."""
        return "\n".join(sentences(self.ruleset))


class QuantityListFront(ListFront[QuantityList]):
    """Lists from the shortest to the longest with their errors in the target's unit."""

    measure, number, legend = "root mean squared error", ".4g", "upper right"

    def written(self, value: float) -> str:
        """Return an error in four figures, however large the target is."""
        return in_figures(value, 4)
