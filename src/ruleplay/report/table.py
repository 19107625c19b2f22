"""A table once, and as Markdown, LaTeX, CSV or HTML cells."""

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ruleplay.output.harmless import guarded_cell

Row = Mapping[str, Any]

_MARKDOWN = re.compile(r"[|*_`\[\]<>\\]")  # what Markdown would take for markup
_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "±": r"$\pm$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "\N{EN DASH}": "--",
    "∞": r"$\infty$",
}


@dataclass(frozen=True)
class Column:
    """A column: its key in the rows, its heading, and how a value is written for readers."""

    key: str
    heading: str
    write: Callable[[Any], str] = str
    number: bool = False  # right-aligned, and sorted by value

    def text(self, row: Row) -> str:
        """Return a row's value as readers see it."""
        value = row.get(self.key)
        return "" if value is None else self.write(value)

    def value(self, row: Row) -> Any:
        """Return a row's value itself, empty where there is none."""
        value = row.get(self.key)
        return "" if value is None else _plain(value)


@dataclass(frozen=True)
class Table:
    """Rows of values with the columns that show them; CSV keeps the values themselves."""

    name: str  # of its files
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    note: str = ""

    def only(self, key: str, value: object) -> "Table":
        """Return the rows with one value of a column, without that column."""
        columns = [column for column in self.columns if column.key != key]
        rows = [row for row in self.rows if row.get(key) == value]
        return replace(self, columns=columns, rows=rows)

    def markdown(self) -> str:
        """Return the table in Markdown."""
        lines = [
            _pipes(column.heading for column in self.columns),
            _pipes("---:" if column.number else "---" for column in self.columns),
            *(_pipes(column.text(row) for column in self.columns) for row in self.rows),
        ]
        note = f"\n{self.note}\n" if self.note else ""
        return f"### {self.title}\n\n" + "\n".join(lines) + "\n" + note

    def latex(self) -> str:
        """Return the table in LaTeX, for the package booktabs."""
        layout = "".join("r" if column.number else "l" for column in self.columns)
        lines = [
            r"\begin{table}",
            rf"\caption{{{escape_latex(f'{self.title}. {self.note}'.strip())}}}",
            rf"\label{{tab:{self.name}}}",
            rf"\begin{{tabular}}{{{layout}}}",
            r"\toprule",
            _ampersands(column.heading for column in self.columns),
            r"\midrule",
            *(_ampersands(column.text(row) for column in self.columns) for row in self.rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """Return the table's values as CSV, with every key of the rows as a column.

        Texts that spreadsheets would compute begin with an apostrophe.
        """
        keys = list(dict.fromkeys(key for row in self.rows for key in row))
        keys = keys or [column.key for column in self.columns]
        text = io.StringIO()
        writer = csv.DictWriter(text, keys, lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _plain(value) for key, value in row.items()} for row in self.rows)
        return text.getvalue()


def escape_latex(text: str) -> str:
    r"""Write text so that LaTeX prints it as it is.

    >>> escape_latex("5 % of x_1")
    '5 \\% of x\\_1'
    """
    return "".join(_LATEX.get(sign, sign) for sign in text)


def _pipes(cells: Iterable[str]) -> str:
    return "| " + " | ".join(_MARKDOWN.sub(r"\\\g<0>", cell) for cell in cells) + " |"


def _ampersands(cells: Iterable[str]) -> str:
    return " & ".join(map(escape_latex, cells)) + r" \\"


def _plain(value: Any) -> Any:
    """Leave a field empty where there is no number; no text is a formula."""
    return "" if isinstance(value, float) and math.isnan(value) else guarded_cell(value)
