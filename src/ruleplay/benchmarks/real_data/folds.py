"""Divide a set into folds, and prepare the rows of one: what is unseen in training is missing."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold

from ruleplay.benchmarks.real_data.data import DataSet
from ruleplay.benchmarks.real_data.task import Labels

FOLDS, FOLDS_OF_QUANTITIES = 5, 10


class Fold(NamedTuple):
    """Rows to learn from and rows to be tested with, classes numbered as in `classes`.

    Where quantities are predicted there are no classes, and `spread` is the standard deviation of
    the targets of all rows.
    """

    train: pd.DataFrame
    test: pd.DataFrame
    train_labels: Labels
    test_labels: Labels
    classes: tuple[str, ...] = ()
    spread: float = float("nan")


def make_folds(data: DataSet, seed: int) -> list[Fold]:
    """Return the folds of a set, the rows shuffled by the seed: five, stratified, for classes."""
    if data.labels.dtype.kind == "f":
        return _folds_of_quantities(data, seed)
    names, codes = np.unique(data.labels, return_inverse=True)
    classes = tuple(map(str, names))
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(codes, codes)
    return [
        Fold(*as_seen(data.frame, train, test), codes[train], codes[test], classes)
        for train, test in splits
    ]


def _folds_of_quantities(data: DataSet, seed: int) -> list[Fold]:
    targets = np.asarray(data.labels, dtype=np.float64)
    splits = KFold(FOLDS_OF_QUANTITIES, shuffle=True, random_state=seed).split(targets)
    spread = float(targets.std())
    return [
        Fold(*as_seen(data.frame, train, test), targets[train], targets[test], spread=spread)
        for train, test in splits
    ]


def as_seen(
    frame: pd.DataFrame, train: Sequence[int], test: Sequence[int]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of a fold with the categories that the training rows have.

    A category that only test rows have is missing there; a column without any value in the
    training rows is left out.
    """
    known = frame.iloc[train].dropna(axis="columns", how="all")
    unknown = frame.iloc[test][known.columns].copy()
    for name in known.select_dtypes("category"):
        known[name] = known[name].cat.remove_unused_categories()
        unknown[name] = unknown[name].cat.set_categories(known[name].cat.categories)
    return known.reset_index(drop=True), unknown.reset_index(drop=True)
