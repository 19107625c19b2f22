"""Columns of categories: which they are, and the numbers that stand for their values."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.errors import ConfigError, UnknownCategoryWarning
from ruleplay.rules.spelling import ABSENT, places_by_spelling, spelling

Categories = dict[int, NDArray[Any]]  # the values of each categorical column, in order

FROM_DTYPE = "from_dtype"
SHOWN = 4  # categories that a warning names


def find_categories(X: Any, wanted: Any, *, name_absent: bool = True) -> Categories:
    """Return the categories of each categorical column, by its number.

    `wanted` is as the classifier's `categorical_features`. The categories of a column of
    dtype `category` are that dtype's, in its order; of others, the values, sorted. Missing values
    are a category, the last, if `name_absent` and if the categories have no order.
    """
    return {
        k: as_categories(absent_last(category_values(X, k), name_absent and has_gaps(X, k)), k)
        for k in chosen_columns(X, wanted)
    }


def nominal_sizes(X: Any, categories: Categories) -> dict[int, int]:
    """Return how many categories each column has whose categories have no order.

    Those of a frame's column of an ordered dtype `category` have one.
    """
    return {k: len(known) for k, known in categories.items() if not is_ordered(X, k)}


def is_ordered(X: Any, column: int) -> bool:
    """Tell whether the categories of a column have an order."""
    return isinstance(X, pd.DataFrame) and bool(getattr(X.dtypes.iloc[column], "ordered", False))


def has_gaps(X: Any, column: int) -> bool:
    """Tell whether values of a column without an order are missing."""
    if isinstance(X, pd.DataFrame):
        return not is_ordered(X, column) and bool(X.iloc[:, column].isna().any())
    return any(pd.isna(row[column]) for row in X)


def absent_last(values: list[Any], is_named: bool) -> list[Any]:
    """Return categories with that of missing values, if it is named or among them, at the end."""
    known = [value for value in values if value != ABSENT]
    return [*known, ABSENT] if known and (is_named or len(known) < len(values)) else values


def encode_categories(X: Any, categories: Categories) -> Any:
    """Return the table with the position of each value among its column's categories.

    A missing value or one that is no category becomes NaN, or the place of ABSENT if that is one;
    a column most of whose values are none gives a warning. Names of columns stay.
    """
    if not categories or not _is_table(X) or _width(X) <= max(categories):
        return X
    if isinstance(X, pd.DataFrame):
        table = X.copy(deep=False)
        for k, known in categories.items():
            table.isetitem(k, _codes(X.iloc[:, k], known, X.columns[k]))
        return table
    array = np.array(X, object)
    for k, known in categories.items():
        array[:, k] = _codes(array[:, k], known, k)
    return array


def category_bounds(low: Any, high: Any, categories: Categories) -> None:
    """Set the bounds of categorical columns, in place: the first code and the last."""
    for k, known in categories.items():
        low[k], high[k] = 0.0, max(len(known) - 1.0, 1.0)


def _is_table(X: Any) -> bool:
    """Tell whether there are columns to speak of; what is no table, others refuse."""
    if isinstance(X, pd.DataFrame):
        return True
    try:
        return isinstance(X, (list, tuple, np.ndarray)) and np.ndim(X) == 2
    except ValueError:  # rows of unequal length
        return False


def _width(X: Any) -> int:
    return len(X.columns) if isinstance(X, pd.DataFrame) else np.shape(X)[1]


def chosen_columns(X: Any, wanted: Any) -> list[int]:
    """Return the numbers of the categorical columns; what is no table has none."""
    if wanted is None or not _is_table(X):
        return []
    if isinstance(wanted, str) and wanted == FROM_DTYPE:
        dtypes = X.dtypes if isinstance(X, pd.DataFrame) else []
        return [k for k, dtype in enumerate(dtypes) if isinstance(dtype, pd.CategoricalDtype)]
    names = [str(name) for name in X.columns] if isinstance(X, pd.DataFrame) else []
    try:
        return _read_choice(np.asarray(wanted), _width(X), names)
    except (TypeError, ValueError):
        raise ConfigError(
            f"categorical_features must be None, {FROM_DTYPE!r}, a mask, or numbers or names "
            f"of the {_width(X)} columns, got {wanted!r}"
        ) from None


def _read_choice(choice: NDArray[Any], width: int, names: list[str]) -> list[int]:
    """Return the numbers of columns chosen by mask, number or name; ValueError if not so."""
    if choice.ndim != 1 or (choice.dtype == bool and len(choice) != width):
        raise ValueError(choice.shape)
    if choice.dtype == bool:
        return [int(k) for k in np.flatnonzero(choice)]
    if choice.dtype.kind in "iu" and ((choice >= 0) & (choice < width)).all():
        return sorted({int(k) for k in choice})
    return sorted({names.index(name) for name in choice.tolist()})


def category_values(X: Any, column: int) -> list[Any]:
    """Return the values of a categorical column in the order of its dtype, else sorted."""
    if not isinstance(X, pd.DataFrame):
        return sorted_values([row[column] for row in np.array(X, object)], column)
    values = X.iloc[:, column]
    if isinstance(values.dtype, pd.CategoricalDtype):
        known: list[Any] = values.cat.categories.tolist()
        return known
    return sorted_values(values.tolist(), column)


def as_categories(values: list[Any], column: int) -> NDArray[Any]:
    """Return the categories of a column, of which there must be one."""
    if not values:
        raise ConfigError(f"categorical column {column} must have at least one value")
    categories = np.empty(len(values), object)
    categories[:] = values
    return categories


def sorted_values(values: list[Any], column: int) -> list[Any]:
    """Return the different values of a column but missing ones, sorted."""
    try:
        found = {value for value in values if not pd.isna(value)}
        return absent_last(sorted(found - {ABSENT}), ABSENT in found)
    except (TypeError, ValueError):
        raise ConfigError(
            f"the values of categorical column {column} must all be text or all be numbers"
        ) from None


def _codes(values: Any, known: NDArray[Any], column: Any) -> NDArray[np.float64]:
    """Return the place of each value among the categories, whatever type it has been read as."""
    given = np.asarray(values, object)
    places = pd.Index(known, dtype=object).get_indexer(pd.Index(given, dtype=object))
    lost = np.flatnonzero(places < 0)
    if len(lost):
        lost = lost[~pd.isna(given[lost])]
        spelled = places_by_spelling(known.tolist())
        places[lost] = [spelled.get(spelling(value) or "", -1) for value in given[lost]]
        _warn_of_unknown(given, lost[places[lost] < 0], known, column)
    absent = [place for place, value in enumerate(known.tolist()) if value == ABSENT]
    return np.where(places >= 0, places, absent[0] if absent else np.nan)


def _warn_of_unknown(
    given: NDArray[Any], unknown: NDArray[np.intp], known: NDArray[Any], column: Any
) -> None:
    """Warn if most of a column's values are no categories: it may be another column."""
    present = int((~pd.isna(given)).sum())
    if 2 * len(unknown) > present:
        first = ", ".join(repr(value) for value in known[:SHOWN].tolist())
        more = ", ..." if len(known) > SHOWN else ""
        warnings.warn(
            f"column {column!r}: {len(unknown)} of {present} values are none of the categories "
            f"learned and count as missing, such as {given[unknown[0]]!r}; known are {first}{more}",
            UnknownCategoryWarning,
            stacklevel=2,
        )
