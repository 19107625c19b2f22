"""Find a typical row of each class: one of the table's own, which is near the middle of its class.

A reader who asks a model something begins there, and not at a row that nobody has seen.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Vector = NDArray[np.float64]
TypicalRow = tuple[str, tuple[float | None, ...]]  # a class, and values: None if missing

MISSING_COSTS = 2.0  # how far away a missing value is; a range is 1 wide


def typical_rows(table: pd.DataFrame, labels: "pd.Series[str]") -> tuple[TypicalRow, ...]:
    """Return the most typical row of each class, the most frequent class first.

    Values are numbers: of categories, their places.
    """
    numbers = np.column_stack([_numbers(table[name]) for name in table.columns])
    nominal = np.array([isinstance(kind, pd.CategoricalDtype) for kind in table.dtypes])
    answers = labels.to_numpy(str)
    names, counts = np.unique(answers, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return tuple(
        (str(names[k]), _plain(_nearest_to_middle(numbers[answers == names[k]], nominal)))
        for k in order
    )


def _numbers(column: "pd.Series[Any]") -> Vector:
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return np.asarray(column, np.float64)
    places = np.asarray(column.cat.codes, np.float64)
    return np.where(places < 0, np.nan, places)


def _nearest_to_middle(rows: Vector, nominal: NDArray[np.bool_]) -> Vector:
    """Return the row with most values near the median, or equal to the most frequent category."""
    distance = np.zeros(len(rows))
    for k, column in enumerate(rows.T):
        known = column[~np.isnan(column)]
        if not len(known):
            continue
        if nominal[k]:
            apart = (column != np.bincount(known.astype(np.int64)).argmax()).astype(np.float64)
        else:
            span = float(known.max() - known.min()) or 1.0
            apart = np.abs(column - np.median(known)) / span
        distance += np.where(np.isnan(column), MISSING_COSTS, apart)
    nearest: Vector = rows[distance.argmin()]
    return nearest


def _plain(row: Vector) -> tuple[float | None, ...]:
    return tuple(None if np.isnan(value) else float(value) for value in row)
