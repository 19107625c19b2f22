"""A list of rules as a page shows it: conditions, what is decided, and the rows behind it."""

from collections.abc import Sequence
from typing import NamedTuple

from ruleplay.rules import RuleSet
from ruleplay.rules.drawing.colours import action_colours


class Item(NamedTuple):
    """A rule of a list, or (without conditions, at the end) what is decided otherwise."""

    phrases: list[str]
    name: str  # of the class or action
    colour: str
    rows: int | None = None  # that it decides; None if nobody has counted
    right: int = 0  # of these
    share: float = 0.0  # of these in all rows, in per cent

    @property
    def right_share(self) -> float:
        """Return how many of the rows that it decides are right, in per cent."""
        return 100 * self.right / self.rows if self.rows else 0.0


def list_items(rules: RuleSet, counts: Sequence[tuple[int, int]] | None = None) -> list[Item]:
    """Return the rules of a list, what is decided otherwise last.

    `counts` has how many rows each decides, and how many of these rightly.
    """
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
