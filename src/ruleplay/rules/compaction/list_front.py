"""The front of lists: for each length the best list found, and how well such lists do elsewhere."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.compaction.box_search import Integers, Vector
from ruleplay.rules.compaction.decision_list import Draft, ListRule, Task

FOLDS = 5


class Listing(NamedTuple):
    """A list and what it is worth to the task that it was learned from."""

    rules: tuple[ListRule, ...]
    default: int
    worth: float

    def actions(self, places: NDArray[np.int32]) -> Integers:
        """Return what the list decides about observations in these cells."""
        chosen = np.full(len(places), self.default)
        for rule in reversed(self.rules):
            chosen[rule.box[places].all(axis=1)] = rule.action
        return chosen


Front = dict[int, Listing]  # by the number of rules, in which worth grows


def find_front(task: Task, most: int) -> Front:
    """Return the best list found of each length that is worth more than all shorter ones.

    A list grows rule by rule, and then shrinks again by the rule that is needed least.
    """
    draft, found = Draft(task), Front()
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


def held_out_hits(task: Task, labels: Integers, most: int, rng: np.random.Generator) -> Vector:
    """Tell of each observation whether lists of each length are right, (observations, lengths).

    A list is learned from the other folds; where none has a length, the next shorter one counts.
    """
    hits = np.zeros((len(labels), most + 1))
    fold = _folds(labels, rng)
    for number in range(FOLDS):
        held_out = fold == number
        if held_out.all() or not held_out.any():
            continue
        front = find_front(task.take(~held_out), most)
        places, right = task.grid.places[held_out], labels[held_out]
        for length in range(most + 1):
            told = longest(front, length).actions(places)
            hits[held_out, length] = told == right
    return hits


def longest(front: Front, most: int) -> Listing:
    """Return the longest list that has at most so many rules."""
    return front[max(length for length in front if length <= most)]


def _note(draft: Draft, found: Front) -> None:
    listing = Listing(tuple(draft.rules), draft.default, draft.worth())
    known = found.get(len(draft.rules))
    if known is None or listing.worth > known.worth:
        found[len(draft.rules)] = listing


def _shrink(draft: Draft, found: Front) -> None:
    """Let a draft be the best list known that has one rule less."""
    without = [draft.worth(skip=place) for place in range(len(draft.rules))]
    del draft.rules[int(np.argmax(without))]
    length = len(draft.rules)
    draft.refit()
    _note(draft, found)
    best = longest(found, length)
    draft.rules, draft.default = list(best.rules), best.default


def _folds(labels: Integers, rng: np.random.Generator) -> Integers:
    """Return a fold for each observation, every class spread evenly over all."""
    order = np.lexsort([rng.random(len(labels)), labels])
    folds = np.empty(len(labels), np.int64)
    folds[order] = np.arange(len(labels)) % FOLDS
    return folds
