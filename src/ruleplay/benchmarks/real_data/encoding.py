"""Encode frames for contenders that take numbers only: one column per category.

This file needs numpy and pandas only, as `task` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def one_hot(rows: pd.DataFrame) -> Floats:
    """Return numbers as they are and a column of 0 or 1 per category; all 0 where it is missing."""
    encoded: Floats = pd.get_dummies(rows, dtype=float).to_numpy(np.float64)
    return encoded


def one_hot_origins(rows: pd.DataFrame) -> list[int]:
    """Return which column each column of the encoded rows comes from, by its number."""
    numeric = [k for k, name in enumerate(rows) if not _is_nominal(rows[name])]
    return numeric + [
        k
        for k, name in enumerate(rows)
        if _is_nominal(rows[name])
        for _ in rows[name].cat.categories
    ]


class Scaling(NamedTuple):
    """Bring encoded rows to [0, 1] by the training rows; what is missing becomes their median."""

    low: Floats
    high: Floats
    median: Floats

    @classmethod
    def of(cls, encoded: Floats) -> Scaling:
        """Return the scaling that training rows ask for."""
        low, high = np.nanmin(encoded, axis=0), np.nanmax(encoded, axis=0)
        return cls(low, np.where(high > low, high, low + 1.0), np.nanmedian(encoded, axis=0))

    def apply(self, encoded: Floats) -> Floats:
        """Return rows within [0, 1]."""
        filled = np.where(np.isnan(encoded), self.median, encoded)
        scaled = np.clip((filled - self.low) / (self.high - self.low), 0.0, 1.0)
        return np.ascontiguousarray(scaled)


def tree_conditions(
    root: Any,
    split: Callable[[Any], int | None],
    children: Callable[[Any], Iterable[Any]],
    origins: Sequence[int],
) -> int:
    """Count conditions of a tree: the features named on the way to each leaf, over all leaves.

    `split` tells the encoded column that a node looks at, None for a leaf.
    """
    total, open_nodes = 0, [(root, frozenset[int]())]
    while open_nodes:
        node, named = open_nodes.pop()
        column = split(node)
        if column is None:
            total += len(named)
        else:
            further = named | {origins[column]}
            open_nodes += [(child, further) for child in children(node)]
    return total


def _is_nominal(column: pd.Series[Any]) -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype)
