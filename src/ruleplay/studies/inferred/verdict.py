"""Judge readings with fresh seeds, as the reproduction is judged: cell by cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ruleplay.experiments.stats import (
    Interval,
    bootstrap_interval,
    compare_counts,
    compare_paired,
    exact_share,
)
from ruleplay.experiments.study import PAPER
from ruleplay.studies.inferred.distance import Row, distance, gaps
from ruleplay.studies.inferred.evaluation import Evaluator
from ruleplay.studies.inferred.figures import Figures, figure_for, mean_of
from ruleplay.studies.inferred.space import CHECKED, FITTED, Reading
from ruleplay.studies.paper.printed import BASELINE, PaperProblem, load_paper
from ruleplay.studies.paper.verdicts import Judgement, Ours, Tally, judge, summarise, tally

VERDICT_SEEDS = tuple(range(5000, 5030))  # no search has seen them
PRESET_SEEDS = tuple(range(30))  # those of the paper's reproduction; no search has seen them either
PROBLEMS = (*CHECKED, *FITTED)

Values = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class JudgedCell:
    """One of the paper's cells beside the runs of a reading."""

    problem: str
    agent: str
    metric: str
    ours: Ours
    interval: Interval  # of the mean; of a share for numbers of runs
    judgement: Judgement


@dataclass(frozen=True)
class Judged:
    """A reading with all its cells, and how its distance varies between pairs of seeds."""

    reading: Reading
    cells: tuple[JudgedCell, ...]
    distance: float  # over the fitted problems
    noise: float  # standard deviation of the distance that two seeds give

    def tally(self, problems: Sequence[str] = PROBLEMS) -> Tally:
        """Count the verdicts on some problems."""
        return tally(cell.judgement for cell in self.cells if cell.problem in problems)


def judge_reading(
    evaluator: Evaluator,
    reading: Reading,
    problems: Sequence[str] = PROBLEMS,
    seeds: Sequence[int] = VERDICT_SEEDS,
) -> Judged:
    """Run a reading with fresh seeds and judge its cells; how it measures is not chosen anew."""
    runs = evaluator.runs_of(reading, problems, seeds)
    fitted = {row: figures for row, figures in runs.items() if row.problem in FITTED}
    pairs = [
        _distance(fitted, reading, slice(k, k + 2)) for k in range(0, len(seeds) - 1, 2) if fitted
    ]
    return Judged(
        reading=reading,
        cells=tuple(_judge_cells(runs, reading)),
        distance=_distance(fitted, reading, slice(None)) if fitted else float("nan"),
        noise=float(np.std(pairs, ddof=1)) if len(pairs) > 1 else float("nan"),
    )


def _distance(runs: Mapping[Row, list[Figures]], reading: Reading, part: slice) -> float:
    rows = {row: mean_of(figures[part]) for row, figures in runs.items()}
    return distance(gaps(rows, reading))


def _judge_cells(runs: Mapping[Row, list[Figures]], reading: Reading) -> list[JudgedCell]:
    judged = []
    for row in runs:
        problem = load_paper().problem(PAPER + row.problem)
        for metric in problem.row(row.agent).cells:
            values = _values(runs[row], metric, reading, row.problem)
            baseline = _values(runs[Row(row.problem, BASELINE)], metric, reading, row.problem)
            others = None if row.agent == BASELINE else baseline
            judged.append(_judge_cell(problem, row, metric, values, others))
    return judged


def _values(runs: Sequence[Figures], metric: str, reading: Reading, problem: str) -> Values:
    return np.array([figure_for(metric, figures, reading, problem) for figures in runs])


def _judge_cell(
    problem: PaperProblem, row: Row, metric: str, values: Values, baseline: Values | None
) -> JudgedCell:
    if metric == "diverged":
        ours, interval = _count(values, baseline)
    else:
        ours, interval = _average(values, baseline, problem.single_step)
    return JudgedCell(
        problem=row.problem,
        agent=row.agent,
        metric=metric,
        ours=ours,
        interval=interval,
        judgement=judge(problem, row.agent, metric, ours),
    )


def _count(values: Values, baseline: Values | None) -> tuple[Ours, Interval]:
    values = values[np.isfinite(values)]
    share = exact_share(int(values.sum()), len(values))
    if baseline is None:
        return Ours(mean=share.count, sd=float("nan"), n=share.n), share.interval
    baseline = baseline[np.isfinite(baseline)]
    other = exact_share(int(baseline.sum()), len(baseline))
    change = share.count / share.n - other.count / other.n
    p, pairs = compare_counts(other, share), min(share.n, other.n)
    nothing = float("nan")
    return Ours(
        mean=share.count, sd=nothing, n=share.n, change=change, p=p, pairs=pairs
    ), share.interval


def _average(values: Values, baseline: Values | None, single_step: bool) -> tuple[Ours, Interval]:
    mean, sd, n = summarise(values)
    interval = bootstrap_interval([values[np.isfinite(values)]], np.mean)
    if baseline is None:
        return Ours(mean=mean, sd=sd, n=n), interval
    found = compare_paired(baseline, values, alternative="paper", only_wilcoxon=not single_step)
    change, p, pairs = found.difference, found.p, found.n
    return Ours(mean=mean, sd=sd, n=n, change=change, p=p, pairs=pairs), interval
