"""Put a study of the user's own on one page: means, differences, curves, runs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ruleplay.report.chart_data import chart_data, curve_table
from ruleplay.report.figures import Legend, legend_of
from ruleplay.report.page_parts import CHARTS, RULES, render
from ruleplay.report.portrait_data import portrait_model
from ruleplay.report.table import Table
from ruleplay.report.text import interval, number, show_seeds
from ruleplay.studies.own.analysis import CellResult, OwnAnalysis, ProblemResult
from ruleplay.studies.own.metrics import METRICS
from ruleplay.studies.own.tables import warnings_of

PACKAGE = __name__.rpartition(".")[0]
ROOM = 0.04  # of a scale, beyond the outermost intervals


def render_own_page(analysis: OwnAnalysis, tables: Mapping[str, Table], *, source: str) -> str:
    """Return the page as text."""
    legend = own_legend(analysis)
    return render(
        "page.html",
        (*RULES, *CHARTS),
        package=PACKAGE,
        study=analysis.description,
        source=source,
        counted=count_runs(analysis),
        warnings=warnings_of(analysis),
        sections=[
            problem_section(problem, number, legend, tables.get("pairs"))
            for number, problem in enumerate(analysis.problems)
        ],
        cells=tables["cells"],
        runs=tables["runs"],
        failures=analysis.failures,
        looks=legend.looks,
    )


def own_legend(analysis: OwnAnalysis) -> Legend:
    """Give each label its look, the same on all problems."""
    return legend_of(dict.fromkeys(cell.label for cell in analysis.description.cells))


def count_runs(analysis: OwnAnalysis) -> str:
    """Say how large the study is."""
    cells, seeds = len(analysis.description.cells), analysis.description.seeds
    return (
        f"{analysis.runs} run{'s' * (analysis.runs != 1)} of {cells} cell{'s' * (cells != 1)}, "
        f"seeds {show_seeds(tuple(sorted(seeds)))}"
    )


def problem_section(
    problem: ProblemResult, place: int, legend: Legend, pairs: Table | None
) -> dict[str, Any]:
    """Collect what the page shows about one problem."""
    described, bands = problem.described, problem.bands
    samples = {cell.label: cell.sample for cell in problem.cells}
    options: dict[str, Any] = {"single_step": described.single_step, "legend": legend}
    mine = Table("pairs", "", (), ()) if pairs is None else pairs.only("problem", described.title)
    if len(described.metrics) == 1:
        mine = mine.only("metric", METRICS[described.metrics[0]].title)
    steps = sorted({cell.sample.spec.steps for cell in problem.cells})
    name = f"problem-{place}"
    return {
        "name": name,
        "title": described.title,
        "subtitle": f"{' or '.join(f'{n:,}' for n in steps)} learning steps",
        "plots": [dot_plot(problem, metric, legend) for metric in described.metrics],
        "pairs": mine,
        "charts": chart_data(bands, samples, **options),
        "tables": [curve_table(bands, **options)],
        "portraits": portraits_of(problem, name),
    }


def portraits_of(problem: ProblemResult, name: str) -> list[dict[str, Any]]:
    """Return the rule maps of cells, as far as there are portraits."""
    models = [(cell.label, portrait_model(cell.sample)) for cell in problem.cells]
    return [
        {"id": f"rules-{name}-{k}", "agent": label, "model": model}
        for k, (label, model) in enumerate(models)
        if model is not None
    ]


def dot_plot(problem: ProblemResult, metric: str, legend: Legend) -> dict[str, Any]:
    """Place the means of all cells and their intervals on one scale, in hundredths of it."""
    estimates = [cell.estimate(metric) for cell in problem.cells]
    ends = np.array([(e.value, *e.interval) for e in estimates])
    known = ends[np.isfinite(ends)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    room = ROOM * ((high - low) or abs(high) or 1.0)
    low, high = low - room, high + room

    def place(value: float) -> float | None:
        return round(100.0 * (value - low) / (high - low), 2) if np.isfinite(value) else None

    dots = []
    for cell, estimate in zip(problem.cells, estimates, strict=True):
        left, right = map(place, estimate.interval)
        dots.append(
            {
                **_names(cell, legend),
                "at": place(estimate.value),
                "left": left,
                "width": None if left is None or right is None else round(right - left, 2),
                "text": f"{number(estimate.value)} {interval(estimate.interval)}",
            }
        )
    title = METRICS[metric].title
    return {"title": title, "low": number(low), "high": number(high), "dots": dots}


def _names(cell: CellResult, legend: Legend) -> dict[str, Any]:
    colour = f"--{legend.key(cell.label)}"
    return {"label": cell.label, "n": len(cell.sample.runs), "colour": colour}
