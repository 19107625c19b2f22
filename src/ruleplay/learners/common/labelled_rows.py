"""Rows to learn from: with answers and weights, without repetition, in rounds."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from ruleplay.errors import ConfigError

Vector = NDArray[np.float64]
Codes = NDArray[np.int64]


class LabelledRows(NamedTuple):
    """Rows with their answers and weights."""

    rows: Vector  # (rows, features)
    answers: Any  # the classes' codes, (rows,), or quantities, (rows, targets)
    weights: Vector

    def take(self, which: Any) -> "LabelledRows":
        """Return some of the rows: a mask, places or a slice say which."""
        return LabelledRows(self.rows[which], self.answers[which], self.weights[which])


def merge_equal_rows(labelled: LabelledRows) -> LabelledRows:
    """Return the labelled rows without repetition, as `find_equal_rows`."""
    return find_equal_rows(labelled)[0]


def find_equal_rows(labelled: LabelledRows) -> tuple[LabelledRows, Codes]:
    """Merge equal labelled rows, whose weights add up, and drop those of no weight.

    Return what is left, and where each given row is in it, -1 for those dropped. What is left
    does not depend on the rows' order, nor on whether a row is there twice or has twice the
    weight: neither does what is learned.
    """
    kept = labelled.weights > 0
    rows, answers, weights = labelled.take(kept)
    table = np.column_stack([rows, answers]) + 0.0  # one spelling of zero
    table[np.isnan(table)] = np.nan  # and of missing
    keys = table.view(np.dtype((np.void, table.itemsize * table.shape[1]))).ravel()
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    sums = np.asarray(np.bincount(number, weights), float)
    places = np.full(len(kept), -1)
    places[kept] = number
    return LabelledRows(rows[first], answers[first], sums), places


def hold_out(
    labelled: LabelledRows, fraction: float, rng: np.random.Generator, *, by_class: bool
) -> tuple[LabelledRows, LabelledRows]:
    """Divide the rows of positive weight into those to learn from and those to test on."""
    there = labelled.take(labelled.weights > 0)
    parts = train_test_split(
        *there,
        test_size=fraction,
        stratify=there.answers if by_class else None,
        random_state=int(rng.integers(2**31)),
    )
    return LabelledRows(*parts[::2]), LabelledRows(*parts[1::2])


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


class Rounds:
    """Draws rows in rounds, each shuffled, each row as often as it weighs.

    A round has as many presentations as there are rows. A row of weight w comes up
    n w / sum(w) times a round, rounded down or up by chance; rows of equal weight once.
    """

    def __init__(self, weights: Vector, rng: np.random.Generator) -> None:
        self._rng = rng
        self._edges = np.cumsum(weights)
        self._drawn: Codes = np.empty(0, np.int64)

    def draw_rows(self, count: int) -> Codes:
        """Return the numbers of the next rows to present."""
        missing = count - len(self._drawn)
        if missing > 0:
            rounds = -(-missing // len(self._edges))
            self._drawn = np.concatenate([self._drawn, self._draw_rounds(rounds)])
        taken, self._drawn = self._drawn[:count], self._drawn[count:]
        return taken

    def _draw_rounds(self, rounds: int) -> Codes:
        """Draw whole rounds: evenly spaced points on the line of weights, shuffled."""
        n_rows = len(self._edges)
        points = self._rng.random((rounds, 1)) + np.arange(n_rows)
        hit = np.searchsorted(self._edges, points * (self._edges[-1] / n_rows), side="right")
        return self._rng.permuted(np.minimum(hit, n_rows - 1), axis=1).ravel()
