"""What a first pass over chunks of rows finds: classes, bounds, categories, and a sample."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import compute_class_weight

from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.labels import class_numbers
from ruleplay.learners.common.category_union import CategoryUnion
from ruleplay.learners.common.labelled_rows import LabelledRows, Vector

FULL_CHUNK, FREQUENT = 500, 0.05  # so many rows nearly always have each class of this share
SAMPLED_ROWS = 100_000  # on which rules settle, and convergence is measured


class Survey:
    """Gathers what must be known of all rows before learning begins."""

    def __init__(self, categorical_features: Any, takes_gaps: bool, seed: int) -> None:
        self.categories = CategoryUnion(categorical_features, names_absent=takes_gaps)
        self.n_rows = 0
        self.classes: NDArray[Any] = np.empty(0)
        self._counts, self._weights = np.empty(0), np.empty(0)  # of each class
        self._full_chunks, self._chunks_with = 0, np.empty(0)  # chunks that should have each class
        self._span: Vector | None = None
        self._sample = RowSample(SAMPLED_ROWS, np.random.default_rng(seed))

    def note(self, rows: Vector, labels: NDArray[Any], weights: Vector) -> None:
        """Take in checked rows, whose categories are numbered in the order they were met."""
        self.n_rows += len(rows)
        there = rows[weights > 0]
        if self._span is not None:
            there = np.concatenate([self._span, there])
        self._span = span_of(there)
        self._note_classes(labels, weights)
        self._sample.offer(rows, labels, weights)

    def _note_classes(self, labels: NDArray[Any], weights: Vector) -> None:
        found, codes = np.unique(labels, return_inverse=True)
        if self.n_rows > len(labels) and is_text(found) != is_text(self.classes):
            raise ConfigError("y must hold text in all chunks, or numbers in all, got both")
        before = self.classes if self.n_rows > len(labels) else found[:0]
        classes = np.union1d(before, found)
        counts, sums, chunks = np.zeros((3, len(classes)))
        old, new = np.searchsorted(classes, before), np.searchsorted(classes, found)
        counts[old], sums[old], chunks[old] = self._counts, self._weights, self._chunks_with
        counts[new] += np.bincount(codes)
        sums[new] += np.bincount(codes, weights)
        if len(labels) >= FULL_CHUNK:
            self._full_chunks += 1
            chunks[new] += 1
        self.classes, self._counts, self._weights = classes, counts, sums
        self._chunks_with = chunks

    def warn_if_sorted(self) -> None:
        """Warn if a frequent class is not in all chunks, which chance does not bring about."""
        frequent = self._counts >= FREQUENT * self.n_rows
        lacking = np.flatnonzero(frequent & (self._chunks_with < self._full_chunks))
        if len(lacking):
            k = lacking[0]
            warnings.warn(
                f"{100 * self._counts[k] / self.n_rows:.0f} % of all rows are of class "
                f"{str(self.classes[k])!r}, but some chunks have none of them: rules forget a "
                "class that is not shown for long; bring the rows into random order",
                stacklevel=4,
            )

    @property
    def span(self) -> Vector:
        """Return three rows between which all others lie, as `span_of` does."""
        if self._span is None:
            raise ConfigError("chunks must have at least one row, got none")
        return self._span

    def class_factors(self, class_weight: Any) -> Vector:
        """Return by what the weights of each class's rows are multiplied."""
        if class_weight == "balanced":
            return self.n_rows / (len(self.classes) * self._counts)
        factors: Vector = compute_class_weight(class_weight, classes=self.classes, y=self.classes)
        return factors

    def class_weights(self, factors: Vector) -> Vector:
        """Return the sum of the weights of each class's rows."""
        return self._weights * factors

    def sample(self, factors: Vector) -> LabelledRows:
        """Return the sample, its categories numbered as in a table of all rows."""
        rows, labels, weights = self._sample.kept
        self.categories.sort_codes(rows)
        codes = class_numbers(labels, self.classes)
        return LabelledRows(rows, codes, weights * factors[codes])


def span_of(rows: Vector) -> Vector:
    """Return the smallest and the largest value of each feature, and one between if there is any.

    >>> span_of(np.array([[0.0, 3.0], [1.0, 2.0], [0.0, 1.0]]))
    array([[ 0.,  1.],
           [ 1.,  3.],
           [nan,  2.]])
    """
    least, most = np.fmin.reduce(rows), np.fmax.reduce(rows)
    between = np.where((rows > least) & (rows < most), rows, np.nan)
    return np.array([least, most, np.fmax.reduce(between)])


class RowSample:
    """Keeps some of all rows that are offered, each with the same chance.

    Each row gets a random key, and those with the smallest keys are kept: which they are does not
    depend on how the rows are divided into chunks.
    """

    def __init__(self, size: int, rng: np.random.Generator) -> None:
        self._size, self._rng = size, rng
        self._keys: Vector = np.empty(0)
        self._kept: tuple[NDArray[Any], ...] = ()

    def offer(self, *columns: NDArray[Any]) -> None:
        """Take in rows: arrays of the same length."""
        keys = self._rng.random(len(columns[0]))
        if len(self._keys) == self._size:
            few = keys < self._keys[-1]
            keys, columns = keys[few], tuple(column[few] for column in columns)
        if self._kept:
            keys = np.concatenate([self._keys, keys])
            columns = tuple(map(np.concatenate, zip(self._kept, columns, strict=True)))
        best = np.argsort(keys, kind="stable")[: self._size]
        self._keys, self._kept = keys[best], tuple(column[best] for column in columns)

    @property
    def kept(self) -> tuple[NDArray[Any], ...]:
        """Return the rows that are kept, as arrays of the same length."""
        return self._kept


def is_text(labels: NDArray[Any]) -> bool:
    """Tell whether labels are something else than numbers.

    >>> is_text(np.array(["a"])), is_text(np.array([True]))
    (True, False)
    """
    return labels.dtype.kind not in "biuf"
