"""How the columns of a file of text are read: decided once, applied to other tables alike."""

import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ruleplay.rules.features import Feature
from ruleplay.rules.spelling import PLAIN, is_missing, plain_number

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class Columns:
    """What a table's columns are taken for."""

    numbers: dict[str, str] = field(default_factory=dict)  # column -> how numbers are written
    categories: dict[str, list[str]] = field(default_factory=dict)  # in order
    left_out: dict[str, str] = field(default_factory=dict)  # column -> why
    notes: list[str] = field(default_factory=list)

    @property
    def features(self) -> list[str]:
        """List the columns that are learned from."""
        return [*self.numbers, *self.categories]

    def lacking(self, table: "pd.DataFrame") -> list[str]:
        """List the features that a table has not got."""
        return [name for name in self.features if name not in table.columns]

    def read(self, table: "pd.DataFrame") -> "pd.DataFrame":
        """Return the features of a table; what is unknown or no number is missing.

        Columns of text are read as in the file; those that somebody has read as numbers or truth
        values stay so. A column that the table has not got is missing in each row.
        """
        import pandas as pd

        columns: dict[str, Any] = {}
        for name in self.features:
            if name not in table.columns:
                columns[name] = pd.Series(None, table.index, object)
            else:
                columns[name] = _without_missing(table[name])
        for name, style in self.numbers.items():
            columns[name] = as_numbers(columns[name], style)
        for name, known in self.categories.items():
            columns[name] = pd.Categorical.from_codes(_places(columns[name], known), known)
        return pd.DataFrame(columns, index=table.index)


def as_numbers(column: "pd.Series", style: str) -> "pd.Series":
    """Return text as finite numbers, and as missing what is none."""
    import pandas as pd

    if style != PLAIN:
        column = column.map(partial(_plain, style))
    numbers = pd.to_numeric(column, errors="coerce").astype("float64")
    return numbers.where(numbers.abs() < math.inf)


def _without_missing(column: "pd.Series") -> "pd.Series":
    """Return a column of text without what says that it is missing; others as they are."""
    import pandas as pd

    if pd.api.types.is_numeric_dtype(column.dtype):  # as truth values are
        return column
    return column.astype(object).map(_field)


def _field(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip()
    return None if is_missing(text) else text


def _places(column: "pd.Series", known: list[str]) -> list[int]:
    """Return the place of each value among categories, -1 for those that are none."""
    numbers = Feature.of_categories(str(column.name), known).numbers(column)
    return [-1 if math.isnan(number) else int(number) for number in numbers]


def _plain(style: str, value: Any) -> Any:
    return plain_number(value, style) if isinstance(value, str) else value
