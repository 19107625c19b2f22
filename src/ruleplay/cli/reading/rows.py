"""Read a CSV file's rows as a saved model takes them."""

from typing import Any

import numpy as np
import pandas as pd

from ruleplay.cli.fitting.detection import number_style
from ruleplay.cli.fitting.reading import read_csv
from ruleplay.errors import ConfigError
from ruleplay.learners.common.columns import Columns, as_numbers
from ruleplay.learners.common.tabular import TabularLearner
from ruleplay.rules.spelling import PLAIN


def read_model_rows(model: TabularLearner, path: str, separator: str) -> Any:
    """Return the columns that a model has learned from, categories as it knows them.

    Other columns do not matter; a category that is unknown, and text in a column of
    numbers, is missing.
    """
    return _features_in(model, path, read_csv(path, separator))


def read_labelled_rows(model: TabularLearner, path: str, separator: str) -> tuple[Any, Any]:
    """Return these columns, and the one that has the classes."""
    rows, answers = _rows_and_answers(model, path, separator)
    return rows, answers.astype(str).str.strip().to_numpy()


def read_rows_with_quantity(model: TabularLearner, path: str, separator: str) -> tuple[Any, Any]:
    """Return these columns, and the one that has the quantity; NaN where it is missing."""
    rows, answers = _rows_and_answers(model, path, separator)
    return rows, as_numbers(answers, model.training_table_.target_style).to_numpy(np.float64)


def _rows_and_answers(
    model: TabularLearner, path: str, separator: str
) -> tuple[Any, "pd.Series[Any]"]:
    table = read_csv(path, separator)
    known = getattr(model, "training_table_", None)
    if known is None:
        raise ConfigError("--data draws rows on the page of a model of `fit`, which this is not")
    if known.target not in table.columns:
        what = "quantity" if known.target_style else "classes"
        raise ConfigError(f"{path} has no column {known.target!r}, which has the {what}")
    return _features_in(model, path, table), table[known.target]


def _features_in(model: TabularLearner, path: str, table: pd.DataFrame) -> Any:
    columns = columns_of(model, table)
    for name in columns.lacking(table):
        raise ConfigError(f"{path} has no column {name!r}, which the model learns from")
    return as_rows(model, columns.read(table)[list(model.ruleset_.feature_names)])


def columns_of(model: TabularLearner, table: pd.DataFrame) -> Columns:
    """Return how a model's columns are read: as `fit` did, else as a table has them."""
    if hasattr(model, "training_table_"):
        return model.training_table_.columns
    columns = Columns()
    for k, name in enumerate(model.ruleset_.feature_names):
        if k in model.categories_:
            columns.categories[name] = list(map(str, model.categories_[k]))
        else:
            values = table[name].dropna() if name in table.columns else table.iloc[:0, 0]
            columns.numbers[name] = number_style(values) or PLAIN if len(values) else PLAIN
    return columns


def as_rows(model: TabularLearner, features: pd.DataFrame) -> Any:
    """Return features in the model's order without their names if it has learned none."""
    return features if hasattr(model, "feature_names_in_") else features.to_numpy(object)
