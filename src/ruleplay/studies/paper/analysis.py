"""Work out everything a report says, cell by cell, before anything is written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ruleplay.experiments.metrics import CurveBand
from ruleplay.experiments.stats import (
    Comparison,
    Normality,
    Share,
    compare_counts,
    compare_paired,
    exact_share,
    holm,
    shapiro,
)
from ruleplay.experiments.storage.results import CellKey, FailedRun, Results
from ruleplay.report.samples import Sample, main_variant, paired_values, read_samples
from ruleplay.studies.paper.printed import (
    BASELINE,
    Paper,
    PaperCell,
    PaperProblem,
    PaperRow,
    load_paper,
)
from ruleplay.studies.paper.verdicts import Judgement, Ours, Tally, judge, summarise, tally

KINDS = ("single-step", "multi-step")
NOT_A_NUMBER = float("nan")


@dataclass(frozen=True, kw_only=True)
class CellReport:
    """One of the paper's cells beside ours."""

    problem: PaperProblem
    row: PaperRow
    metric: str
    ours: Ours | None
    normality: Normality | None = None
    comparison: Comparison | None = None
    holm_p: float = NOT_A_NUMBER
    judgement: Judgement

    @property
    def paper(self) -> PaperCell:
        """Return the printed cell."""
        return self.row.cells[self.metric]


@dataclass(frozen=True, kw_only=True)
class ProblemReport:
    """One of the paper's problems: cells, and the runs behind them by agent."""

    problem: PaperProblem
    cells: tuple[CellReport, ...]
    samples: dict[str, Sample]

    @cached_property
    def bands(self) -> dict[str, CurveBand]:
        """Return the learning curves by agent, the baseline first."""
        return {agent: self.samples[agent].band for agent in sorted(self.samples, key=_order)}

    @property
    def tally(self) -> Tally:
        """Count the verdicts."""
        return tally(cell.judgement for cell in self.cells)

    def cell(self, agent: str, metric: str) -> CellReport | None:
        """Return a cell, None if the paper has none there."""
        wanted = (agent, metric)
        return next((c for c in self.cells if (c.row.agent, c.metric) == wanted), None)


@dataclass(frozen=True, eq=False, kw_only=True)
class Analysis:
    """A whole study beside the paper."""

    paper: Paper
    problems: tuple[ProblemReport, ...]  # those with runs
    others: tuple[Sample, ...]  # runs that belong to no cell of the paper
    failures: tuple[FailedRun, ...]

    @property
    def samples(self) -> list[Sample]:
        """List all samples, the paper's cells first."""
        return [s for p in self.problems for s in p.samples.values()] + list(self.others)

    def of_kind(self, kind: str) -> list[ProblemReport]:
        """List the problems of one of the paper's two tables."""
        return [report for report in self.problems if report.problem.kind == kind]

    def cells(self, kind: str | None = None) -> list[CellReport]:
        """List the cells of one table, or of both."""
        kinds = KINDS if kind is None else (kind,)
        return [cell for kind in kinds for report in self.of_kind(kind) for cell in report.cells]

    def tally(self, kind: str | None = None) -> Tally:
        """Count the verdicts of one table, or of both."""
        return tally(cell.judgement for cell in self.cells(kind))


def analyse(results: Results) -> Analysis:
    """Compare all runs with the paper."""
    paper = load_paper()
    samples = read_samples(results)
    variant = main_variant(samples)
    problems: list[ProblemReport] = []
    used: set[CellKey] = set()
    for problem in paper.problems:
        chosen = {
            sample.key.agent: sample
            for sample in samples
            if (sample.key.preset, sample.key.variant) == (problem.preset, variant)
            and sample.key.agent in problem.agents
        }
        used.update(sample.key for sample in chosen.values())
        if chosen:
            problems.append(_report_problem(problem, chosen))
    return Analysis(
        paper=paper,
        problems=tuple(adjust_families(problems)),
        others=tuple(sample for sample in samples if sample.key not in used),
        failures=tuple(results.failures()),
    )


def adjust_families(reports: Sequence[ProblemReport]) -> list[ProblemReport]:
    """Add Holm's adjustment over all comparisons of each of the paper's two tables."""
    adjusted: dict[int, float] = {}
    for kind in KINDS:
        cells = [cell for report in reports if report.problem.kind == kind for cell in report.cells]
        tested = [cell for cell in cells if cell.comparison is not None]
        p_values = [cell.comparison.p for cell in tested if cell.comparison is not None]
        adjusted.update(zip(map(id, tested), holm(p_values), strict=True))
    return [
        replace(
            report,
            cells=tuple(
                replace(cell, holm_p=adjusted.get(id(cell), NOT_A_NUMBER)) for cell in report.cells
            ),
        )
        for report in reports
    ]


def diverged_share(sample: Sample) -> Share:
    """Count the diverged runs among those that can be judged."""
    values = sample.values("diverged")
    known = values[np.isfinite(values)]
    return exact_share(int(known.sum()), len(known))


def _report_problem(problem: PaperProblem, samples: dict[str, Sample]) -> ProblemReport:
    cells = tuple(
        _report_cell(problem, row, metric, samples) for row in problem.rows for metric in row.cells
    )
    return ProblemReport(problem=problem, cells=cells, samples=samples)


def _report_cell(
    problem: PaperProblem, row: PaperRow, metric: str, samples: dict[str, Sample]
) -> CellReport:
    sample = samples.get(row.agent)
    baseline = None if row.agent == BASELINE else samples.get(BASELINE)
    ours, normality, comparison = None, None, None
    if sample is not None and row.cells[metric].is_count:
        ours = _count(sample, baseline)
    elif sample is not None:
        normality = shapiro(sample.values(metric))
        if baseline is not None:
            pairs = paired_values(baseline, sample, metric)
            comparison = compare_paired(
                *pairs, alternative="paper", only_wilcoxon=not problem.single_step
            )
        ours = _average(sample, metric, comparison)
    return CellReport(
        problem=problem,
        row=row,
        metric=metric,
        ours=ours,
        normality=normality,
        comparison=comparison,
        judgement=judge(problem, row.agent, metric, ours),
    )


def _average(sample: Sample, metric: str, comparison: Comparison | None) -> Ours:
    mean, sd, n = summarise(sample.values(metric))
    if comparison is None:
        return Ours(mean=mean, sd=sd, n=n)
    change, p, pairs = comparison.difference, comparison.p, comparison.n
    return Ours(mean=mean, sd=sd, n=n, change=change, p=p, pairs=pairs)


def _count(sample: Sample, baseline: Sample | None) -> Ours:
    """Return the number of diverged runs, and how it differs from the baseline's."""
    share = diverged_share(sample)
    ours = Ours(mean=share.count, sd=NOT_A_NUMBER, n=share.n)
    if baseline is None:
        return ours
    other = diverged_share(baseline)
    if share.n == 0 or other.n == 0:
        return ours
    return replace(
        ours,
        change=share.count / share.n - other.count / other.n,
        p=compare_counts(other, share),
        pairs=min(share.n, other.n),
    )


def _order(agent: str) -> tuple[bool, str]:
    """Put XCS and its variants before others."""
    return not agent.startswith(BASELINE), agent
