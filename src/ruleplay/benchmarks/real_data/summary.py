"""Write what follows from runs: tables as Markdown and CSV, and drawings of ranks."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from ruleplay.benchmarks.cells import (
    Drawing,
    decimals,
    figure_or_word,
    interval,
    p_value,
    write_drawings,
    write_tables,
)
from ruleplay.benchmarks.real_data.analysis import compare_with, means, on_sets, rank, statuses
from ruleplay.benchmarks.real_data.drawing import draw_ranks
from ruleplay.benchmarks.real_data.kinds import kind_of
from ruleplay.benchmarks.real_data.runs import read_runs
from ruleplay.benchmarks.run_file import FAILED, NOT_APPLICABLE, OK
from ruleplay.report.table import Column, Table

BASELINE = "xcs"


def write_summary(folder: Path, baseline: str = BASELINE) -> list[Path]:
    """Rebuild the tables and drawings of a folder from its runs; return the files."""
    runs = read_runs(folder)
    written = write_tables(folder, make_tables(runs, baseline))
    return [*written, *write_drawings(folder, drawings_of(runs))]


def drawings_of(runs: pd.DataFrame) -> Iterator[Drawing]:
    """Yield the drawings of mean ranks by each figure, if there are any to compare."""
    kind = kind_of(runs)
    for figure, word in kind.figures.items():
        standing = rank(runs, figure)
        if len(standing.ranks) >= 2 and standing.sets:
            name = f"ranks-{figure.replace('_', '-')}"
            yield name, partial(draw_ranks, standing, word, kind.roster)


def make_tables(runs: pd.DataFrame, baseline: str = BASELINE) -> dict[str, Table]:
    """Return the tables of a comparison by name; those against a contender only if it ran."""
    tables, figures = [overview(runs)], kind_of(runs).figures
    if baseline in set(runs["contender"]):
        tables += [versus(runs, baseline, figure) for figure in figures]
    tables += [by_set(runs, figure) for figure in figures]
    return {table.name: table for table in tables}


def overview(runs: pd.DataFrame) -> Table:
    """Return a row per contender: means, mean ranks, sizes, times, failures."""
    kind = kind_of(runs)
    summed, standings = means(runs), {figure: rank(runs, figure) for figure in kind.figures}
    rows = []
    for name, row in summed.iterrows():
        ranks = {f"rank_{figure}": one.ranks.get(name) for figure, one in standings.items()}
        rows.append({"contender": kind.roster.title(str(name)), **row.to_dict(), **ranks})
    columns = [Column("contender", "contender")]
    for figure, word in kind.figures.items():
        columns.append(Column(figure, word, decimals(3), number=True))
        columns.append(Column(f"rank_{figure}", "rank", decimals(1), number=True))
    columns += [
        *(Column(name, word, decimals(3), number=True) for name, word in kind.others.items()),
        Column("rules", "rules", decimals(0), number=True),
        Column("mean_rules", "mean rules", decimals(1), number=True),
        Column("conditions", "conditions", decimals(0), number=True),
        Column("fit_seconds", "CPU s to fit", decimals(2), number=True),
        Column(OK, "sets", decimals(0), number=True),
        Column(FAILED, "failed", decimals(0), number=True),
        Column(NOT_APPLICABLE, "not applicable", decimals(0), number=True),
    ]
    note = (
        "Means over the sets on which a contender did not fail; ranks are means over "
        f"{next(iter(standings.values())).sets} sets on which all have run, a failure being last. "
        f"{_listed(kind.medians)} are medians over the sets. Contenders that cannot be given some "
        "of the sets have no ranks."
    )
    return Table("overview", "All contenders", columns, rows, note)


def versus(runs: pd.DataFrame, baseline: str, figure: str) -> Table:
    """Return a row per contender beside the one that all are compared with."""
    kind = kind_of(runs)
    title, word = kind.roster.title, kind.figures[figure]
    rows = [
        {
            "contender": title(one.contender),
            "sets": one.comparison.n,
            "difference": one.comparison.difference,
            "interval": one.comparison.interval,
            "wins": f"{one.wins} / {one.ties} / {one.losses}",
            "effect": one.comparison.effect,
            "p": one.p,
        }
        for one in compare_with(runs, baseline, figure)
    ]
    columns = [
        Column("contender", "contender"),
        Column("sets", "sets", number=True),
        Column("difference", "difference", decimals(3, sign=True), number=True),
        Column("interval", "95 % interval", interval),
        Column("wins", "better / equal / worse"),
        Column("effect", "effect", decimals(2, sign=True), number=True),
        Column("p", "p", p_value, number=True),
    ]
    note = (
        f"Contender minus {title(baseline)}, set by set. Wilcoxon's signed-rank test, two-sided, "
        "p-values adjusted by Holm's method; the interval of the mean is a bootstrap; the effect "
        "is the matched-pairs rank-biserial correlation."
    )
    name = f"versus-{figure.replace('_', '-')}"
    return Table(name, f"Against {title(baseline)}: {word}", columns, rows, note)


def by_set(runs: pd.DataFrame, figure: str) -> Table:
    """Return a row per set with a figure of each contender."""
    values, fared, kind = on_sets(runs, figure), statuses(runs), kind_of(runs)
    rows: list[dict[str, Any]] = []
    for name in values.index:
        row: dict[str, Any] = {"set": name}
        for contender, value in values.loc[name].items():
            status = fared.loc[name, contender]
            row[str(contender)] = status if status in (FAILED, NOT_APPLICABLE) else value
        rows.append(row)
    columns = [Column("set", "set")]
    columns += [
        Column(name, kind.roster.title(name), figure_or_word, number=True) for name in values
    ]
    named = f"sets-{figure.replace('_', '-')}"
    return Table(named, f"Each set: {kind.figures[figure]}", columns, rows)


def _listed(names: Sequence[str]) -> str:
    """Return the names of figures as the start of a sentence.

    >>> _listed(("rules", "conditions")), _listed(("rules", "conditions", "r2"))
    ('Rules and conditions', 'Rules, conditions and R²')
    """
    *first, last = [{"r2": "R²"}.get(name, name) for name in names]
    text = f"{', '.join(first)} and {last}"
    return text[0].upper() + text[1:]
