"""The lists among which a reader may choose: accuracy against the number of rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ruleplay.errors import ConfigError
from ruleplay.output.harmless import visible
from ruleplay.rules import RuleSet

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RuleList:
    """An ordered list, what it did with the training rows, and how well such lists do elsewhere.

    `class_counts` has a row per rule, the default class last: how many training rows of each
    class it decides; `class_weights` are the sums of their weights. `held_out_accuracy` is that
    of lists of this length which were learned without the rows that they were tested with.
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


class RuleListFront(Sequence[RuleList]):
    """Lists from the shortest to the longest; print it as a table, or draw it."""

    def __init__(self, lists: Sequence[RuleList], chosen: int) -> None:
        """Keep the lists; `chosen` is the number of rules of the one in use."""
        self._lists, self.chosen = tuple(lists), chosen

    @overload
    def __getitem__(self, place: int) -> RuleList: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[RuleList, ...]: ...

    def __getitem__(self, place: int | slice) -> RuleList | tuple[RuleList, ...]:
        """Return the list at a place."""
        return self._lists[place]

    def __len__(self) -> int:
        return len(self._lists)

    def of_length(self, n_rules: int) -> RuleList:
        """Return the list with so many rules, or say which lengths there are."""
        for known in self._lists:
            if known.n_rules == n_rules:
                return known
        lengths = ", ".join(str(known.n_rules) for known in self._lists)
        raise ConfigError(f"the number of rules must be one of {lengths}, got {n_rules!r}")

    def __str__(self) -> str:
        lines = ["rules  training rows  held-out rows"]
        for known in self._lists:
            mark = "  <- chosen" if known.n_rules == self.chosen else ""
            lines.append(
                f"{known.n_rules:5d}  {known.train_accuracy:13.3f}  "
                f"{known.held_out_accuracy:13.3f}{mark}"
            )
        return "\n".join(lines)

    def records(self) -> list[dict[str, Any]]:
        """Return the number of rules and the accuracies of each list as plain values."""
        return [
            {
                "rules": known.n_rules,
                "training": known.train_accuracy,
                "held_out": known.held_out_accuracy,
            }
            for known in self._lists
        ]

    def draw(self, ax: Any = None) -> Any:
        """Draw accuracy against the number of rules with Matplotlib; return the axes."""
        if ax is None:
            ax = import_module("matplotlib.pyplot").subplots(figsize=(6.0, 4.0))[1]
        lengths = [known.n_rules for known in self._lists]
        curves = {
            "training rows": ([known.train_accuracy for known in self._lists], "--", "0.6"),
            "held-out rows": ([known.held_out_accuracy for known in self._lists], "-", "C0"),
        }
        for label, (heights, style, colour) in curves.items():
            ax.plot(lengths, heights, style, color=colour, marker="o", markersize=4, label=label)
        chosen = self.of_length(self.chosen)
        ax.plot(chosen.n_rules, chosen.held_out_accuracy, "o", color="C3", label="chosen")
        ax.set(xlabel="rules", ylabel="accuracy")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.legend(loc="lower right", frameon=False)
        return ax
