"""Write a report: read finished runs, and leave tables, figures and a page beside them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from ruleplay.errors import ConfigError, StoreError
from ruleplay.experiments.beyond import TASKS
from ruleplay.experiments.results import Results
from ruleplay.files import write_whole
from ruleplay.report import ablation_tables, beyond_tables, extra_tables, tables
from ruleplay.report.aims_table import aims_table
from ruleplay.report.analysis import KINDS, Analysis, ProblemReport, analyse
from ruleplay.report.curves import save_figure
from ruleplay.report.effects import draw_effects
from ruleplay.report.figures import (
    GREEDY,
    MULTI_STEP,
    REWARD,
    SYSTEM_ERROR,
    Bands,
    Panel,
    draw_grid,
    draw_problem,
)
from ruleplay.report.html import render_page
from ruleplay.report.samples import Sample
from ruleplay.report.table import Table

FIGURE_FORMATS = ("svg", "pdf", "png")
PAGE = "index.html"
FIGURES = "figures"


def write_report_of(results: Results, folder: Path, figures: Sequence[str] | None = None) -> Path:
    """Write the report of some results into a folder."""
    analysis = analyse(results)
    if not analysis.samples:
        raise StoreError(f"{results.path} has no finished runs to report on")
    all_tables = make_tables(analysis)
    page = render_page(analysis, all_tables, source=results.path.resolve().name)
    return write_files(folder, page, all_tables, lambda: make_figures(analysis), figures)


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


def make_tables(analysis: Analysis) -> dict[str, Table]:
    """Lay out all tables that have rows, by name."""
    made = [tables.summary_table(analysis)]
    for kind in KINDS:
        made += [tables.result_table(analysis, kind), tables.cell_table(analysis, kind)]
    made += [
        tables.shapiro_table(analysis),
        tables.comparison_table(analysis),
        extra_tables.interval_table(analysis),
        extra_tables.aggregate_table(analysis),
        extra_tables.divergence_table(analysis),
        beyond_tables.headline_table(analysis),
        aims_table(analysis),
        ablation_tables.factor_table(analysis),
        ablation_tables.ablation_table(analysis),
        extra_tables.other_table(analysis),
        extra_tables.run_table(analysis),
    ]
    return {table.name: table for table in made if table.rows}


def make_figures(analysis: Analysis) -> Iterator[tuple[str, Figure]]:
    """Draw the paper's two figures, those beyond it, and all measures of each problem."""
    single, multi = (analysis.of_kind(kind) for kind in KINDS)
    if single:
        panels = (REWARD, SYSTEM_ERROR)
        items = [(r.problem.title, panel, r.bands) for r in single for panel in panels]
        yield "single-step", draw_grid(items)
    if multi:
        yield "multi-step", draw_grid([(r.problem.title, MULTI_STEP[0], r.bands) for r in multi])
    beyond = beyond_tables.headline_samples(analysis)
    if beyond:
        yield "beyond", draw_grid([_greedy_panel(*item) for item in beyond.items()])
    effects = draw_effects(analysis)
    if effects is not None:
        yield "factors", effects
    for report in analysis.problems:
        yield (
            file_name(report),
            draw_problem(
                report.problem.title, report.bands, single_step=report.problem.single_step
            ),
        )


def _greedy_panel(name: str, samples: dict[str, Sample]) -> tuple[str, Panel, Bands]:
    return TASKS[name].title, GREEDY, {agent: one.band for agent, one in samples.items()}


def file_name(report: ProblemReport) -> str:
    """Name a problem's files after its preset."""
    return report.problem.preset.split("/")[-1]


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
