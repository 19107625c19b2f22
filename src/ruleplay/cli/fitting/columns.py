"""Decide what each column of a table is: numbers, categories, or nothing to learn from."""

import re
from typing import TYPE_CHECKING

from ruleplay.errors import ConfigError
from ruleplay.learners.common.columns import Columns, as_numbers
from ruleplay.rules.spelling import DECIMAL_COMMA, PLAIN, THOUSANDS

if TYPE_CHECKING:
    import pandas as pd

MOST_CATEGORIES = 100
SLIPS = 0.02  # share of a column of numbers that may be something else
ID_FROM = 10  # rows: below, different values in each row mean little

_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))"
    r"([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AaPp][Mm])?(Z|[+-]\d{2}:?\d{2})?)?"
)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")


def choose_columns(table: "pd.DataFrame", taught: "pd.Index", drop: list[str]) -> Columns:
    """Look at each column of the features, and refuse a table that has none left.

    `taught` are the rows to learn from: categories of others are unknown.
    """
    chosen = Columns()
    for name in table.columns:
        if name in drop:
            chosen.left_out[name] = "--drop"
        else:
            _choose(chosen, name, table[name], taught)
    if not chosen.features:
        reasons = "; ".join(f"{name}: {why}" for name, why in chosen.left_out.items())
        raise ConfigError(f"{table.attrs['name']} has no column left to learn from ({reasons})")
    return chosen


def _choose(chosen: Columns, name: str, column: "pd.Series", taught: "pd.Index") -> None:
    """Decide about one column."""
    values = column.dropna()
    if values.empty:
        chosen.left_out[name] = "no values"
        return
    style = number_style(values)
    if style:
        _choose_numbers(chosen, name, column, style)
    elif values.nunique() == 1:
        chosen.left_out[name] = "the same value in each row"
    elif values.map(lambda text: bool(_DATE.fullmatch(text))).mean() > 1 - SLIPS:
        chosen.left_out[name] = "dates: turn what matters (month, age in days) into numbers"
    elif len(values) >= ID_FROM and values.nunique() > 0.9 * len(values):
        chosen.left_out[name] = "a different text in each row, as names and numbers of things have"
    elif values.nunique() > MOST_CATEGORIES:
        chosen.left_out[name] = f"{values.nunique()} different texts: group them into fewer"
    else:
        chosen.categories[name] = sorted(column.loc[taught].dropna().unique())


def _choose_numbers(chosen: Columns, name: str, column: "pd.Series", style: str) -> None:
    numbers = as_numbers(column, style)
    if numbers.nunique() == 1:
        chosen.left_out[name] = "the same value in each row"
        return
    if len(numbers) >= ID_FROM and numbers_rows(numbers):
        chosen.left_out[name] = "it numbers the rows"
        return
    chosen.numbers[name] = style
    if style == DECIMAL_COMMA:
        chosen.notes.append(f"column {name!r} has decimal commas: 1,5 is read as 1.5")
    elif style == THOUSANDS:
        chosen.notes.append(f"column {name!r} has commas between thousands: 1,500 is read as 1500")
    lost = column[column.notna() & numbers.isna()]
    if len(lost):
        chosen.notes.append(
            f"column {name!r} has {_count(len(lost), 'value')} that cannot be used as a number, "
            f"such as {lost.iloc[0]!r}: taken as missing"
        )


def numbers_rows(numbers: "pd.Series") -> bool:
    """Tell whether numbers are 1, 2, 3 and so on, but for rows that are not there any more."""
    steps = numbers.diff().iloc[1:]
    whole = bool(((steps >= 1) & (steps == steps.round())).all())
    return whole and float(numbers.iloc[-1] - numbers.iloc[0]) < 1.1 * len(numbers)


def number_style(values: "pd.Series") -> str:
    """Return how a column writes numbers: plain, decimal comma or thousands; "" if it does not."""
    if _share_of_numbers(values, PLAIN) >= 1 - SLIPS:
        return PLAIN
    commas = values[values.str.contains(",", regex=False)]
    if commas.empty:
        return ""
    grouped = bool(commas.map(lambda text: bool(_THOUSANDS.fullmatch(text))).all())
    style = THOUSANDS if grouped else DECIMAL_COMMA
    return style if _share_of_numbers(values, style) >= 1 - SLIPS else ""


def _share_of_numbers(values: "pd.Series", style: str) -> float:
    return float(as_numbers(values, style).notna().mean())


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
