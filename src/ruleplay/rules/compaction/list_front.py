"""The front of lists: for each length the best list found."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.compaction.box_search import Integers
from ruleplay.rules.compaction.list_draft import ListDraft


class Listing(NamedTuple):
    """A list and what it is worth to the task that it was learned from."""

    rules: tuple[Any, ...]
    default: Any  # what is answered if no rule applies
    worth: float

    def deciding(self, places: NDArray[np.int32]) -> Integers:
        """Return which rule decides about observations in these cells; past the last: none."""
        chosen = np.full(len(places), len(self.rules))
        for number, rule in reversed(list(enumerate(self.rules))):
            chosen[rule.box[places].all(axis=1)] = number
        return chosen


Front = dict[int, Listing]  # by the number of rules, in which worth grows


def find_front(draft: ListDraft[Any], most: int) -> Front:
    """Return the best list found of each length that is worth more than all shorter ones.

    A draft without rules grows rule by rule, and then shrinks again by the rule that is needed
    least.
    """
    found = Front()
    _note(draft, found)
    for _ in range(2 * most):
        if len(draft.rules) == most or not draft.grow():
            break
        draft.refit()
        _note(draft, found)
    while len(draft.rules) > 1:
        _shrink(draft, found)
    best = -np.inf
    front = Front()
    for length in sorted(found):
        if found[length].worth > best:
            front[length], best = found[length], found[length].worth
    return front


def longest(front: Front, most: int) -> Listing:
    """Return the longest list that has at most so many rules."""
    return front[max(length for length in front if length <= most)]


def _note(draft: ListDraft[Any], found: Front) -> None:
    listing = Listing(tuple(draft.rules), draft.default, draft.worth())
    known = found.get(len(draft.rules))
    if known is None or listing.worth > known.worth:
        found[len(draft.rules)] = listing


def _shrink(draft: ListDraft[Any], found: Front) -> None:
    """Let a draft be the best list known that has one rule less."""
    without = [draft.worth(skip=place) for place in range(len(draft.rules))]
    del draft.rules[int(np.argmax(without))]
    length = len(draft.rules)
    draft.refit()
    _note(draft, found)
    best = longest(found, length)
    draft.rules, draft.default = list(best.rules), best.default
