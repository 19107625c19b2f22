"""How well lists of each length do on observations that they were not learned from."""

import numpy as np

from ruleplay.rules.compaction.box_search import Integers, Vector
from ruleplay.rules.compaction.decision_list import Task
from ruleplay.rules.compaction.list_front import find_front, longest
from ruleplay.rules.compaction.trimming import trim

FOLDS = 5


def held_out_hits(
    task: Task, paid: Vector, price: float, most: int, rng: np.random.Generator
) -> Vector:
    """Tell of each observation whether lists of each length are right, (observations, lengths).

    `paid` is what each action earns, (observations, actions): the one that earns most is right. A
    list is learned from the other folds and trimmed at this price; where none has a length, the
    next shorter one counts.
    """
    labels = paid.argmax(axis=1)
    hits = np.zeros((len(labels), most + 1))
    fold = _folds(labels, rng)
    for number in range(FOLDS):
        held_out = fold == number
        if held_out.all() or not held_out.any():
            continue
        others = task.take(~held_out)
        front = find_front(others, most)
        trimmed = {n: trim(one, others.grid, paid[~held_out], price) for n, one in front.items()}
        places, right = task.grid.places[held_out], labels[held_out]
        for length in range(most + 1):
            hits[held_out, length] = longest(trimmed, length).actions(places) == right
    return hits


def _folds(labels: Integers, rng: np.random.Generator) -> Integers:
    """Return a fold for each observation, every class spread evenly over all."""
    order = np.lexsort([rng.random(len(labels)), labels])
    folds = np.empty(len(labels), np.int64)
    folds[order] = np.arange(len(labels)) % FOLDS
    return folds
