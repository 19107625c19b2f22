"""Take the target's column out of a table, and refuse targets that are no classes."""

from typing import TYPE_CHECKING

from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

MANY_NUMBERS = 30  # different numbers above which a target is taken for a quantity ...
MANY_SHARE = 0.05  # ... if they are also more than this share of the rows


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


def check_classes(name: str, labels: "pd.Series") -> None:
    """Refuse a target that has one class, or numbers that are quantities."""
    from ruleplay.cli.fitting.detection import number_style

    count, rows, target = labels.nunique(), len(labels), labels.name
    if count == 1:
        raise ConfigError(
            f"{name}: the target {target!r} is {labels.iloc[0]!r} in each row: "
            "there is nothing to tell apart"
        )
    is_quantity = number_style(labels) != "" and (
        (count > MANY_NUMBERS and count > MANY_SHARE * rows) or count > rows / 2
    )
    if is_quantity:
        raise ConfigError(
            f"{name}: the target {target!r} has {count} different numbers in {rows} rows: that is "
            "a quantity (regression), and fit learns classes; make a column of classes such as "
            "low and high, and name that one"
        )
    if count > rows / 2:
        raise ConfigError(
            f"{name}: the target {target!r} has {count} classes in {rows} rows: "
            "a class needs several rows to be learned from"
        )
