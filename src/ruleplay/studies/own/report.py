"""Write the report of a study of the user's own: tables, figures on request, and a page."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from ruleplay.errors import StoreError
from ruleplay.experiments.storage.results import Results
from ruleplay.report.figures import draw_problem
from ruleplay.report.write import write_files
from ruleplay.studies.own.analysis import OwnAnalysis, analyse_own
from ruleplay.studies.own.description import Description
from ruleplay.studies.own.page import own_legend, render_own_page
from ruleplay.studies.own.tables import make_own_tables


def write_own_report(
    results: Results, description: Description, folder: Path, figures: Sequence[str] | None
) -> Path:
    """Write the report of a study into a folder, and return the path of its page."""
    analysis = analyse_own(results, description)
    if not analysis.problems:
        raise StoreError(f"{results.path} has no finished runs to report on")
    tables = make_own_tables(analysis)
    page = render_own_page(analysis, tables, source=results.path.resolve().name)
    return write_files(folder, page, tables, lambda: own_figures(analysis), figures)


def own_figures(analysis: OwnAnalysis) -> Iterator[tuple[str, Figure]]:
    """Draw all measures of each problem."""
    legend = own_legend(analysis)
    for place, problem in enumerate(analysis.problems):
        described = problem.described
        figure = draw_problem(
            described.title, problem.bands, single_step=described.single_step, legend=legend
        )
        yield f"problem-{place}", figure
