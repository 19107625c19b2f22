"""How the columns of a file of text are read: decided once, applied to other tables alike."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ruleplay.rules.dates import DATES
from ruleplay.rules.features import Feature
from ruleplay.rules.spelling import PLAIN, is_missing, plain_value

if TYPE_CHECKING:
    import pandas as pd

OTHER = "(other)"  # the category of all values that are too rare to have one, and of unknown ones


@dataclass
class Columns:
    """What a table's columns are taken for."""

    numbers: dict[str, str] = field(default_factory=dict)  # column -> how numbers are written
    categories: dict[str, list[str]] = field(default_factory=dict)  # in order
    left_out: dict[str, str] = field(default_factory=dict)  # column -> why
    notes: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)  # columns of whole numbers
    stand_ins: dict[str, float] = field(default_factory=dict)  # the number that says: missing
    grouped: list[str] = field(default_factory=list)  # columns whose last category is OTHER
    decisions: dict[str, str] = field(default_factory=dict)  # column -> what it is taken for

    @property
    def features(self) -> list[str]:
        """List the columns that are learned from."""
        return [*self.numbers, *self.categories]

    def part(self, names: Iterable[str]) -> "Columns":
        """Return how some of the features are read."""
        return Columns(
            {name: self.numbers[name] for name in names if name in self.numbers},
            {name: self.categories[name] for name in names if name in self.categories},
            stand_ins=self.stand_ins,
            grouped=self.grouped,
        )

    def changed_by_reading(self) -> list[str]:
        """List the features whose values are changed even if a program has read them well."""
        dates = [name for name, style in self.numbers.items() if style in DATES]
        return [*dates, *self.stand_ins, *self.grouped]

    def lacking(self, table: "pd.DataFrame") -> list[str]:
        """List the features that a table has not got."""
        return [name for name in self.features if name not in table.columns]

    def texts(self, table: "pd.DataFrame", name: str) -> "pd.Series":
        """Return a column as the file has it, without the number that says: missing."""
        column = table[name]
        if name not in self.stand_ins:
            return column
        return column.where(as_numbers(column, self.numbers[name]) != self.stand_ins[name])

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
            numbers = as_numbers(columns[name], style)
            columns[name] = numbers.where(numbers != self.stand_ins.get(name, math.nan))
        for name, known in self.categories.items():
            feature = Feature.of_categories(name, known, groups_others=name in self.grouped)
            places = [-1 if math.isnan(k) else int(k) for k in feature.numbers(columns[name])]
            columns[name] = pd.Categorical.from_codes(places, known)
        return pd.DataFrame(columns, index=table.index)


def as_numbers(column: "pd.Series", style: str) -> "pd.Series":
    """Return text as finite numbers, and as missing what is none."""
    import pandas as pd

    if style != PLAIN:
        column = column.map(partial(plain_value, style=style))
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
