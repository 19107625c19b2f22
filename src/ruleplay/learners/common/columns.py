"""How the columns of a file of text are read: decided once, applied to other tables alike."""

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

MISSING = {"", "na", "n/a", "#n/a", "nan", "null", "none", "?", "-", "--", "."}
PLAIN, DECIMAL_COMMA, THOUSANDS = "plain", "decimal comma", "thousands"
STYLES = (PLAIN, DECIMAL_COMMA, THOUSANDS)  # in which numbers are written

_LONGEST = max(map(len, MISSING))
_DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+")


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


def is_missing(text: str) -> bool:
    """Tell whether a field says that its value is missing.

    >>> is_missing("N/A"), is_missing("Nada")
    (True, False)
    """
    return len(text) <= _LONGEST and text.lower() in MISSING


def as_numbers(column: "pd.Series", style: str) -> "pd.Series":
    """Return text as finite numbers, and as missing what is none."""
    import pandas as pd

    if style == DECIMAL_COMMA:
        column = column.map(_with_point)
    elif style == THOUSANDS:
        column = column.map(_without_commas)
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
    from ruleplay.rules.features import Feature

    numbers = Feature.of_categories(str(column.name), known).numbers(column)
    return [-1 if math.isnan(number) else int(number) for number in numbers]


def _with_point(value: Any) -> Any:
    """Return a number with a decimal comma as programs write it; anything else as it is."""
    if isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value):
        return value.replace(".", "").replace(",", ".")
    return value


def _without_commas(value: Any) -> Any:
    return value.replace(",", "") if isinstance(value, str) else value
