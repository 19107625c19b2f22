"""Lay out the tables of a report: the paper's own, and those that the paper has not."""

import math
from functools import partial
from typing import Any

from ruleplay.report.table import Column, Row, Table
from ruleplay.report.text import ARROWS, DASH, interval, mean_sd, number, p_value, signed, stars
from ruleplay.studies.paper.analysis import KINDS, Analysis, CellReport, ProblemReport
from ruleplay.studies.paper.printed import METRICS, PaperCell
from ruleplay.studies.paper.verdicts import VERDICTS, Ours, Tally, summarise

NAMES = {
    "reward": "Reward",
    "system_error": "System error",
    "macroclassifiers": "Macroclassifiers",
    "generality": "Generality (half-widths)",
    "generality_volume": "Generality (volume)",
    "otm": "OTM",
    "diverged": "Diverged",
}

TITLES = {"single-step": "Single-step problems", "multi-step": "Multi-step problems"}

_TESTS = {"t": "paired t", "wilcoxon": "Wilcoxon"}

WHERE = (Column("problem", "Problem"), Column("agent", "Agent"), Column("metric", "Measure"))


def summary_table(analysis: Analysis) -> Table:
    """Count verdicts by problem and by table."""
    rows: list[Row] = []
    for kind in KINDS:
        rows += [
            _count_row(report.problem.title, report.tally) for report in analysis.of_kind(kind)
        ]
        if analysis.of_kind(kind):
            rows.append(_count_row(f"{TITLES[kind]}, all", analysis.tally(kind)))
    columns = [Column("problem", "Problem"), Column("cells", "Cells", number=True)]
    found = [
        verdict for verdict in VERDICTS if verdict != "open" or analysis.tally().counts["open"]
    ]
    columns += [Column(verdict, verdict.capitalize(), number=True) for verdict in found]
    columns += [Column("effects", "Effects tested", number=True)]
    columns += [Column("same_effects", "Same effect", number=True)]
    return Table("summary", "Verdicts", columns, rows)


def _count_row(title: str, tally: Tally) -> Row:
    row: dict[str, Any] = {
        "problem": title,
        "cells": tally.cells,
        **{str(verdict): count for verdict, count in tally.counts.items()},
    }
    return row | {"effects": tally.effects, "same_effects": tally.same_effects}


def result_table(analysis: Analysis, kind: str) -> Table:
    """Lay out our results as the paper lays out its own."""
    reports = analysis.of_kind(kind)
    shown = [m for m in METRICS if any(m in report.problem.metrics for report in reports)]
    columns = [Column("problem", "Problem"), Column("agent", "Agent")]
    columns += [Column("n", "Runs", number=True)]
    for metric in shown:
        columns.append(Column(metric, NAMES[metric]))
        if metric == "generality":
            columns.append(Column("generality_volume", NAMES["generality_volume"]))
    rows = [
        _result_row(report, agent)
        for report in reports
        for agent in report.problem.agents
        if agent in report.samples
    ]
    note = "Mean ± SD over runs; arrows and stars against XCS as in the paper."
    return Table(kind, TITLES[kind], columns, rows, note)


def _result_row(report: ProblemReport, agent: str) -> Row:
    sample = report.samples[agent]
    row: dict[str, Any] = {
        "problem": report.problem.title,
        "agent": report.problem.row(agent).label,
        "n": len(sample.runs),
    }
    for metric in report.problem.metrics:
        cell = report.cell(agent, metric)
        row[metric] = DASH if cell is None else show_ours(cell.ours, counted=cell.paper.is_count)
    if sample.has("generality_volume"):
        row["generality_volume"] = mean_sd(*summarise(sample.values("generality_volume"))[:2])
    return row


def cell_table(analysis: Analysis, kind: str) -> Table:
    """Set every cell of the paper beside ours, with its verdict."""
    columns = (
        *WHERE,
        Column("paper", "Paper"),
        Column("ours", "Ours"),
        Column("n", "Runs", number=True),
        Column("sds", "Difference in paper SDs", signed, number=True),
        Column("same_p", "Same? p", p_value, number=True),
        Column("paper_effect", "Effect, paper"),
        Column("our_effect", "Effect, ours"),
        Column("opposed", "Opposed", lambda opposed: "yes" if opposed else ""),
        Column("verdict", "Verdict"),
    )
    rows = [cell_row(cell) for cell in analysis.cells(kind)]
    title = f"{TITLES[kind]}: the paper and ours, cell by cell"
    note = (
        "Same? p: Welch's t-test, for numbers of runs Fisher's test, of ours against the paper's."
    )
    return Table(f"cells-{kind}", title, columns, rows, note)


def cell_row(cell: CellReport) -> dict[str, Any]:
    """Return everything about a cell as plain values."""
    paper, ours, judgement = cell.paper, cell.ours, cell.judgement
    return {
        **_where(cell),
        "paper": show_paper(paper),
        "paper_mean": paper.mean.value,
        "paper_sd": None if paper.sd is None else paper.sd.value,
        "ours": show_ours(ours, counted=paper.is_count),
        "mean": None if ours is None else ours.mean,
        "sd": None if ours is None else ours.sd,
        "n": 0 if ours is None else ours.n,
        "difference": judgement.difference,
        "sds": judgement.sds,
        "same_p": judgement.same_p,
        "paper_effect": judgement.paper_effect or DASH,
        "our_effect": judgement.our_effect or DASH,
        "opposed": judgement.opposed,
        "verdict": judgement.verdict,
        "reason": judgement.reason,
    }


def shapiro_table(analysis: Analysis) -> Table:
    """Set the p-values of the Shapiro-Wilk tests side by side."""
    columns = (
        *WHERE,
        Column("paper_p", "Paper's p"),
        Column("p", "Our p", p_value, number=True),
        Column("normal", "Ours normal", _yes),
    )
    rows = [
        {
            **_where(cell),
            "paper_p": cell.row.shapiro[cell.metric].text,
            "p": cell.normality.p,
            "normal": cell.normality.normal,
        }
        for cell in analysis.cells()
        if cell.normality is not None
    ]
    return Table("shapiro", "Shapiro-Wilk tests for normality", columns, rows)


def comparison_table(analysis: Analysis) -> Table:
    """Set the paper's comparisons with XCS beside ours."""
    columns = (
        *WHERE,
        Column("paper_test", "Paper's test", _TESTS.__getitem__),
        Column("paper_p", "Paper's p"),
        Column("test", "Our test", _TESTS.__getitem__),
        Column("n", "Pairs", number=True),
        Column("p", "Our p", p_value, number=True),
        Column("holm_p", "Holm p", p_value, number=True),
        Column("change", "Change [95 %]"),
        Column("effect", "Effect size", partial(signed, digits=2), number=True),
    )
    rows = [_test_row(cell) for cell in analysis.cells() if cell.comparison is not None]
    note = (
        "Change: mean paired difference from XCS with its bootstrap interval. Effect size: "
        "Cohen's d_z beside a t-test, rank-biserial correlation beside a Wilcoxon test. "
        "Holm: over all comparisons of the paper's table (single-step or multi-step)."
    )
    return Table("tests", "Comparisons with XCS", columns, rows, note)


def _test_row(cell: CellReport) -> Row:
    comparison = cell.comparison
    assert comparison is not None
    return {
        **_where(cell),
        "paper_test": cell.problem.test,
        "paper_p": cell.row.comparison[cell.metric].text,
        "test": comparison.test,
        "alternative": comparison.alternative,
        "n": comparison.n,
        "p": comparison.p,
        "holm_p": cell.holm_p,
        "change": f"{number(comparison.difference)} {interval(comparison.interval)}",
        "difference": comparison.difference,
        "low": comparison.interval[0],
        "high": comparison.interval[1],
        "effect": comparison.effect,
    }


def show_paper(cell: PaperCell) -> str:
    """Write a printed cell as it was printed."""
    spread = "" if cell.sd is None else f" ± {cell.sd.text}"
    return f"{cell.mean.text}{spread} {ARROWS[cell.arrow]}{'*' * cell.stars}".strip()


def show_ours(ours: Ours | None, *, counted: bool) -> str:
    """Write our side of a cell in the paper's manner; numbers of runs with the number of all."""
    if ours is None or ours.n == 0:
        return DASH
    text = f"{ours.mean:.0f} of {ours.n}" if counted else mean_sd(ours.mean, ours.sd)
    if math.isnan(ours.change):
        return text
    arrow = "↑" if ours.change > 0 else "↓" if ours.change < 0 else ""
    return f"{text} {arrow}{'' if counted else stars(ours.p)}".strip()


def _where(cell: CellReport) -> dict[str, str]:
    return {"problem": cell.problem.title, "agent": cell.row.label, "metric": NAMES[cell.metric]}


def _yes(value: bool) -> str:
    return "yes" if value else "no"
