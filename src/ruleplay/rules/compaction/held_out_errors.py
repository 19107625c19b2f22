"""How far lists of each length are off on observations that they were not learned from."""

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.compaction.box_search import Vector
from ruleplay.rules.compaction.held_out import shares_of_folds
from ruleplay.rules.compaction.list_front import Listing, find_front, longest
from ruleplay.rules.compaction.quantity_list import QuantityDraft, QuantityTask


def held_out_errors(task: QuantityTask, most: int, rng: np.random.Generator) -> Vector:
    """Return the mean squared error of lists of each length on rows held out, (lengths,).

    Lists are learned from the other folds; where none has a length, the next shorter one counts.
    An observation of weight 2 is two rows, of which one may be held out without the other.
    """
    answers, weights, sums = task.answers, task.weights, np.zeros(most + 1)
    for held_out in shares_of_folds(answers, weights, rng):
        left = weights - held_out
        if not held_out.any() or not left.any():
            continue
        others = task.take(left > 0.0, left, float(left.sum() / weights.sum()))
        front, tested = find_front(QuantityDraft(others), most), held_out > 0.0
        places, states = task.grid.places[tested], task.states[tested]
        for length in range(most + 1):
            said = estimates_of(longest(front, length), task, places, states)
            sums[length] += held_out[tested] @ (said - answers[tested]) ** 2
    return sums / float(weights.sum())


def estimates_of(
    listing: Listing, task: QuantityTask, places: NDArray[np.int32], states: Vector
) -> Vector:
    """Return what a list says about observations in these cells."""
    rules = [*(rule.model for rule in listing.rules), listing.default]
    models = np.array([model.weights for model in rules])[listing.deciding(places)]
    said: Vector = np.clip(models[:, 0] + (states * models[:, 1:]).sum(axis=1), *task.ends)
    return said
