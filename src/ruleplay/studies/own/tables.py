"""Lay out the tables of a study of the user's own."""

from functools import partial
from typing import Any

from ruleplay.experiments.stats import LEVEL
from ruleplay.report.table import Column, Row, Table
from ruleplay.report.text import interval, mean_sd, number, p_value, show_seeds, signed
from ruleplay.studies.own.analysis import FEW_PAIRS, CellResult, OwnAnalysis, Pair, ProblemResult
from ruleplay.studies.own.metrics import METRICS

_FIGURES = tuple(METRICS)


def cell_table(analysis: OwnAnalysis) -> Table:
    """Show the figures of each cell: those compared with interval, others with deviation."""
    compared = dict.fromkeys(m for p in analysis.problems for m in p.described.metrics)
    cells = [cell for problem in analysis.problems for cell in problem.cells]
    others = [m for m in _FIGURES if m not in compared and any(c.sample.has(m) for c in cells)]
    columns = [Column("problem", "Problem"), Column("cell", "Cell")]
    columns.append(Column("n", "Runs", number=True))
    columns += [Column(f"{metric}_interval", METRICS[metric].title) for metric in compared]
    columns += [Column(f"{metric}_sd", METRICS[metric].title) for metric in others]
    rows = [
        _cell_row(problem, cell, tuple(compared), others)
        for problem in analysis.problems
        for cell in problem.cells
    ]
    note = (
        f"{_titles(compared)}: mean over runs [95 % bootstrap interval]. "
        "Other figures: mean ± standard deviation over runs."
    )
    return Table("cells", "Cells", columns, rows, note)


def _titles(metrics: dict[str, None]) -> str:
    return "; ".join(METRICS[metric].title for metric in metrics)


def _cell_row(
    problem: ProblemResult, cell: CellResult, compared: tuple[str, ...], others: list[str]
) -> Row:
    row: dict[str, Any] = {
        "problem": problem.described.title,
        "cell": cell.label,
        "n": len(cell.sample.runs),
    }
    for metric in compared:
        if cell.sample.has(metric):
            estimate = cell.estimate(metric)
            row[f"{metric}_interval"] = f"{number(estimate.value)} {interval(estimate.interval)}"
            row |= {metric: estimate.value, f"{metric}_low": estimate.interval[0]}
            row[f"{metric}_high"] = estimate.interval[1]
    for metric in others:
        if cell.sample.has(metric):
            mean, sd = cell.estimate(metric).value, cell.deviation(metric)
            row |= {f"{metric}_sd": mean_sd(mean, sd), metric: mean}
    return row


def pair_table(analysis: OwnAnalysis) -> Table:
    """Show how cells differ, pair by pair."""
    columns = (
        Column("problem", "Problem"),
        Column("metric", "Figure"),
        Column("first", "A"),
        Column("second", "B"),
        Column("n", "Pairs", number=True),
        Column("change", "B - A [95 %]"),
        Column("p", "p", p_value, number=True),
        Column("holm_p", "Holm p", p_value, number=True),
        Column("effect", "Effect size", partial(signed, digits=2), number=True),
        Column("finding", "Finding"),
    )
    rows = [_pair_row(pair) for pair in analysis.pairs]
    note = (
        "Pairs are runs with the same seed. B - A: mean difference [95 % bootstrap interval]. "
        "p: Wilcoxon signed-rank test, two-sided. Holm p: adjusted for all "
        f"{len(rows)} comparisons of this study; a finding is one below {LEVEL:g}. "
        "Effect size: rank-biserial correlation, from -1 to 1."
    )
    return Table("pairs", "Cells compared in pairs", columns, rows, note)


def _pair_row(pair: Pair) -> Row:
    found = pair.comparison
    return {
        "problem": pair.problem,
        "metric": METRICS[pair.metric].title,
        "first": pair.first,
        "second": pair.second,
        "n": found.n,
        "change": f"{number(found.difference)} {interval(found.interval)}",
        "difference": found.difference,
        "low": found.interval[0],
        "high": found.interval[1],
        "p": found.p,
        "holm_p": pair.holm_p,
        "effect": found.effect,
        "finding": pair.finding,
    }


def run_table(analysis: OwnAnalysis) -> Table:
    """Say which runs there are, so that they can be made again."""
    columns = (
        Column("problem", "Problem"),
        Column("cell", "Cell"),
        Column("preset", "Preset"),
        Column("agent", "Agent"),
        Column("steps", "Steps", number=True),
        Column("n", "Runs", number=True),
        Column("seeds", "Seeds"),
        Column("seconds", "Seconds a run", number),
        Column("digest", "Specification"),
    )
    rows = [
        {
            "problem": problem.described.title,
            "cell": cell.label,
            "preset": cell.sample.key.preset,
            "agent": cell.sample.key.agent,
            "steps": cell.sample.spec.steps,
            "n": len(cell.sample.runs),
            "seeds": show_seeds(cell.sample.seeds),
            "seconds": cell.estimate("seconds").value,
            "digest": cell.sample.key.digest[:16],
        }
        for problem in analysis.problems
        for cell in problem.cells
    ]
    return Table("runs", "Runs", columns, rows)


def warnings_of(analysis: OwnAnalysis) -> list[str]:
    """Say what a reader must know before believing the figures."""
    found = []
    if analysis.lacking:
        found.append(f"{analysis.lacking} of {analysis.description.runs} runs are still lacking.")
    if analysis.failures:
        found.append(f"Failed runs: {len(analysis.failures)}; they are listed at the end.")
    few = [pair for pair in analysis.pairs if pair.comparison.n <= FEW_PAIRS]
    if few:
        most = max(pair.comparison.n for pair in few)
        found.append(
            f"{len(few)} of {len(analysis.pairs)} comparisons rest on {most} pairs of runs or "
            "fewer, of which no test can tell a difference from chance: six are the least. "
            "Intervals of so few runs are too narrow."
        )
    return found


def make_own_tables(analysis: OwnAnalysis) -> dict[str, Table]:
    """Lay out all tables that have rows, by name."""
    made = [cell_table(analysis), pair_table(analysis), run_table(analysis)]
    return {table.name: table for table in made if table.rows}
