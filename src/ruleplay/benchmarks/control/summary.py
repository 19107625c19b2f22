"""Write what follows from runs of control: tables as Markdown and CSV, and profiles."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ruleplay.benchmarks.cells import Drawing, decimals, write_drawings, write_tables
from ruleplay.benchmarks.control.analysis import (
    FIGURES,
    better_than,
    contenders_of,
    middle,
    normalised,
    problems_of,
    scales,
    shared_problems,
    to_threshold,
)
from ruleplay.benchmarks.control.contenders import ROSTER
from ruleplay.benchmarks.control.drawing import draw_profiles
from ruleplay.benchmarks.control.references import read_references
from ruleplay.benchmarks.control.runs import read_runs
from ruleplay.benchmarks.run_file import FAILED, NOT_APPLICABLE, OK
from ruleplay.experiments.stats import Estimate, bootstrap_interval
from ruleplay.report.table import Column, Table

BASELINE = "xcs"


def write_summary(folder: Path, baseline: str = BASELINE) -> list[Path]:
    """Rebuild the tables and drawings of a folder from its runs; return the files."""
    runs = read_runs(folder)
    written = write_tables(folder, make_tables(runs, baseline))
    return [*written, *write_drawings(folder, drawings_of(runs))]


def drawings_of(runs: pd.DataFrame) -> Iterator[Drawing]:
    """Yield the performance profiles by each figure, if there is anything to draw."""
    if shared_problems(runs, compared(runs)):
        for figure in FIGURES:
            yield f"profiles-{figure}", partial(draw_profiles, runs, figure, compared(runs))


def make_tables(runs: pd.DataFrame, baseline: str = BASELINE) -> dict[str, Table]:
    """Return the tables of a comparison by name; that against a contender only if it ran."""
    tables = [overview(runs), *(by_problem(runs, figure) for figure in FIGURES)]
    tables += [normalised_scores(runs, figure) for figure in FIGURES]
    if baseline in set(runs["contender"]):
        tables.append(versus(runs, baseline))
    tables += [references(runs), times(runs), thresholds(runs)]
    return {table.name: table for table in tables}


def compared(runs: pd.DataFrame) -> list[str]:
    """Return the contenders that can be given every problem of the runs."""
    refused = set(runs.loc[runs["status"] == NOT_APPLICABLE, "contender"])
    return [name for name in contenders_of(runs) if name not in refused]


def overview(runs: pd.DataFrame) -> Table:
    """Return a row per contender: interquartile means, sizes, times, failures."""
    problems = shared_problems(runs, compared(runs))
    good = {figure: normalised(runs, figure) for figure in FIGURES}
    rows = []
    for name in contenders_of(runs):
        own = runs[runs["contender"] == name]
        row: dict[str, Any] = {"contender": ROSTER.title(name)}
        for figure in FIGURES:
            if name in compared(runs):
                row |= _cells(figure, middle(good[figure], name, problems))
        row |= {column: own[column].median() for column in ("rules", "conditions")}
        row["seconds"] = own.groupby("problem")["seconds"].mean().mean()
        row |= {status: int((own["status"] == status).sum()) for status in WORDS}
        rows.append(row)
    columns = [
        Column("contender", "contender"),
        *(Column(f"{figure}_text", f"normalised, {word}") for figure, word in FIGURES.items()),
        Column("rules", "rules", decimals(0), number=True),
        Column("conditions", "conditions", decimals(0), number=True),
        Column("seconds", "CPU s to learn", decimals(1), number=True),
        *(Column(status, word, number=True) for status, word in WORDS.items()),
    ]
    note = (
        "Normalised scores: 0 is random play, 1 the best policy. Interquartile means over the "
        f"runs on {len(problems)} problems on which all have run that can be given every one, "
        "with 95 % intervals of a bootstrap within problems. Rules and conditions are medians, "
        "seconds the mean over problems."
    )
    return Table("overview", "All contenders", columns, rows, note)


WORDS = {OK: "runs", FAILED: "failed", NOT_APPLICABLE: "not applicable"}


def by_problem(runs: pd.DataFrame, figure: str) -> Table:
    """Return a row per problem with the mean score of each contender and its interval."""
    title = f"Scores, {FIGURES[figure]}"
    note = "Means over the runs, with 95 % bootstrap intervals where there are several."
    return _grid(runs, f"scores-{figure}", title, lambda own: _mean(own[figure]), note)


def normalised_scores(runs: pd.DataFrame, figure: str) -> Table:
    """Return a row per problem with the interquartile mean of normalised scores."""
    good = normalised(runs, figure)

    def cell(own: pd.DataFrame) -> Estimate:
        contender, problem = own["contender"].iloc[0], own["problem"].iloc[0]
        return middle(good, contender, [problem])

    title = f"Normalised scores, {FIGURES[figure]}"
    note = "0 is random play, 1 the best policy. Interquartile means with 95 % intervals."
    return _grid(runs, f"normalised-{figure}", title, cell, note)


def versus(runs: pd.DataFrame, baseline: str) -> Table:
    """Return how often a run of each contender is better than one of another, by problem."""
    good = normalised(runs, "best")
    others = [name for name in contenders_of(runs) if name != baseline]
    found = {name: better_than(good, baseline, name) for name in others}
    rows = []
    for problem in problems_of(runs):
        row: dict[str, Any] = {"problem": problem}
        for name in others:
            row |= _cells(name, found[name].get(problem))
        rows.append(row)
    columns = [Column("problem", "problem")]
    columns += [Column(f"{name}_text", ROSTER.title(name)) for name in others]
    title = f"Probability that a run is better than one of {ROSTER.title(baseline)}"
    note = "By the best of the checkpoints; ties count one half. 95 % bootstrap intervals."
    return Table("versus", title, columns, rows, note)


def references(runs: pd.DataFrame) -> Table:
    """Return what is 0 and what is 1 on each problem, and why."""
    known, ends = read_references(), scales(runs, "best")
    rows = [
        {"problem": name, "random": ends[name][0], "best": ends[name][1], "by": known[name].source}
        for name in problems_of(runs)
    ]
    columns = [
        Column("problem", "problem"),
        Column("random", "random play", decimals(3), number=True),
        Column("best", "best", decimals(3), number=True),
        Column("by", "best by"),
    ]
    return Table("references", "Between what scores are normalised", columns, rows)


def times(runs: pd.DataFrame) -> Table:
    """Return a row per problem with the CPU seconds of learning."""
    note = "Means over the runs. Lists and trees include the run that they come from."
    title = "CPU seconds to learn"
    return _grid(runs, "seconds", title, lambda own: float(own["seconds"].mean()), note)


def thresholds(runs: pd.DataFrame) -> Table:
    """Return the steps and seconds until a problem is solved, medians over the runs."""
    found = to_threshold(runs)
    rows = []
    for (problem, contender), group in found.groupby(["problem", "contender"], sort=False):
        solved = np.isfinite(group["steps_to"])
        rows.append(
            {
                "problem": problem,
                "contender": ROSTER.title(str(contender)),
                "threshold": group["threshold"].iloc[0],
                "solved": f"{solved.sum()} of {len(group)}",
                "steps": _median(group["steps_to"]),
                "seconds": _median(group["seconds_to"]),
            }
        )
    columns = [
        Column("problem", "problem"),
        Column("contender", "contender"),
        Column("threshold", "threshold", decimals(2), number=True),
        Column("solved", "runs that reach it"),
        Column("steps", "steps", _or_never(0), number=True),
        Column("seconds", "CPU s", _or_never(1), number=True),
    ]
    note = (
        "Medians over all runs until a checkpoint of ten episodes first reaches the threshold, "
        "that of Gymnasium, or a normalised score of 0.9; never, if half of the runs do not."
    )
    return Table("thresholds", "Steps and CPU seconds to the threshold", columns, rows, note)


def _grid(runs: pd.DataFrame, name: str, title: str, cell: Any, note: str) -> Table:
    """Return a table of problems and contenders; `cell` sums up the runs of both."""
    contenders = contenders_of(runs)
    rows = []
    for problem in problems_of(runs):
        row: dict[str, Any] = {"problem": problem}
        for contender in contenders:
            here = (runs["problem"] == problem) & (runs["contender"] == contender)
            row |= _cells(contender, _summed(runs[here], cell))
        rows.append(row)
    columns = [Column("problem", "problem")]
    columns += [Column(f"{one}_text", ROSTER.title(one)) for one in contenders]
    return Table(name, title, columns, rows, note)


def _summed(own: pd.DataFrame, cell: Any) -> Any:
    """Return what runs come to, or the word for why they do not."""
    good = own[own["status"] == OK]
    if len(good):
        return cell(good)
    return own["status"].iloc[0] if len(own) else None


def _mean(values: "pd.Series[float]") -> Estimate:
    sample = values.to_numpy(np.float64)
    return Estimate(float(sample.mean()), bootstrap_interval([sample], np.mean))


def _median(values: "pd.Series[float]") -> float:
    """Return the median of values some of which are infinite: the upper one of two."""
    return float(np.sort(values.to_numpy())[len(values) // 2])


def _estimate(found: Estimate) -> str:
    """Write a value with its interval."""
    if pd.isna(found.value):
        return ""
    digits = 3 if abs(found.value) < 10.0 else 1
    text = f"{found.value:.{digits}f}"
    if pd.isna(found.interval[0]):
        return text
    return f"{text} ({found.interval[0]:.{digits}f} to {found.interval[1]:.{digits}f})"


def _cells(key: str, value: Any) -> dict[str, Any]:
    """Return what a row has about a value: the value, the ends of its interval, and a text."""
    if value is None:
        return {}
    if isinstance(value, str):
        return {f"{key}_text": value}
    if isinstance(value, float):
        return {key: value, f"{key}_text": decimals(1)(value)}
    low, high = value.interval
    return {
        key: value.value,
        f"{key}_low": low,
        f"{key}_high": high,
        f"{key}_text": _estimate(value),
    }


def _or_never(digits: int) -> Any:
    def write(value: float) -> str:
        return "never" if np.isinf(value) else f"{value:.{digits}f}"

    return write
