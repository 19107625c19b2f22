"""Collect what a page shows about the paper's problems, and what its reader must know before."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ruleplay.experiments.spec import load_preset
from ruleplay.report.chart_data import chart_data, curve_table
from ruleplay.report.figures import AGENTS
from ruleplay.report.portrait_data import portrait_model
from ruleplay.report.samples import Sample
from ruleplay.report.table import Table
from ruleplay.report.text import mean_sd, signed
from ruleplay.studies.paper.analysis import Analysis, CellReport, ProblemReport
from ruleplay.studies.paper.tables import NAMES, show_ours, show_paper
from ruleplay.studies.paper.verdicts import (
    CLOSE_FACTOR,
    CLOSE_SDS,
    FEW_RUNS_DECIDE,
    is_provisional,
    summarise,
)

_PROBLEM_TABLES = ("tests", "shapiro", "intervals", "divergence")


def warnings_of(analysis: Analysis) -> list[str]:
    """Say what a reader must know before believing the verdicts."""
    compared = [sample for report in analysis.problems for sample in report.samples.values()]
    found = []
    changed = [sample for sample in compared if not sample.as_published]
    if changed:
        found.append(
            f"{len(changed)} of {len(compared)} rows were not run with the settings and the length "
            f"of the paper ({_lengths(changed)}). Their verdicts say nothing about the paper."
        )
    wanted = analysis.paper.runs
    few = [sample for sample in compared if len(sample.runs) < wanted]
    if few:
        fewest, most = (f(len(sample.runs) for sample in few) for f in (min, max))
        number = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        found.append(
            f"{len(few)} of {len(compared)} rows rest on {number} runs, the paper's on {wanted}. "
            "Their verdicts are provisional: what more runs may turn is left open."
        )
    missing = [cell for cell in analysis.cells() if cell.judgement.verdict == "missing"]
    if missing:
        rows = dict.fromkeys(f"{cell.problem.title} {cell.row.label}" for cell in missing)
        found.append(f"There are no runs for {', '.join(rows)}.")
    present = {report.problem.preset for report in analysis.problems}
    absent = [p.title for p in analysis.paper.problems if p.preset not in present]
    if absent and present:
        found.append(f"Not run at all: {', '.join(absent)}.")
    if analysis.failures:
        found.append(f"Failed runs: {len(analysis.failures)}; they are listed at the end.")
    return found


def runs_instead(analysis: Analysis) -> str:
    """Say how many runs the verdicts rest on, if they are fewer than the paper's."""
    counts = sorted(set(runs_compared(analysis)))
    if not any(map(is_provisional, counts)):
        return ""
    number = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{number} runs instead of {analysis.paper.runs}"


def runs_compared(analysis: Analysis) -> list[int]:
    """Return how many runs stand behind each row beside the paper."""
    return [len(s.runs) for report in analysis.problems for s in report.samples.values()]


def _lengths(samples: Iterable[Sample]) -> str:
    """Describe how the runs of changed samples differ in length from their presets."""
    shares = {sample.spec.steps / load_preset(sample.key.preset).steps for sample in samples}
    if shares == {1.0}:
        return "same length, other settings"
    low, high = f"{100 * min(shares):.3g}", f"{100 * max(shares):.3g}"
    return f"{low if low == high else f'{low} to {high}'} % of the steps"


def problem_section(report: ProblemReport, tables: Mapping[str, Table]) -> dict[str, Any]:
    """Collect what the page shows about one problem."""
    problem = report.problem
    name = problem.preset.split("/")[-1]
    chosen = [
        tables[key].only("problem", problem.title) for key in _PROBLEM_TABLES if key in tables
    ]
    legend = AGENTS._replace(write=lambda agent: agent_label(report, agent))
    curves = curve_table(report.bands, single_step=problem.single_step, legend=legend)
    return {
        "name": name,
        "problem": problem,
        "subtitle": load_preset(problem.preset).title,
        "headings": [NAMES[metric] for metric in problem.metrics],
        "rows": [problem_row(report, agent) for agent in problem.agents],
        "tally": report.tally,
        "charts": chart_data(
            report.bands, report.samples, single_step=problem.single_step, legend=legend
        ),
        "portraits": portraits_of(report, name),
        "tables": [table for table in (curves, *chosen) if table.rows],
        "notes": [(NAMES[note.metric], note.text) for note in problem.notes],
    }


def agent_label(report: ProblemReport, agent: str) -> str:
    """Return what the paper's table calls an agent of its own, for others their name."""
    is_printed = agent in report.problem.agents
    return report.problem.row(agent).label if is_printed else agent.upper()


def problem_row(report: ProblemReport, agent: str) -> dict[str, Any]:
    """Return one agent's row of the paper's table, ours and the paper's."""
    sample = report.samples.get(agent)
    return {
        "label": report.problem.row(agent).label,
        "agent": agent,
        "n": 0 if sample is None else len(sample.runs),
        "cells": [page_cell(report, agent, metric) for metric in report.problem.metrics],
    }


def page_cell(report: ProblemReport, agent: str, metric: str) -> dict[str, Any] | None:
    """Return what stands in one cell of the page."""
    cell, sample = report.cell(agent, metric), report.samples.get(agent)
    if cell is None:
        return None
    volume = ""
    if metric == "generality" and sample is not None:
        volume = mean_sd(*summarise(sample.values("generality_volume"))[:2])
    return {
        "ours": show_ours(cell.ours, counted=cell.paper.is_count),
        "paper": show_paper(cell.paper),
        "volume": volume,
        "verdict": cell.judgement.verdict,
        "reason": cell.judgement.reason,
        "opposed": cell.judgement.opposed,
        "away": "" if math.isnan(cell.judgement.sds) else signed(cell.judgement.sds),
        "remark": distance_remark(cell),
    }


def distance_remark(cell: CellReport) -> str:
    """Say why a cell matches that looks too far away for it."""
    judged, paper = cell.judgement, cell.paper
    if judged.verdict != "match" or not abs(judged.sds) > CLOSE_SDS or paper.is_count:
        return ""
    if paper.spread > FEW_RUNS_DECIDE * abs(paper.mean.value):
        return f"within a factor of {CLOSE_FACTOR:g}"
    return "rounding allowed for"


def verdict_sentence(analysis: Analysis) -> str:
    """Sum up how much of the paper is found again."""
    tally = analysis.tally()
    if not tally.cells:
        return ""
    said = {
        "match": "match",
        "direction": "have another number but the same effect",
        "differs": "differ",
        "open": "need more runs",
        "missing": "have no runs",
    }
    counts = [f"{count} {said[verdict]}" for verdict, count, _ in tally.shares]
    parts = f"{', '.join(counts[:-1])} and {counts[-1]}" if len(counts) > 1 else counts[0]
    effects = (
        f" What replay or DQN changes against XCS is as in the paper in {tally.same_effects} of "
        f"{tally.effects} comparisons."
    )
    return f"Of {tally.cells} numbers of the paper, {parts}.{effects if tally.effects else ''}"


def portraits_of(report: ProblemReport, name: str) -> list[dict[str, Any]]:
    """Return the rule maps of a problem's agents, as far as there are portraits."""
    found = []
    for agent in report.bands:
        model = portrait_model(report.samples[agent])
        if model is not None:
            label = agent_label(report, agent)
            found.append({"id": f"rules-{name}-{agent}", "agent": label, "model": model})
    return found
