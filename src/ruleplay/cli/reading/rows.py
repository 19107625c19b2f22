"""Read a CSV file's rows as a saved classifier takes them."""

from typing import Any

import numpy as np
import pandas as pd

from ruleplay.cli.fitting.columns import Columns, number_style
from ruleplay.cli.fitting.reading import read_csv
from ruleplay.learners.classifier import XCSClassifier


def read_model_rows(model: XCSClassifier, path: str, separator: str) -> pd.DataFrame:
    """Return the columns that a model has learned from, categories as it knows them.

    Other columns do not matter; a category that is unknown, and text in a column of
    numbers, is missing.
    """
    table = read_csv(path, separator)
    names = model.ruleset_.feature_names
    columns = Columns()
    for k, name in enumerate(names):
        if k in model.categories_:
            columns.categories[name] = list(map(str, model.categories_[k]))
        elif name in table.columns:
            columns.numbers[name] = number_style(table[name].dropna()) or "plain"
        else:
            columns.numbers[name] = "plain"
    rows = columns.apply(table)[list(names)]
    for k, known in model.categories_.items():
        rows[names[k]] = _original(rows[names[k]], known)
    return rows if hasattr(model, "feature_names_in_") else rows.to_numpy(object)


def _original(column: pd.Series, known: np.ndarray[Any, Any]) -> pd.Series:
    """Return the categories that texts stand for: a model may know numbers or truth values."""
    values = {str(value): value for value in known}
    return column.astype(object).map(values)
