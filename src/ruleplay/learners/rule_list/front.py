"""The lists among which a reader may choose: accuracy against the number of rules."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ruleplay.learners.common.list_front import ListFront
from ruleplay.output.harmless import visible
from ruleplay.rules import RuleSet

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RuleList:
    """An ordered list, what it did with the training rows, and how well such lists do elsewhere.

    `class_counts` has a row per rule, the default class last: how many training rows of each
    class it decides; `class_weights` are the sums of their weights. `held_out_accuracy` is that
    of lists of at most so many rules which were learned without the rows that they were tested
    with; where all rows give no longer list, larger limits count as well, the best of them.
    """

    ruleset: RuleSet
    class_counts: NDArray[np.int64]  # (rules + 1, classes)
    class_weights: Vector
    train_accuracy: float
    held_out_accuracy: float

    @property
    def n_rules(self) -> int:
        """Return the number of rules, not counting the default class."""
        return len(self.ruleset)

    @property
    def training(self) -> float:
        """Return the accuracy on the training rows."""
        return self.train_accuracy

    @property
    def held_out(self) -> float:
        """Return the accuracy on rows held out."""
        return self.held_out_accuracy

    @property
    def covers(self) -> NDArray[np.int64]:
        """Return how many training rows each rule decides, the default class last."""
        counts: NDArray[np.int64] = self.class_counts.sum(axis=1)
        return counts

    @property
    def right(self) -> NDArray[np.int64]:
        """Return how many of these it decides rightly."""
        answers = [*self.ruleset.action, self.ruleset.default_action]
        return self.class_counts[np.arange(len(answers)), answers]

    @property
    def counts(self) -> list[tuple[int, int]]:
        """Return how many training rows each rule decides, and how many of these rightly."""
        return list(zip(self.covers.tolist(), self.right.tolist(), strict=True))

    def shares(self) -> Vector:
        """Return how probable each class is where each rule decides, one row of each added."""
        weights = self.class_weights + 1.0
        shares: Vector = weights / weights.sum(axis=1, keepdims=True)
        return shares

    def text(self) -> str:
        """Return the rules as sentences with the training rows that each decides."""
        rules = self.ruleset
        sentences = [f"IF {record['if']} THEN {record['then']}" for record in rules.records()]
        default = rules.outcome_names[rules.default_action]
        starts = [f"ELSE {line}" if k else line for k, line in enumerate(sentences)]
        lines = [*starts, f"{'ELSE' if starts else 'ALWAYS'} {default}"]
        counts = zip(lines, self.counts, strict=True)
        return "\n".join(f"{visible(line)}  ({evidence(*count)})" for line, count in counts)


def evidence(rows: int, right: int) -> str:
    """Say how many training rows a rule decides, and how many of them rightly.

    >>> evidence(120, 113)
    '113 of 120 rows right'
    """
    if rows == 0:
        return "no row left to decide"
    return f"{right} of {rows} row{'' if rows == 1 else 's'} right"


class RuleListFront(ListFront[RuleList]):
    """Lists from the shortest to the longest with their accuracies."""

    measure, number, legend = "accuracy", ".3f", "lower right"
