"""Write a report: tables, the figures that are wanted, and a page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from ruleplay.errors import ConfigError
from ruleplay.output.files import write_whole
from ruleplay.report.curves import save_figure
from ruleplay.report.table import Table

FIGURE_FORMATS = ("svg", "pdf", "png")
PAGE = "index.html"
FIGURES = "figures"


def write_files(
    folder: Path,
    page: str,
    all_tables: Mapping[str, Table],
    draw: Callable[[], Iterable[tuple[str, Figure]]],
    figures: Sequence[str] | None = None,
) -> Path:
    """Write tables, the figures that are wanted, and last a page, whose path is returned."""
    formats = _formats_in(folder / FIGURES) if figures is None else check_formats(figures)
    _write_tables(all_tables, folder / "tables")
    if formats:
        _write_figures(draw(), folder / FIGURES, formats)
    write_whole(folder / PAGE, page)
    return folder / PAGE


def check_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """Return the formats of figures, each once; refuse what cannot be drawn."""
    for name in formats:
        if name not in FIGURE_FORMATS:
            raise ConfigError(f"figures must be some of {', '.join(FIGURE_FORMATS)}, got {name!r}")
    return tuple(dict.fromkeys(formats))


def _formats_in(folder: Path) -> tuple[str, ...]:
    """Return the formats that figures of an earlier report have: they must not grow old."""
    found = {path.suffix[1:] for path in folder.glob("*.*")}
    return tuple(name for name in FIGURE_FORMATS if name in found)


def _write_tables(all_tables: Mapping[str, Table], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in all_tables.items():
        forms = {"md": table.markdown(), "tex": table.latex(), "csv": table.csv()}
        for suffix, text in forms.items():
            write_whole(folder / f"{name}.{suffix}", text)


def _write_figures(
    figures: Iterable[tuple[str, Figure]], folder: Path, formats: Sequence[str]
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in figures:
        for suffix in formats:
            save_figure(figure, folder / f"{name}.{suffix}")
