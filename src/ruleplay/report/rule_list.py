"""A list of rules as a page shows it: conditions, what is decided, and the rows behind it."""

from collections.abc import Sequence
from typing import NamedTuple

from ruleplay.rules import RuleSet
from ruleplay.rules.drawing.colours import action_colours


class Item(NamedTuple):
    """A rule of a list, or (without conditions, at the end) what is decided otherwise."""

    phrases: list[str]
    name: str  # of the class or action, or what is said of a quantity
    colour: str = ""  # none of a quantity
    rows: int | None = None  # that it decides; None if nobody has counted
    right: int | None = None  # of these; None of a quantity
    share: float = 0.0  # of these in all rows, in per cent

    @property
    def right_share(self) -> float:
        """Return how many of the rows that it decides are right, in per cent."""
        return 100 * self.right / self.rows if self.rows and self.right else 0.0


def list_items(rules: RuleSet, counts: Sequence[tuple[int, int]] | None = None) -> list[Item]:
    """Return the rules of a list, what is decided otherwise last.

    `counts` has how many rows each decides, and how many of these rightly. A list about a quantity
    knows that of itself, and its last rule is for all other rows.
    """
    if rules.regresses:
        return _quantity_items(rules)
    colours = action_colours(rules.outcome_names)
    phrases = [rules.phrases(place) or ["anything"] for place in range(len(rules))]
    answers = [*rules.action.tolist(), rules.default_action]
    items = [
        Item(words, rules.outcome_names[answer], colours[answer])
        for words, answer in zip([*phrases, []], answers, strict=True)
    ]
    if counts is None:
        return items
    total = max(sum(rows for rows, _ in counts), 1)
    return [
        item._replace(rows=rows, right=right, share=100 * rows / total)
        for item, (rows, right) in zip(items, counts, strict=True)
    ]


def _quantity_items(rules: RuleSet) -> list[Item]:
    total = max(int(rules.experience.sum()), 1)
    return [
        Item(rules.phrases(k), rules.speaks_for(k), rows=rows, share=100 * rows / total)
        for k, rows in enumerate(rules.experience.tolist())
    ]
