"""The front of lists: for each length the best list found, and how well such lists do elsewhere."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.compaction.box_search import Integers, Vector
from ruleplay.rules.compaction.decision_list import Draft, ListRule, Price, Task

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


def held_out_accuracy(
    task: Task, labels: Integers, weights: Vector, most: int, rng: np.random.Generator
) -> Vector:
    """Return how often lists of each length are right about rows held out, (lengths,).

    Lists are learned from the other folds; where none has a length, the next shorter one counts.
    An observation of weight 2 is two rows, of which one may be held out without the other.
    """
    right = np.zeros(most + 1)
    for held_out in _shares_of_folds(labels, weights, rng):
        if not held_out.any() or not (held_out < weights).any():
            continue
        front = find_front(_without(task, held_out, weights), most)
        tested = held_out > 0.0
        places, answers, heavy = task.grid.places[tested], labels[tested], held_out[tested]
        for length in range(most + 1):
            told = longest(front, length).actions(places)
            right[length] += heavy @ (told == answers)
    shares: Vector = right / weights.sum()
    return shares


def _without(task: Task, held_out: Vector, weights: Vector) -> Task:
    """Return a task without the weights that are held out; prices shrink with their sum."""
    left = weights - held_out
    some = task._replace(payoff=task.payoff * (left / weights)[:, np.newaxis])
    share = float(left.sum() / weights.sum())
    return some.take(left > 0.0)._replace(price=Price(*(share * part for part in task.price)))


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


def _shares_of_folds(labels: Integers, weights: Vector, rng: np.random.Generator) -> Vector:
    """Return the weight of each observation that each fold holds out, (folds, observations).

    Every class is spread evenly over all folds. Whole units of a weight go to one fold after the
    other, and what is left to the next.
    """
    order = np.lexsort([rng.random(len(labels)), labels])
    first = np.empty(len(labels), np.int64)
    first[order] = np.arange(len(labels)) % FOLDS
    rounds = np.floor(weights / FOLDS)
    rest = weights - FOLDS * rounds
    turn = (np.arange(FOLDS)[:, np.newaxis] - first) % FOLDS  # when it is each fold's turn
    shares: Vector = rounds + np.clip(rest - turn, 0.0, 1.0)
    return shares
