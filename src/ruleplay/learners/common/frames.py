"""Frames and series of polars, which need not be installed, as pandas and NumPy have them."""

import sys
from typing import Any

import numpy as np
import pandas as pd


def as_pandas(table: Any) -> Any:
    """Return a frame of polars as one of pandas, and anything else as it is.

    Columns of text and of dtype `Categorical` have categories, sorted; those of an `Enum` have
    its own; none of them is ordered. Other packages are not needed.
    """
    polars = sys.modules.get("polars")  # whoever has such a frame has imported it
    if polars is None or not isinstance(table, polars.DataFrame):
        return table
    columns = {name: _column(polars, table[name]) for name in table.columns}
    return pd.DataFrame(columns, columns=table.columns)


def as_labels(labels: Any) -> Any:
    """Return a series of polars as an array, and anything else as it is."""
    polars = sys.modules.get("polars")
    if polars is None or not isinstance(labels, polars.Series):
        return labels
    return np.array(labels.to_list())


def _column(polars: Any, values: Any) -> Any:
    """Return a column of numbers, of categories, or of what else there is."""
    dtype = values.dtype
    if dtype.is_numeric():
        return values.to_numpy()
    if dtype == polars.Boolean:
        return values.cast(polars.Float64).to_numpy()
    if dtype == polars.Enum:
        return pd.Categorical(values.to_list(), categories=dtype.categories.to_list())
    if dtype in (polars.Categorical, polars.String):
        return pd.Categorical(values.to_list())
    return pd.Series(values.to_list(), dtype=object)
