"""In which order, and how often, labelled rows are presented to a learner."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.errors import ConfigError

Vector = NDArray[np.float64]
Codes = NDArray[np.int64]

RIGHT_SHARE = 0.5  # of presentations that ask about the right class, with learn_from="both"


class Lesson(NamedTuple):
    """Distinct labelled rows of positive weight, in an order of their own."""

    rows: Vector  # (rows, features)
    answers: Codes  # the classes' codes
    weights: Vector


def make_lesson(rows: Vector, answers: Codes, weights: Vector) -> Lesson:
    """Merge equal labelled rows, whose weights add up, and drop those of no weight.

    What is left does not depend on the rows' order, nor on whether a row is there twice or
    has twice the weight: neither does what is learned.
    """
    there = weights > 0
    rows, answers, weights = rows[there], answers[there], weights[there]
    labelled = np.column_stack([rows, answers]) + 0.0  # one spelling of zero
    labelled[np.isnan(labelled)] = np.nan  # and of missing
    keys = labelled.view(np.dtype((np.void, labelled.itemsize * labelled.shape[1]))).ravel()
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return Lesson(rows[first], answers[first], np.asarray(np.bincount(number, weights), float))


def hold_out(lesson: Lesson, fraction: float, rng: np.random.Generator) -> tuple[Lesson, Lesson]:
    """Divide the rows of positive weight into those to learn from and those to test on."""
    there = lesson.weights > 0
    parts = train_test_split(
        *(part[there] for part in lesson),
        test_size=fraction,
        stratify=lesson.answers[there],
        random_state=int(rng.integers(2**31)),
    )
    return Lesson(*parts[::2]), Lesson(*parts[1::2])


def checked_weights(sample_weight: object, n_rows: int) -> Vector:
    """Return one weight per row, or refuse them."""
    if sample_weight is None:
        return np.ones(n_rows)
    try:
        weights = np.asarray(sample_weight, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ConfigError(f"sample_weight must hold numbers: {error}") from None
    if weights.shape != (n_rows,):
        raise ConfigError(f"sample_weight must have shape ({n_rows},), got {weights.shape}")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise ConfigError("sample_weight must be finite and not negative")
    if not weights.any():
        raise ConfigError("sample_weight must not be zero for all rows")
    return weights


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


class Presenter:
    """Presents a lesson's rows in rounds, each shuffled, each row as often as it weighs.

    A round has as many presentations as there are rows. A row of weight w comes up
    n w / sum(w) times a round, rounded down or up by chance; rows of equal weight once.
    """

    def __init__(
        self, lesson: Lesson, n_classes: int, learn_from: str, rng: np.random.Generator
    ) -> None:
        self._lesson = lesson
        self._n_classes = n_classes
        self._learn_from = learn_from
        self._rng = rng
        self._edges = np.cumsum(lesson.weights)
        self._dealt: Codes = np.empty(0, np.int64)

    def take(self, count: int) -> tuple[Vector, Codes, Vector]:
        """Return the next presentations: rows, the classes asked about, what they pay."""
        numbers = self.deal(count)
        answers = self._lesson.answers[numbers]
        classes = draw_classes(answers, self._n_classes, self._learn_from, self._rng)
        return self._lesson.rows[numbers], classes, RIGHT_REWARD * (classes == answers)

    def deal(self, count: int) -> Codes:
        """Return the numbers of the next rows to present."""
        missing = count - len(self._dealt)
        if missing > 0:
            rounds = -(-missing // len(self._edges))
            self._dealt = np.concatenate([self._dealt, self._deal_rounds(rounds)])
        taken, self._dealt = self._dealt[:count], self._dealt[count:]
        return taken

    def _deal_rounds(self, rounds: int) -> Codes:
        """Draw whole rounds: evenly spaced points on the line of weights, shuffled."""
        n_rows = len(self._edges)
        points = self._rng.random((rounds, 1)) + np.arange(n_rows)
        hit = np.searchsorted(self._edges, points * (self._edges[-1] / n_rows), side="right")
        return self._rng.permuted(np.minimum(hit, n_rows - 1), axis=1).ravel()
