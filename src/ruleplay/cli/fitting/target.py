"""Take the target's column out of a table: classes, or a quantity; refuse what is neither."""

import math
from typing import TYPE_CHECKING

from ruleplay.cli.fitting.column_options import NUMBER, TEXT
from ruleplay.cli.fitting.detection import likely_style, number_style
from ruleplay.errors import ConfigError
from ruleplay.learners.common.columns import as_numbers

if TYPE_CHECKING:
    import pandas as pd

MANY_NUMBERS = 30  # different numbers above which a target is taken for a quantity ...
MANY_SHARE = 0.05  # ... if they are also more than this share of the rows
LEAST_NUMBERS = 2  # of a quantity: one to learn from, one to test with


def take_target(
    table: "pd.DataFrame", target: str, notes: list[str]
) -> tuple["pd.DataFrame", "pd.Series"]:
    """Return features and labels of the rows that have a label."""
    labelled = table[target].notna()
    lost = int((~labelled).sum())
    if lost == len(table):
        raise ConfigError(f"{table.attrs['name']}: the target {target!r} has no values")
    if lost:
        rows = "1 row has" if lost == 1 else f"{lost} rows have"
        notes.append(f"{rows} no {target!r} and {'is' if lost == 1 else 'are'} left out")
    kept = table[labelled].reset_index(drop=True)
    kept.attrs = table.attrs
    return kept.drop(columns=target), kept[target]


def quantity_style(name: str, labels: "pd.Series", kind: str = "") -> str:
    """Return how a target that is a quantity writes its numbers; "" if it holds classes.

    A person may have said what it is: text for classes, number for a quantity.
    """
    if kind == TEXT:
        return ""
    endless = labels.map(is_infinite)
    finite = labels[~endless]
    style = number_style(finite) if len(finite) else ""
    if kind == NUMBER:
        style = style or likely_style(finite)
        if not as_numbers(labels, style).notna().any():
            raise ConfigError(
                f"--column {labels.name}={NUMBER}: there is no number among the values, such as "
                f"{labels.iloc[0]!r}"
            )
    elif not style or not has_many_numbers(labels):
        return ""
    if endless.any():
        raise ConfigError(
            f"{name}: the target {labels.name!r} is infinite in {_rows(int(endless.sum()))}, "
            f"such as {labels[endless].iloc[0]!r}: correct these rows, or remove them"
        )
    return style


def has_many_numbers(labels: "pd.Series") -> bool:
    """Tell whether there are too many different numbers for classes."""
    count, rows = labels.nunique(), len(labels)
    is_many = count > MANY_NUMBERS and count > MANY_SHARE * rows
    return bool(count > 1 and (is_many or count > rows / 2))


def is_infinite(text: str) -> bool:
    """Tell whether text is a number without end.

    >>> is_infinite("-inf"), is_infinite("1e999"), is_infinite("info")
    (True, True, False)
    """
    try:
        return math.isinf(float(text))
    except ValueError:
        return False


def take_quantity(name: str, labels: "pd.Series", style: str, notes: list[str]) -> "pd.Series":
    """Return the numbers of a target, of those rows that have one."""
    numbers = as_numbers(labels, style)
    lost = labels[numbers.isna()]
    if len(lost):
        notes.append(
            f"{_rows(len(lost))} with a {labels.name!r} that is no number, such as "
            f"{lost.iloc[0]!r}, {'is' if len(lost) == 1 else 'are'} left out"
        )
    known = numbers.dropna()
    if len(known) < LEAST_NUMBERS:
        raise ConfigError(
            f"{name}: the target {labels.name!r} has a number in {_rows(len(known))}: "
            f"a quantity needs {LEAST_NUMBERS} rows at least, and to be of use many more"
        )
    if known.nunique() == 1:
        raise ConfigError(
            f"{name}: the target {labels.name!r} is {known.iloc[0]:g} in each row: there is "
            "nothing to learn; name another column with --target"
        )
    return known


def check_classes(name: str, labels: "pd.Series") -> None:
    """Refuse a target that has one class, or too many."""
    count, rows, target = labels.nunique(), len(labels), labels.name
    if count == 1:
        raise ConfigError(
            f"{name}: the target {target!r} is {labels.iloc[0]!r} in each row: "
            "there is nothing to tell apart"
        )
    if count <= rows / 2:
        return
    numbers = as_numbers(labels, likely_style(labels))
    lost = labels[numbers.isna()]
    if len(lost) and len(lost) < rows / 2:
        raise ConfigError(
            f"{name}: the target {target!r} has {rows - len(lost)} numbers and "
            f"{len(lost)} texts such as {lost.iloc[0]!r}: correct these, or learn a quantity "
            f"without their rows by --column {target}={NUMBER}"
        )
    begin_so = labels.astype(str).str.match(r"\W*\d").sum()  # numbers with a unit
    advice = ", and a quantity needs cells with nothing but a number" if begin_so > rows / 2 else ""
    raise ConfigError(
        f"{name}: the target {target!r} has {count} classes in {rows} rows, such as "
        f"{labels.iloc[0]!r}: a class needs several rows to be learned from{advice}"
    )


def _rows(count: int) -> str:
    return f"{count} row{'' if count == 1 else 's'}"
