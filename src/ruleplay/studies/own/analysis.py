"""Work out what a study of the user's own says: figures of cells, and differences in pairs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from ruleplay.experiments.metrics import CurveBand
from ruleplay.experiments.stats import (
    LEVEL,
    Comparison,
    Estimate,
    bootstrap_interval,
    compare_paired,
    holm,
)
from ruleplay.experiments.storage.results import FailedRun, Results
from ruleplay.report.portrait_data import known_problem
from ruleplay.report.samples import Sample, paired_values, read_samples
from ruleplay.studies.own.description import DescribedProblem, Description

# A two-sided signed-rank test of 5 pairs cannot fall below p = 0.06.
FEW_PAIRS = 5


@dataclass(frozen=True, eq=False)
class CellResult:
    """The finished runs of a cell, by the name that it has on its page."""

    label: str
    sample: Sample

    def estimate(self, metric: str) -> Estimate:
        """Return the mean of a figure over runs with its bootstrap interval."""
        values = self.sample.values(metric)
        known = values[np.isfinite(values)]
        mean = float(known.mean()) if len(known) else float("nan")
        return Estimate(mean, bootstrap_interval([known], np.mean))

    def deviation(self, metric: str) -> float:
        """Return the standard deviation of a figure over runs, NaN for fewer than two."""
        values = self.sample.values(metric)
        known = values[np.isfinite(values)]
        return float(known.std(ddof=1)) if len(known) > 1 else float("nan")


@dataclass(frozen=True, kw_only=True)
class Pair:
    """How two cells differ in a figure, over the seeds that both were run with."""

    problem: str
    metric: str
    first: str  # A in tables
    second: str  # B
    comparison: Comparison  # differences are second minus first
    holm_p: float = float("nan")  # adjusted for all pairs of the study

    @property
    def finding(self) -> str:
        """Say in a few words what the pair shows."""
        if np.isnan(self.holm_p):
            return "too few runs"
        if self.comparison.effect == 0.0 and self.comparison.interval == (0.0, 0.0):
            return "equal in every pair"
        if self.holm_p >= LEVEL:
            return "not told apart"
        return "B is higher" if self.comparison.difference > 0 else "A is higher"


@dataclass(frozen=True, eq=False)
class ProblemResult:
    """The cells on one problem that have finished runs, and their comparisons."""

    described: DescribedProblem
    cells: tuple[CellResult, ...]
    pairs: tuple[Pair, ...]

    @cached_property
    def bands(self) -> dict[str, CurveBand]:
        """Read the learning curves by label; what a quantity pays is no performance."""
        bands = {cell.label: cell.sample.band for cell in self.cells}
        problem = known_problem(self.cells[0].sample.spec)
        if problem is None or not problem.is_quantity:
            return bands
        return {label: _without_reward(band) for label, band in bands.items()}


@dataclass(frozen=True, eq=False)
class OwnAnalysis:
    """A whole study of the user's own."""

    description: Description
    problems: tuple[ProblemResult, ...]
    failures: tuple[FailedRun, ...]

    @property
    def runs(self) -> int:
        """Count the finished runs."""
        return sum(len(cell.sample.runs) for problem in self.problems for cell in problem.cells)

    @property
    def lacking(self) -> int:
        """Count the runs that were planned and are not there."""
        seeds = set(self.description.seeds)
        there = [seeds & set(c.sample.seeds) for p in self.problems for c in p.cells]
        return self.description.runs - sum(map(len, there))

    @property
    def pairs(self) -> list[Pair]:
        """List the comparisons on all problems."""
        return [pair for problem in self.problems for pair in problem.pairs]


def _without_reward(band: CurveBand) -> CurveBand:
    mean, sd = ({k: v for k, v in side.items() if k != "reward"} for side in (band.mean, band.sd))
    return band._replace(mean=mean, sd=sd)


def analyse_own(results: Results, description: Description) -> OwnAnalysis:
    """Compare the cells of a study; cells without runs, and other runs, are left out."""
    samples = {sample.key: sample for sample in read_samples(results)}
    problems = []
    for described in description.problems:
        cells = tuple(
            CellResult(cell.label, samples[cell.key])
            for cell in described.cells
            if cell.key in samples
        )
        if cells:
            pairs = tuple(_compare(described, cells, description.baseline))
            problems.append(ProblemResult(described, cells, pairs))
    mine = {cell.key[:3] for cell in description.cells}
    failures = tuple(failure for failure in results.failures() if failure[:3] in mine)
    return OwnAnalysis(description, tuple(_adjusted(problems)), failures)


def _compare(
    described: DescribedProblem, cells: tuple[CellResult, ...], baseline: str
) -> Iterator[Pair]:
    """Compare all cells of a problem with each other, or with the baseline if it is one of them.

    The test is always the signed-rank test: which one it is does not depend on the data.
    """
    pairs = list(combinations(cells, 2))
    if baseline in [cell.label for cell in described.cells]:
        others = [cell for cell in cells if cell.label != baseline]
        pairs = [(cell, other) for cell in cells if cell.label == baseline for other in others]
    for metric in described.metrics:
        for first, second in pairs:
            values = paired_values(first.sample, second.sample, metric)
            yield Pair(
                problem=described.title,
                metric=metric,
                first=first.label,
                second=second.label,
                comparison=compare_paired(*values, only_wilcoxon=True),
            )


def _adjusted(problems: list[ProblemResult]) -> list[ProblemResult]:
    """Add Holm's adjustment over all comparisons of the study."""
    p_values = [pair.comparison.p for problem in problems for pair in problem.pairs]
    adjusted = iter(holm(p_values))
    return [
        replace(
            problem, pairs=tuple(replace(pair, holm_p=next(adjusted)) for pair in problem.pairs)
        )
        for problem in problems
    ]
