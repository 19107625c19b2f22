"""Put results beside the paper on one page that needs nothing else, not even a network."""

from collections.abc import Mapping

from ruleplay.report.figures import LOOKS
from ruleplay.report.page_parts import CHARTS, RULES, render
from ruleplay.report.table import Table
from ruleplay.studies.beyond.analysis import beyond_section, headline_samples
from ruleplay.studies.paper.analysis import KINDS, Analysis
from ruleplay.studies.paper.page import (
    problem_section,
    runs_compared,
    runs_instead,
    verdict_sentence,
    warnings_of,
)
from ruleplay.studies.paper.tables import TITLES
from ruleplay.studies.paper.verdicts import CLOSE_SDS, share_of_chance

_WIDE_TABLES = (
    "summary",
    "aggregate",
    "divergence",
    "cells-single-step",
    "cells-multi-step",
    "aims",
    "factors",
    "ablation",
)


def render_page(analysis: Analysis, tables: Mapping[str, Table], *, source: str) -> str:
    """Return the page as text."""
    return render(
        "page.html",
        (*RULES, *CHARTS),
        package=__package__,
        source=source,
        paper=analysis.paper,
        lead=verdict_sentence(analysis),
        warnings=warnings_of(analysis),
        failures=analysis.failures,
        provisional=runs_instead(analysis),
        chance=CLOSE_SDS * share_of_chance(min(runs_compared(analysis), default=0)),
        tallies=[(kind, analysis.tally(kind)) for kind in KINDS if analysis.of_kind(kind)],
        sections=[problem_section(report, tables) for report in analysis.problems],
        beyond=[beyond_section(*item) for item in headline_samples(analysis).items()],
        titles=TITLES,
        wide_tables=[tables[name] for name in _WIDE_TABLES if name in tables],
        headline=tables.get("headline"),
        other=tables.get("other"),
        runs=tables["runs"],
        looks=LOOKS,
        n_runs=sum(len(sample.runs) for sample in analysis.samples),
    )
