"""Divide a set into folds, and prepare the rows of one: what is unseen in training is missing."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from ruleplay.benchmarks.real_data.data import DataSet

FOLDS = 5

Integers = NDArray[np.int64]


class Fold(NamedTuple):
    """Rows to learn from and rows to be tested with, classes numbered as in `classes`."""

    train: pd.DataFrame
    test: pd.DataFrame
    train_labels: Integers
    test_labels: Integers
    classes: tuple[str, ...]


def make_folds(data: DataSet, seed: int) -> list[Fold]:
    """Return the five folds of a set, stratified, the rows shuffled by the seed."""
    names, codes = np.unique(data.labels, return_inverse=True)
    classes = tuple(map(str, names))
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(codes, codes)
    return [
        Fold(*as_seen(data.frame, train, test), codes[train], codes[test], classes)
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
