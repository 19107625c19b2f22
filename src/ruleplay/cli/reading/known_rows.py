"""Rows that a page about a model shows: typical ones of its file, or some of a table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.common.tabular import TabularLearner
from ruleplay.learners.regressor import XCSRegressor
from ruleplay.report.rule_data import KnownRows

MOST = 300  # rows of a table that are drawn as points


def typical(model: XCSClassifier) -> KnownRows | None:
    """Return the typical rows that a model's file holds, one of each class."""
    table = getattr(model, "training_table_", None)
    if table is None or not table.examples:
        return None
    places = {str(label): place for place, label in enumerate(model.classes_)}
    known = [(places[label], values) for label, values in table.examples if label in places]
    rows = np.array([values for _, values in known], np.float64)
    rows = np.where(np.isnan(rows), [f.absent for f in model.ruleset_.features], rows)
    classes = np.array([place for place, _ in known])
    return KnownRows(np.clip(rows, *model.bounds_), classes, "typical rows, one of each class")


def with_rows(model: XCSClassifier, table: Any, labels: NDArray[Any], name: str) -> KnownRows:
    """Return the typical rows, then others of a table, drawn by lot; of known classes only."""
    places = {str(label): place for place, label in enumerate(model.classes_)}
    codes = np.array([places.get(str(label), -1) for label in labels], np.int64)
    some = _drawn(model, table, codes, codes >= 0, name)
    first = typical(model)
    if first is None:
        return some
    others = _not_among(first, some)
    rows = np.concatenate([first.rows, some.rows[others]])
    answers = np.concatenate([first.answers, some.answers[others]])
    return KnownRows(rows[:MOST], answers[:MOST], name)


def _not_among(first: KnownRows, some: KnownRows) -> NDArray[np.bool_]:
    """Tell which rows are left if each of the first ones is taken out once."""
    left = np.ones(len(some.rows), bool)
    for row, answer in zip(first.rows, first.answers, strict=True):
        same = np.isclose(some.rows, row, rtol=0.0, atol=0.0, equal_nan=True).all(axis=1)
        left[np.flatnonzero(left & same & (some.answers == answer))[:1]] = False
    return left


def with_quantities(
    model: XCSRegressor, table: Any, values: NDArray[np.float64], name: str
) -> KnownRows:
    """Return some rows of a table, drawn by lot, of which the quantity is known."""
    return _drawn(model, table, values, np.isfinite(values), name)


def _drawn(
    model: TabularLearner, table: Any, answers: NDArray[Any], known: NDArray[np.bool_], name: str
) -> KnownRows:
    random = np.random.default_rng(0)
    chosen = np.sort(random.permutation(np.flatnonzero(known))[:MOST])
    taken = table.iloc[chosen] if hasattr(table, "iloc") else table[chosen]
    return KnownRows(model.numbers(taken), answers[chosen], name)
