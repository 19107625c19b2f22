"""Sum up runs: means, ranks, and paired tests against one contender.

A contender's figure on a set is the mean over its folds and seeds, if all of them went well; a
failure on one is a failure on the set. A set counts once, however large it is.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from ruleplay.benchmarks.real_data.kinds import kind_of
from ruleplay.benchmarks.run_file import FAILED, NOT_APPLICABLE, OK
from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError
from ruleplay.experiments.stats import LEVEL, Comparison, compare_paired, holm

DIGITS = 9  # decimals in which figures must differ to be different


@dataclass(frozen=True)
class Standing:
    """Where the contenders stand by one figure, on the sets on which all of them have run."""

    ranks: "pd.Series[float]"  # mean rank of each contender, the best first
    sets: int
    critical_difference: float  # of mean ranks (Nemenyi, 5 %)

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """Return the longest groups of neighbours that the critical difference does not part."""
        names, values = list(self.ranks.index), self.ranks.to_numpy()
        ends = [
            int(np.flatnonzero(values <= first + self.critical_difference).max())
            for first in values
        ]
        return [
            tuple(names[start : end + 1])
            for start, end in enumerate(ends)
            if end > start and (start == 0 or end > ends[start - 1])
        ]


@dataclass(frozen=True)
class Versus:
    """A contender beside the one that all are compared with."""

    contender: str
    comparison: Comparison
    p: float  # adjusted by Holm's method
    wins: int
    ties: int
    losses: int


def on_first_folds(runs: pd.DataFrame, folds: int) -> pd.DataFrame:
    """Return the runs on the first folds: where a contender lacks one on a set, none of the set."""
    first = runs[runs["fold"] < folds]
    there = first.groupby(["contender", "set"])["fold"].transform("nunique")
    return first[there == folds]


def on_sets(runs: pd.DataFrame, figure: str) -> pd.DataFrame:
    """Return a figure of each contender (columns) on each set (rows); NaN where it failed."""
    is_whole = (runs["status"] == OK).groupby([runs["set"], runs["contender"]]).all()
    means = runs.groupby(["set", "contender"])[figure].mean().where(is_whole)
    table = means.round(DIGITS).unstack()
    return table[_ordered(runs, table.columns)]


def statuses(runs: pd.DataFrame) -> pd.DataFrame:
    """Return how each contender (columns) fared on each set (rows); NaN where it has no run."""
    worst = [OK, NOT_APPLICABLE, FAILED]
    places = runs["status"].map(worst.index).groupby([runs["set"], runs["contender"]]).max()
    return places.map(lambda place: worst[place]).unstack()


def rank(runs: pd.DataFrame, figure: str) -> Standing:
    """Rank contenders by a figure on each set, equal ones sharing ranks; a failure is last.

    Contenders that cannot be given some of the sets are left out, and so are sets on which
    one of the others has no run.
    """
    fared = statuses(runs)
    fit = [name for name in fared if not (fared[name] == NOT_APPLICABLE).any()]
    complete = fared[fit].dropna().index
    values = on_sets(runs, figure).loc[complete, fit]
    better = -values if _smaller_is_better(runs, figure) else values
    ranks = better.fillna(-np.inf).rank(axis="columns", ascending=False).mean().sort_values()
    return Standing(ranks, len(complete), critical_difference(len(fit), len(complete)))


def critical_difference(contenders: int, sets: int) -> float:
    """Return by how much mean ranks must differ to differ significantly (Nemenyi, 5 %).

    q * sqrt(k (k + 1) / (6 N))                                        [Demsar2006, Sec. 3.2.2]

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    if contenders < 2 or sets < 1:
        return float("nan")
    q = stats.studentized_range.ppf(1.0 - LEVEL, contenders, np.inf) / np.sqrt(2.0)
    return float(q * np.sqrt(contenders * (contenders + 1) / (6.0 * sets)))


def compare_with(runs: pd.DataFrame, baseline: str, figure: str) -> list[Versus]:
    """Compare all contenders with one, set by set: Wilcoxon's test, adjusted by Holm's method.

    Sets on which one of the two has no figure are left out; `comparison.n` says how many count.
    """
    values = on_sets(runs, figure)
    if baseline not in values:
        raise ConfigError(unknown_name("contender in these runs", baseline, list(values)))
    others = [name for name in values if name != baseline]
    made = [compare_paired(values[baseline], values[name], only_wilcoxon=True) for name in others]
    adjusted = holm([comparison.p for comparison in made])
    sign = -1.0 if _smaller_is_better(runs, figure) else 1.0
    found = []
    for name, comparison, p in zip(others, made, adjusted, strict=True):
        gain = sign * (values[name] - values[baseline]).dropna().to_numpy()
        found.append(Versus(name, comparison, p, *_count(gain)))
    return found


def means(runs: pd.DataFrame) -> pd.DataFrame:
    """Return what each contender (rows) has on average over its sets, and how it fared.

    Rules and conditions, and R², are medians: one set would decide about a mean. Of rules, the
    mean is there, too.
    """
    kind = kind_of(runs)
    tables = {figure: on_sets(runs, figure) for figure in kind.measured}
    summed = pd.DataFrame(
        {
            figure: table.median() if figure in kind.medians else table.mean()
            for figure, table in tables.items()
        }
    )
    summed["mean_rules"] = tables["rules"].mean()
    fared = statuses(runs)
    for status in (OK, FAILED, NOT_APPLICABLE):
        summed[status] = (fared == status).sum()
    return summed.loc[_ordered(runs, summed.index)]


def _count(gain: NDArray[np.float64]) -> tuple[int, int, int]:
    return int((gain > 0).sum()), int((gain == 0).sum()), int((gain < 0).sum())


def _smaller_is_better(runs: pd.DataFrame, figure: str) -> bool:
    return figure in kind_of(runs).smaller_is_better


def _ordered(runs: pd.DataFrame, names: "pd.Index[str]") -> list[str]:
    return kind_of(runs).roster.ordered(list(names))
