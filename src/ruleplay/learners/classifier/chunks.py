"""Present the rows of chunks, which are read anew in each pass over them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.presentation import draw_classes, pay
from ruleplay.learners.common.labelled_rows import Codes, LabelledRows, Vector
from ruleplay.learners.common.plan_checks import check_learns_alone

Chunk = tuple[Any, Any, Any]  # rows, labels, weights or None
Chunks = Iterable[Any] | Callable[[], Iterable[Any]]


def check_for_chunks(estimator: Any) -> None:
    """Refuse parameters that need all rows at a time."""
    check_learns_alone(estimator, "fit_chunks")
    for name in ("early_stopping", "warm_start"):
        if getattr(estimator, name):
            raise ConfigError(f"fit_chunks needs {name}=False, got True")


def read_chunks_once(chunks: Chunks) -> Iterator[Chunk]:
    """Yield all chunks that have rows."""
    for chunk in chunks() if callable(chunks) else _iterate(chunks):
        try:
            X, y, *weights = chunk
        except (TypeError, ValueError):
            weights = [None, None]
        if len(weights) > 1:
            raise ConfigError(
                f"a chunk must be (X, y) or (X, y, sample_weight), got {type(chunk).__name__}"
            )
        if len(y):
            yield X, y, weights[0] if weights else None


def _iterate(chunks: Iterable[Any]) -> Iterator[Any]:
    if not isinstance(chunks, Iterable) or isinstance(chunks, Iterator):
        raise ConfigError(
            "chunks must be a function that returns chunks, or a collection that can be gone "
            f"through several times, got {type(chunks).__name__}"
        )
    return iter(chunks)


class ChunkPresenter:
    """Presents the rows of one chunk after the other, each chunk shuffled, pass after pass.

    A row of weight w comes up n w / sum(w) times a pass, n rows and all weights being those of
    all chunks, rounded down or up by chance; rows of equal weight once.
    """

    def __init__(
        self,
        read: Callable[[], Iterator[LabelledRows]],
        n_rows: int,
        weight: float,
        n_classes: int,
        learn_from: str,
        rng: np.random.Generator,
    ) -> None:
        self._read = read
        self._n_rows, self._weight = n_rows, weight
        self._n_classes, self._learn_from, self._rng = n_classes, learn_from, rng
        self._chunks, self._rows_read = read(), 0
        self._chunk: LabelledRows | None = None
        self._drawn: Codes = np.empty(0, np.int64)

    def take(self, count: int) -> tuple[Vector, Codes, Vector]:
        """Return the next presentations: rows, the classes asked about, what they pay."""
        rows, answers = zip(*self._draw_rows(count), strict=True)
        right = np.concatenate(answers)
        classes = draw_classes(right, self._n_classes, self._learn_from, self._rng)
        return np.concatenate(rows), classes, pay(classes, right)

    def _draw_rows(self, count: int) -> Iterator[tuple[Vector, Codes]]:
        """Yield the next rows with their classes, in pieces that end with a chunk."""
        while count:
            while self._chunk is None or not len(self._drawn):
                self._open_chunk()
            places, self._drawn = self._drawn[:count], self._drawn[count:]
            yield self._chunk.rows[places], self._chunk.answers[places]
            count -= len(places)

    def _open_chunk(self) -> None:
        """Read the next chunk, after the last one the first, and shuffle its rows."""
        self._chunk = None  # before another one takes memory
        chunk = next(self._chunks, None)
        if chunk is None:
            self._check_pass()
            self._chunks, self._rows_read = self._read(), 0
            return
        self._chunk = chunk
        self._rows_read += len(chunk.rows)
        self._drawn = self._rng.permutation(self._draw_places(chunk.weights))

    def _draw_places(self, weights: Vector) -> Codes:
        """Return each row as often as it weighs: points at distance 1 on the line of weights."""
        edges = np.cumsum(weights) * (self._n_rows / self._weight)
        points = np.arange(self._rng.random(), edges[-1])
        return np.searchsorted(edges, points, side="right")

    def _check_pass(self) -> None:
        if self._rows_read != self._n_rows:
            raise ConfigError(
                f"chunks must have the same rows in each pass, got {self._n_rows} rows at first "
                f"and {self._rows_read} later"
            )
