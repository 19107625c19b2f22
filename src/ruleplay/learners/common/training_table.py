"""The table that a model was learned from: how its columns were read, and a summary of its rows."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError
from ruleplay.learners.common.columns import Columns
from ruleplay.learners.common.model_notes import typed
from ruleplay.learners.common.typical_rows import TypicalRow, typical_rows
from ruleplay.rules.spelling import ABSENT, STYLES

QUARTILES = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST_ROWS = 2**62


class ColumnSummary(NamedTuple):
    """What the values of a column were: the quartiles of numbers, or how often each category."""

    missing: int
    quartiles: tuple[float, ...] = ()  # the smallest value first, the largest last
    counts: tuple[int, ...] = ()

    @classmethod
    def of(cls, column: "pd.Series[Any]") -> "ColumnSummary":
        """Sum up a column of numbers or categories."""
        missing = int(column.isna().sum())
        if isinstance(column.dtype, pd.CategoricalDtype):
            counts = column.cat.codes.value_counts()
            known = range(len(column.cat.categories))
            return cls(missing, counts=tuple(int(counts.get(k, 0)) for k in known))
        return cls(missing, tuple(column.quantile(list(QUARTILES)).tolist()))


@dataclass(frozen=True)
class TrainingTable:
    """A file of which a model has learned.

    `columns` says how each column is read, and which were left out and why; `summaries` has what
    their values were, and `class_counts` how many rows each class had. `examples` are rows of the
    file: a typical one of each class.
    """

    name: str
    target: str
    columns: Columns
    n_rows: int
    class_counts: dict[str, int]
    summaries: dict[str, ColumnSummary]
    examples: tuple[TypicalRow, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        target: str,
        columns: Columns,
        rows: pd.DataFrame,
        labels: "pd.Series[str]",
    ) -> "TrainingTable":
        """Sum up rows that were read as the columns say, and their labels."""
        counts = labels.value_counts().sort_index()
        return cls(
            name,
            target,
            columns,
            len(rows),
            {str(label): int(count) for label, count in counts.items()},
            {title: ColumnSummary.of(rows[title]) for title in columns.features},
            typical_rows(rows[columns.features], labels),
        )

    def read(self, X: Any) -> Any:
        """Return the features of a frame of such a file as the model takes them.

        Columns are chosen by name, whatever else there is. What is no frame, or has not got all
        columns, stays as it is.
        """
        if not isinstance(X, pd.DataFrame) or self.columns.lacking(X):
            return X
        table = X[self.columns.features].copy(deep=False)
        changed = set(self.columns.changed_by_reading())
        changed |= {name for name in self.columns.numbers if not _is_numeric(table[name])}
        if changed:
            read = self.columns.part(sorted(changed)).read(table)
            for name in read.columns:
                table[name] = read[name]
        return table

    def notes(self) -> dict[str, Any]:
        """Return everything but the categories as plain values."""
        columns = self.columns
        return {
            "name": self.name,
            "target": self.target,
            "rows": self.n_rows,
            "classes": self.class_counts,
            "styles": columns.numbers,
            "left_out": [[name, why] for name, why in columns.left_out.items()],
            "remarks": columns.notes,
            "whole": columns.whole,
            "stand_ins": columns.stand_ins,
            "grouped": columns.grouped,
            "decisions": columns.decisions,
            "summaries": {name: list(known) for name, known in self.summaries.items()},
            "examples": [[label, list(values)] for label, values in self.examples],
        }


def _is_numeric(column: "pd.Series[Any]") -> bool:
    return bool(pd.api.types.is_numeric_dtype(column.dtype))


def read_table_notes(
    notes: Any, features: list[str], categories: dict[str, list[Any]]
) -> TrainingTable:
    """Return the table that `notes` describes, whose features and categories are known."""
    styles, given = typed(notes["styles"], dict), typed(notes["summaries"], dict)
    if not set(styles.values()) <= set(STYLES):
        raise ConfigError(f"styles must be among {', '.join(STYLES)}")
    columns = Columns(
        {name: styles[name] for name in features if name not in categories},
        {name: [str(v) for v in known if v != ABSENT] for name, known in categories.items()},
        {typed(name, str): typed(why, str) for name, why in typed(notes["left_out"], list)},
        [typed(line, str) for line in typed(notes["remarks"], list)],
        **_later_notes(notes),
    )
    if not (
        {*columns.whole, *columns.stand_ins} <= set(columns.numbers)
        and set(columns.grouped) <= set(columns.categories)
    ):
        raise ConfigError("whole numbers, stand-ins and groups must be of columns that have them")
    if columns.features != features or len(styles) != len(columns.numbers):
        raise ConfigError("styles must be those of the columns of numbers, which come first")
    if set(given) != set(features):
        raise ConfigError("summaries must be those of the features")
    counts = typed(notes["classes"], dict)
    return TrainingTable(
        typed(notes["name"], str),
        typed(notes["target"], str),
        columns,
        _count(notes["rows"]),
        {name: _count(count) for name, count in counts.items()},
        {name: _summary(given[name], len(columns.categories.get(name, ()))) for name in features},
        tuple(_example(notes, counts, columns) for notes in typed(notes.get("examples", []), list)),
    )


def _example(notes: Any, classes: dict[str, Any], columns: Columns) -> TypicalRow:
    """Return a class and a row of it."""
    label, values = typed(notes, list)
    sizes = [len(columns.categories.get(name, ())) for name in columns.features]
    if label not in classes or len(typed(values, list)) != len(sizes):
        raise ValueError("an example must have a class and a value for each feature")
    return label, tuple(map(_value, values, sizes))


def _value(value: Any, n_categories: int) -> float | None:
    """Return a number, or the place of a category; None if it is missing."""
    if value is None:
        return None
    number: float = typed(value, float)
    if not np.isfinite(number) or (n_categories and number not in range(n_categories)):
        raise ValueError("a value of an example must be finite, and a category's place")
    return number


def _later_notes(notes: Any) -> dict[str, Any]:
    """Return what files have not had from the beginning."""
    stand_ins = typed(notes.get("stand_ins", {}), dict)
    decisions = typed(notes.get("decisions", {}), dict)
    return {
        "whole": [typed(name, str) for name in typed(notes.get("whole", []), list)],
        "stand_ins": {name: typed(number, float) for name, number in stand_ins.items()},
        "grouped": [typed(name, str) for name in typed(notes.get("grouped", []), list)],
        "decisions": {name: typed(said, str) for name, said in decisions.items()},
    }


def _count(value: Any) -> int:
    return checked_integer("count", value, 0, MOST_ROWS)


def _summary(notes: Any, n_categories: int) -> ColumnSummary:
    missing, quartiles, counts = typed(notes, list)
    expected = (0, n_categories) if n_categories else (len(QUARTILES), 0)
    if (len(quartiles), len(counts)) != expected:
        raise ValueError("a summary must have quartiles, or a count for each category")
    numbers = np.array(quartiles, np.float64)
    if not np.isfinite(numbers).all() or (np.diff(numbers) < 0).any():
        raise ValueError("quartiles must be finite numbers in order")
    return ColumnSummary(
        _count(missing), tuple(numbers.tolist()), tuple(_count(count) for count in counts)
    )
