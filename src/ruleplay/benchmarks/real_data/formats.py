"""Read tables of text: KEEL's format with a header, and plain columns without one."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ruleplay.errors import ConfigError

MISSING = {"", "?", "<null>"}

_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|[^\s{\[]+)\s*(?P<kind>.*)", re.IGNORECASE)


class TextTable(NamedTuple):
    """Columns of text with their names, the class of each row, and what is declared nominal."""

    columns: dict[str, list[str]]
    labels: list[str]
    declared: frozenset[str] = frozenset()


class Layout(NamedTuple):
    """How a file without a header is laid out."""

    separator: str | None = ","  # None: any blanks
    target: int = -1  # the column of the class
    names_rows: bool = False  # the first column is a number or a name of the row


def read_plain(text: str, layout: Layout) -> TextTable:
    """Read a file without a header; features are called x1, x2 and so on."""
    columns = _columns(_split(text.splitlines(), layout.separator))
    labels = columns.pop(layout.target)
    features = columns[1:] if layout.names_rows else columns
    return TextTable({f"x{k + 1}": column for k, column in enumerate(features)}, labels)


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
    """Return the fields of each line that is not blank."""
    return [
        [field.strip() for field in line.split(separator)] for line in lines if line.strip(" \t,")
    ]


def _columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows of equal length as columns."""
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        raise ConfigError(f"rows must all have the same number of fields, got {sorted(widths)}")
    return [list(column) for column in zip(*rows, strict=True)]
