"""Report on a folder of results: on the user's own study if it is one, else beside the paper."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from os import PathLike
from pathlib import Path

from matplotlib.figure import Figure

from ruleplay.errors import StoreError
from ruleplay.experiments.storage.compact import open_results
from ruleplay.experiments.storage.results import Results
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
from ruleplay.report.samples import Sample
from ruleplay.report.table import Table
from ruleplay.report.write import write_files
from ruleplay.studies.beyond import ablation
from ruleplay.studies.beyond.aims import aims_table
from ruleplay.studies.beyond.analysis import headline_samples, headline_table
from ruleplay.studies.beyond.effects import draw_effects
from ruleplay.studies.beyond.in_short import short_table
from ruleplay.studies.beyond.plan import TASKS
from ruleplay.studies.literal.analysis import other_table
from ruleplay.studies.own.description import read_description
from ruleplay.studies.own.report import write_own_report
from ruleplay.studies.page import render_page
from ruleplay.studies.paper import extra_tables, tables
from ruleplay.studies.paper.analysis import KINDS, Analysis, ProblemReport, analyse


def write_report(
    results_dir: str | PathLike[str],
    out: str | PathLike[str] | None = None,
    figures: Sequence[str] | None = None,
) -> Path:
    """Write a report of a folder of results, and return the path of its page.

    The report goes to `out`, by default `report/` in the folder of results. Files of an earlier
    report are replaced; nothing else is touched. The page draws its curves itself; `figures`
    lists the formats ("svg", "pdf", "png") in which they are wanted as files, too, by default
    those that an earlier report has left.
    """
    folder = Path(results_dir) / "report" if out is None else Path(out)
    with closing(open_results(results_dir)) as results:
        description = read_description(Path(results_dir))
        if description is None:
            return write_report_of(results, folder, figures)
        return write_own_report(results, description, folder, figures)


def write_report_of(results: Results, folder: Path, figures: Sequence[str] | None = None) -> Path:
    """Write the report of some results into a folder."""
    analysis = analyse(results)
    if not analysis.samples:
        raise StoreError(f"{results.path} has no finished runs to report on")
    all_tables = make_tables(analysis)
    page = render_page(analysis, all_tables, source=results.path.resolve().name)
    return write_files(folder, page, all_tables, lambda: make_figures(analysis), figures)


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
        short_table(analysis),
        headline_table(analysis),
        aims_table(analysis),
        ablation.factor_table(analysis),
        ablation.ablation_table(analysis),
        other_table(analysis),
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
    beyond = headline_samples(analysis)
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
