"""In which order, and how often, labelled rows are presented to a learner."""

import numpy as np

from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.learners.common.labelled_rows import Codes, LabelledRows, Rounds, Vector

RIGHT_SHARE = 0.5  # of presentations that ask about the right class, with learn_from="both"


def draw_classes(
    answers: Codes, n_classes: int, learn_from: str, rng: np.random.Generator
) -> Codes:
    """Draw the class that each presentation asks about.

    "random": any class alike, as an agent that explores. "both": the right class in half
    of the presentations, any wrong one in the others. For two classes that is the same.
    """
    if learn_from == "random" or n_classes == 1:
        return rng.integers(0, n_classes, len(answers))
    wrong = (answers + rng.integers(1, n_classes, len(answers))) % n_classes
    return np.where(rng.random(len(answers)) < RIGHT_SHARE, answers, wrong)


def pay(classes: Codes, answers: Codes) -> Vector:
    """Return what is paid for asking about classes of rows that are of the classes `answers`."""
    paid: Vector = RIGHT_REWARD * (classes == answers)
    return paid


class Presenter:
    """Presents labelled rows in rounds, and asks about one class each time."""

    def __init__(
        self, labelled: LabelledRows, n_classes: int, learn_from: str, rng: np.random.Generator
    ) -> None:
        self._labelled = labelled
        self._n_classes = n_classes
        self._learn_from = learn_from
        self._rng = rng
        self._rounds = Rounds(labelled.weights, rng)

    def take(self, count: int) -> tuple[Vector, Codes, Vector]:
        """Return the next presentations: rows, the classes asked about, what they pay."""
        numbers = self._rounds.draw_rows(count)
        answers = self._labelled.answers[numbers]
        classes = draw_classes(answers, self._n_classes, self._learn_from, self._rng)
        return self._labelled.rows[numbers], classes, pay(classes, answers)
