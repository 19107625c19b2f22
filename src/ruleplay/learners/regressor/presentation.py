"""In which order rows are presented to a learner of quantities, and how good it is on them."""

import numpy as np
from numpy.typing import NDArray

from ruleplay.learners.common.labelled_rows import Codes, LabelledRows, Rounds

Vector = NDArray[np.float64]


class Presenter:
    """Presents rows in rounds, and asks about one of the targets each time."""

    def __init__(self, labelled: LabelledRows, rng: np.random.Generator) -> None:
        self._labelled, self._rng = labelled, rng
        self._rounds = Rounds(labelled.weights, rng)

    def take(self, count: int) -> tuple[Vector, Codes, Vector]:
        """Return the next presentations: rows, the targets asked about, what they pay."""
        numbers = self._rounds.draw_rows(count)
        n_targets = self._labelled.answers.shape[1]
        asked = np.zeros(count, np.int64)
        if n_targets > 1:
            asked = self._rng.integers(0, n_targets, count)
        return self._labelled.rows[numbers], asked, self._labelled.answers[numbers, asked]


def explained_share(predicted: Vector, test: LabelledRows) -> float:
    """Return R², the mean over targets; of one that does not vary, 1 if it is met, else 0.

    >>> rows = LabelledRows(np.zeros((2, 1)), np.array([[0.0], [2.0]]), np.ones(2))
    >>> explained_share(np.array([[0.0], [1.0]]), rows)
    0.5
    """
    mean = np.average(test.answers, axis=0, weights=test.weights)
    total = test.weights @ (test.answers - mean) ** 2
    left = test.weights @ (test.answers - predicted) ** 2
    shares = np.where(left == 0.0, 1.0, 0.0)
    np.divide(total - left, total, out=shares, where=total > 0.0)
    return float(shares.mean())
