"""How well lists of each length do on observations that they were not learned from."""

import numpy as np

from ruleplay.rules.compaction.box_search import Integers, Vector
from ruleplay.rules.compaction.decision_list import Draft, Task
from ruleplay.rules.compaction.list_draft import Price
from ruleplay.rules.compaction.list_front import find_front, longest
from ruleplay.rules.compaction.trimming import trim

FOLDS = 5


def held_out_accuracy(
    task: Task, paid: Vector, price: float, most: int, rng: np.random.Generator
) -> Vector:
    """Return how often lists of each length are right about rows held out, (lengths,).

    `paid` has the weight of each observation at the action that is right, (observations, actions).
    Lists are learned from the other folds and trimmed at this price; where none has a length, the
    next shorter one counts. An observation of weight 2 is two rows, of which one may be held out
    without the other.
    """
    labels, weights = paid.argmax(axis=1), paid.sum(axis=1)
    right = np.zeros(most + 1)
    for held_out in shares_of_folds(labels, weights, rng):
        left = weights - held_out
        if not held_out.any() or not left.any():
            continue
        others, kept = _with_weights(task, left, weights), left > 0.0
        earned = paid[kept] * (left / weights)[kept, np.newaxis]
        found = find_front(Draft(others), most)
        front = {n: trim(one, others.grid, earned, price) for n, one in found.items()}
        tested = held_out > 0.0
        places, answers, heavy = task.grid.places[tested], labels[tested], held_out[tested]
        for length in range(most + 1):
            listing = longest(front, length)
            actions = np.array([*(rule.action for rule in listing.rules), listing.default])
            told = actions[listing.deciding(places)]
            right[length] += heavy @ (told == answers)
    shares: Vector = right / weights.sum()
    return shares


def _with_weights(task: Task, left: Vector, weights: Vector) -> Task:
    """Return a task with what is left of the weights; prices shrink with their sum."""
    some = task._replace(payoff=task.payoff * (left / weights)[:, np.newaxis])
    share = float(left.sum() / weights.sum())
    return some.take(left > 0.0)._replace(price=Price(*(share * part for part in task.price)))


def shares_of_folds(labels: Integers | Vector, weights: Vector, rng: np.random.Generator) -> Vector:
    """Return the weight of each observation that each fold holds out, (folds, observations).

    Every class, and large and small quantities, are spread evenly over all folds. Whole units of a
    weight go to one fold after the other, and what is left to the next.
    """
    order = np.lexsort([rng.random(len(labels)), labels])
    first = np.empty(len(labels), np.int64)
    first[order] = np.arange(len(labels)) % FOLDS
    rounds = np.floor(weights / FOLDS)
    rest = weights - FOLDS * rounds
    turn = (np.arange(FOLDS)[:, np.newaxis] - first) % FOLDS  # when it is each fold's turn
    shares: Vector = rounds + np.clip(rest - turn, 0.0, 1.0)
    return shares
