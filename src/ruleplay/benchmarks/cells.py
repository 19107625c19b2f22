"""Write the values of tables of comparisons, and put the tables into files."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from ruleplay.output.files import write_whole
from ruleplay.report.table import Table
from ruleplay.rules.drawing.pictures import save_picture

PICTURES = (".svg", ".png")
DPI = 160

Drawing = tuple[str, Callable[[], Figure]]  # its name, and who draws it


def decimals(digits: int, *, sign: bool = False) -> Callable[[float], str]:
    """Return who writes numbers with so many decimals, and nothing for what is missing."""

    def write(value: float) -> str:
        return "" if pd.isna(value) else f"{value:{'+' if sign else ''}.{digits}f}"

    return write


def interval(pair: tuple[float, float]) -> str:
    """Write the ends of an interval of differences."""
    return "" if pd.isna(pair[0]) else f"{pair[0]:+.3f} to {pair[1]:+.3f}"


def p_value(p: float) -> str:
    """Write a p-value."""
    return "" if pd.isna(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"


def figure_or_word(value: Any) -> str:
    """Write a figure, or a word in its place."""
    return value if isinstance(value, str) else decimals(3)(value)


def write_tables(folder: Path, tables: Mapping[str, Table]) -> list[Path]:
    """Write tables as one page and as a CSV file each; return the files."""
    page = "\n".join(table.markdown() for table in tables.values())
    files = {folder / "tables.md": page}
    files |= {folder / f"{name}.csv": table.csv() for name, table in tables.items()}
    for path, text in files.items():
        write_whole(path, text)
    return list(files)


def write_drawings(folder: Path, drawings: Iterable[Drawing]) -> list[Path]:
    """Draw each picture anew for each form of file; return the files."""
    written = []
    for name, draw in drawings:
        for ending in PICTURES:
            path = folder / f"{name}{ending}"
            save_picture(draw(), path, dpi=DPI)
            written.append(path)
    return written
