"""What commands print: results on standard output, everything else on standard error."""

import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ruleplay.errors import ConfigError
from ruleplay.output.harmless import encodable, visible, visible_json


def say(line: str) -> None:
    """Print a line about what is going on."""
    typer.echo(visible(line), err=True)


def tell(*lines: str) -> None:
    """Print lines of a result."""
    for line in lines:
        typer.echo(showable(line))


def showable(line: str) -> str:
    """Return a line in signs that standard output has and that do nothing to a terminal."""
    return encodable(visible(line), sys.stdout.encoding or "ascii")


def print_json(document: Any) -> None:
    """Print one JSON document; what JSON has no number for becomes null."""
    text = json.dumps(finite(document), indent=2, allow_nan=False, ensure_ascii=False)
    is_plain = encodable(text, sys.stdout.encoding or "ascii") == text
    typer.echo(visible_json(text if is_plain else json.dumps(json.loads(text), indent=2)))


def hand_over(document: str | bytes) -> None:
    """Print a document for other programs as it is; harmless, if it meets a terminal instead."""
    if not sys.stdout.isatty():
        raw = document.encode() if isinstance(document, str) else document
        typer.echo(raw, nl=False)  # text in UTF-8, as pages say of themselves
    elif isinstance(document, bytes):
        raise ConfigError("this form cannot be shown in a terminal: write it to a file")
    else:
        tell(*document.removesuffix("\n").split("\n"))


def finite(value: Any) -> Any:
    """Return nested plain values with None in place of infinities and NaN.

    >>> finite({"a": [1.0, float("nan")]})
    {'a': [1.0, None]}
    """
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def new_table(*columns: str, title: str = "", numbers: tuple[str, ...] = ()) -> Table:
    """Return an empty table with plain rules; the columns in `numbers` are right-aligned."""
    table = Table(
        title=Text(showable(title)) if title else None, title_justify="left", title_style="bold"
    )
    for name in columns:
        table.add_column(Text(showable(name)), justify="right" if name in numbers else "left")
    return table


def print_report(columns: Sequence[Any], rows: Sequence[Mapping[str, Any]]) -> None:
    """Print columns of a report's table: each has a heading, a text of a row, may be of numbers."""
    numbers = tuple(column.heading for column in columns if column.number)
    table = new_table(*(column.heading for column in columns), numbers=numbers)
    for row in rows:
        add_row(table, *(column.text(row) for column in columns))
    print_table(table)


def add_row(table: Table, *cells: str | Sequence[str]) -> None:
    """Add a row of plain text, or of lines of it: square brackets in names are no markup."""
    rows = ([cell] if isinstance(cell, str) else cell for cell in cells)
    table.add_row(*(Text("\n".join(map(showable, lines))) for lines in rows))


def print_table(table: Table) -> None:
    """Print a table on standard output; off a terminal it is as wide as it needs to be."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=10_000)
    console.print(table)


def show_number(value: Any) -> str:
    """Return a figure with enough digits to read, a dash where there is none.

    >>> [show_number(v) for v in (None, 3, 254.7306, 0.00124846)]
    ['-', '3', '254.7', '0.001248']
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
