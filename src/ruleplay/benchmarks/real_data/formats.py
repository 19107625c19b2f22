"""Read tables of text: KEEL's format with a header, and plain columns without one."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ruleplay.errors import ConfigError

MISSING = {"", "?", "<null>"}

_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|[^\s{\[]+)\s*(?P<kind>.*)", re.IGNORECASE)


class TextTable(NamedTuple):
    """Columns of text with their names, each row's class or target, what is declared nominal."""

    columns: dict[str, list[str]]
    labels: list[str]
    declared: frozenset[str] = frozenset()


class Layout(NamedTuple):
    """How a file of plain columns is laid out."""

    separator: str | None = ","  # None: any blanks
    target: int = -1  # the column of the class or quantity
    left_out: tuple[int, ...] = ()  # columns that are no features, counted from 0
    header: int = 0  # lines before the first row
    decimal: str = "."


def read_plain(text: str, layout: Layout) -> TextTable:
    """Read a file of plain columns."""
    rows = _split(text.splitlines(), layout.separator)
    return as_table([[one.replace(layout.decimal, ".") for one in row] for row in rows], layout)


def as_table(rows: Sequence[Sequence[str]], layout: Layout) -> TextTable:
    """Return rows of text as a table; features are called x1, x2 and so on."""
    columns = _columns(rows[layout.header :])
    target = layout.target % len(columns)
    features = [
        column for k, column in enumerate(columns) if k != target and k not in layout.left_out
    ]
    return TextTable({f"x{k + 1}": one for k, one in enumerate(features)}, columns[target])


def read_keel(text: str) -> TextTable:
    """Read a file with a header of attributes, the last of which is the class."""
    lines = text.splitlines()
    start = next(k for k, line in enumerate(lines) if line.strip().lower().startswith("@data"))
    found = [match for line in lines[:start] if (match := _ATTRIBUTE.match(line.strip()))]
    names = [match[1].strip("'") for match in found]
    nominal = {name for name, match in zip(names, found, strict=True) if "{" in match["kind"]}
    columns = _columns(_split(lines[start + 1 :], ","))
    if len(columns) != len(names):
        raise ConfigError(f"the header names {len(names)} attributes, rows have {len(columns)}")
    labels = columns.pop()
    declared = frozenset(nominal - {names.pop()})
    return TextTable(dict(zip(names, columns, strict=True)), labels, declared)


def _split(lines: Iterable[str], separator: str | None) -> list[list[str]]:
    """Return the fields of each line that is not blank, without quotation marks."""
    return [
        [field.strip().strip('"') for field in line.split(separator)]
        for line in lines
        if line.strip(" \t,")
    ]


def _columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows of equal length as columns."""
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        raise ConfigError(f"rows must all have the same number of fields, got {sorted(widths)}")
    return [list(column) for column in zip(*rows, strict=True)]
