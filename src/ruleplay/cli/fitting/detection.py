"""Tell from a column's text what it holds: numbers, dates, codes, numbers that stand for a gap."""

import re
from typing import TYPE_CHECKING

from ruleplay.learners.common.columns import as_numbers
from ruleplay.rules.dates import DATE, DAY_FIRST, MONTH_FIRST
from ruleplay.rules.spelling import DECIMAL_COMMA, PLAIN, THOUSANDS, UNIT, UNITS, without_units

if TYPE_CHECKING:
    import pandas as pd

SLIPS = 0.02  # share of a column of numbers that may be something else
ID_FROM = 10  # rows: below, different values in each row mean little
ID_DIGITS = 9  # of whole numbers that are all different and equally long

_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_LEADING_ZERO = re.compile(r"0\d{2,}")
_NINES = re.compile(r"-?9{2,}(\.0*)?")
_CALLED_ID = re.compile(r"(.*[_\s.-])?(id|uuid|guid|key|no|nr|number)|.*[a-z]I[dD]", re.ASCII)


def number_style(values: "pd.Series") -> str:
    """Return how a column writes numbers: plain, with commas or units; "" if it does not."""
    if _share_of_numbers(values, PLAIN) >= 1 - SLIPS:
        return PLAIN
    has_units = bool(values.str.contains(f"[{UNITS}]").any())
    bare = values.map(without_units) if has_units else values
    commas = bare[bare.str.contains(",", regex=False)]
    if commas.empty and not has_units:
        return ""
    style = UNIT if has_units else THOUSANDS
    if not commas.map(lambda text: bool(_THOUSANDS.fullmatch(text))).all():
        style = DECIMAL_COMMA
    return style if _share_of_numbers(values, style) >= 1 - SLIPS else ""


def likely_style(values: "pd.Series") -> str:
    """Return how most of the values are written that may be numbers at all."""
    styles = (PLAIN, UNIT, DECIMAL_COMMA)
    return max(styles, key=lambda style: int(as_numbers(values, style).notna().sum()))


def date_style(values: "pd.Series") -> str:
    """Return how a column writes dates; "" if it does not.

    Where days and months could be either, they are as their separator is used: 3/4 is in March,
    3.4. in April.
    """
    if _share_of_numbers(values, DATE) >= 1 - SLIPS:
        return DATE
    slashes = bool(values.str.contains("/", regex=False).any())
    order = (MONTH_FIRST, DAY_FIRST) if slashes else (DAY_FIRST, MONTH_FIRST)
    shares = {style: _share_of_numbers(values, style) for style in order}
    best = max(order, key=lambda style: shares[style])
    return best if shares[best] >= 1 - SLIPS else ""


def _share_of_numbers(values: "pd.Series", style: str) -> float:
    return float(as_numbers(values, style).notna().mean())


def has_leading_zeros(values: "pd.Series") -> bool:
    """Tell whether digits are a code, as 02683 is: then a number would lose some."""
    zeros = values.map(lambda text: bool(_LEADING_ZERO.fullmatch(text)))
    return bool(zeros.any()) and (zeros.mean() > SLIPS or values.str.len().nunique() == 1)


def numbers_rows(numbers: "pd.Series") -> bool:
    """Tell whether numbers are 1, 2, 3 and so on, but for rows that are not there any more."""
    steps = numbers.diff().iloc[1:]
    whole = bool(((steps >= 1) & (steps == steps.round())).all())
    return whole and float(numbers.iloc[-1] - numbers.iloc[0]) < 1.1 * len(numbers)


def is_identifier(name: str, values: "pd.Series") -> bool:
    """Tell whether whole numbers name things: all different, and long or called so."""
    if len(values) < ID_FROM or values.nunique() < len(values):
        return False
    if not bool(values.str.fullmatch(r"\d+").all()):
        return False
    lengths = values.str.len()
    is_long = int(lengths.min()) >= ID_DIGITS and lengths.nunique() == 1
    is_called = _CALLED_ID.fullmatch(name) or _CALLED_ID.fullmatch(name.lower())
    return is_long or bool(is_called)


def stand_in(numbers: "pd.Series") -> float | None:
    """Return the number that stands for a missing value: -999 and the like, far from all others.

    It must occur twice or more, and lie farther from the others than these among themselves.
    """
    counts = numbers.value_counts()
    for value in (float(numbers.min()), float(numbers.max())):
        others = numbers[numbers.notna() & (numbers != value)]
        if counts[value] < 2 or len(others) < 2 or not _NINES.fullmatch(f"{value:.0f}"):
            continue
        distance = min(abs(value - float(others.min())), abs(value - float(others.max())))
        if value == round(value) and distance > float(others.max() - others.min()):
            return value
    return None
