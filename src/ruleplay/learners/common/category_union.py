"""Categories of a table that is read in chunks, none of which need have all of them."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.errors import ConfigError
from ruleplay.learners.common.categories import (
    Categories,
    absent_last,
    as_categories,
    category_values,
    chosen_columns,
    has_gaps,
    sorted_values,
)
from ruleplay.rules.spelling import ABSENT

Vector = NDArray[np.float64]

MOST_CATEGORIES = 1000  # of a column: texts that differ in each row would fill the memory


class CategoryUnion:
    """Collects the categories of columns, chunk by chunk, in the order in which they are met."""

    def __init__(self, wanted: Any, *, names_absent: bool) -> None:
        self._wanted = wanted  # as the learner's `categorical_features`
        self._names_absent = names_absent  # whether missing values are a category
        self._met: dict[int, list[Any]] = {}
        self._first: dict[int, list[Any]] = {}  # as the first chunk has them ...
        self._changed: set[int] = set()  # ... and the columns that have others later
        self._ordered: set[int] = set()
        self._numbers: set[int] = set()  # columns that are not categorical, and have values

    def note(self, X: Any) -> None:
        """Take in the categories of a chunk."""
        chosen = chosen_columns(X, self._wanted)
        for k in chosen:
            self._note_column(k, category_values(X, k))
            if self._names_absent and has_gaps(X, k):
                self._meet(k, [ABSENT])
        if isinstance(X, pd.DataFrame):
            self._ordered |= {k for k in chosen if getattr(X.dtypes.iloc[k], "ordered", False)}
            others = (k for k in range(X.shape[1]) if k not in chosen)
            self._numbers |= {k for k in others if X.iloc[:, k].notna().any()}
            self._check(X)

    def _note_column(self, k: int, values: list[Any]) -> None:
        if values != self._first.setdefault(k, values):
            self._changed.add(k)
        self._meet(k, values)

    def _meet(self, k: int, values: list[Any]) -> None:
        met = self._met.setdefault(k, [])
        known = set(met)
        met.extend(value for value in values if value not in known)
        if len(met) > MOST_CATEGORIES:
            raise ConfigError(
                f"column {k} must have at most {MOST_CATEGORIES} categories, got {len(met)}, such "
                f"as {met[0]!r}: leave it out, or group them"
            )

    def _check(self, X: pd.DataFrame) -> None:
        """Refuse columns that mean different things in different chunks."""
        for k in sorted(self._numbers & self._met.keys()):
            raise ConfigError(
                f"column {X.columns[k]!r} must hold numbers in all chunks, or categories in all, "
                "got both"
            )
        for k in sorted(self._ordered & self._changed):
            raise ConfigError(
                f"column {X.columns[k]!r} must have the same ordered categories in all chunks, "
                f"got {self._first[k]} and others"
            )

    @property
    def met(self) -> Categories:
        """Return the categories in the order in which they were met, which later ones keep."""
        return {k: as_categories(values, k) for k, values in self._met.items() if values}

    @property
    def sorted(self) -> Categories:
        """Return the categories as a table of all rows has them.

        In the order of their dtype if that is the same in all chunks, else sorted.
        """
        return {k: as_categories(self._in_order(k), k) for k in self._met}

    @property
    def nominal_sizes(self) -> dict[int, int]:
        """Return how many categories each column has whose categories have no order."""
        return {k: len(met) for k, met in self._met.items() if k not in self._ordered}

    def _in_order(self, k: int) -> list[Any]:
        met = self._met[k]
        return sorted_values(met, k) if k in self._changed else absent_last(met, False)

    def sort_codes(self, rows: Vector) -> None:
        """Turn numbers of categories by `met` into those by `sorted`, in place."""
        for k, known in self.sorted.items():
            places = pd.Index(known, dtype=object).get_indexer(pd.Index(self.met[k], dtype=object))
            there = ~np.isnan(rows[:, k])
            rows[there, k] = places[rows[there, k].astype(np.int64)]
            if known[-1] == ABSENT:  # a chunk without any category did not know of it
                rows[~there, k] = len(known) - 1
