"""What the study beyond the paper aimed at, and what the recipe came to."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ruleplay.report.samples import Sample
from ruleplay.report.table import Column, Row, Table
from ruleplay.report.text import DASH, number
from ruleplay.studies.beyond.analysis import SMALL_LOSS, headline_samples, small_losses
from ruleplay.studies.beyond.plan import COMPACT_TO, RECIPE, TASKS
from ruleplay.studies.paper.analysis import Analysis, diverged_share

Measure = Callable[[str, Sample], float]  # of a problem's sample


class Aim(NamedTuple):
    """A figure of the recipe on a problem, and how large or small it should be."""

    problem: str
    figure: str
    measure: Measure
    at_least: float = -np.inf
    at_most: float = np.inf

    def bound(self) -> str:
        """Say what was aimed at."""
        if np.isinf(self.at_most):
            return f"at least {self.at_least:g}"
        return f"at most {self.at_most:g}"


def mean_of(metric: str) -> Measure:
    """Return what takes the mean of a metric."""
    return lambda name, sample: float(np.mean(sample.values(metric)))


def share_solved(name: str, sample: Sample) -> float:
    """Return the share of runs that solve the problem, in percent."""
    return 100.0 * float(np.mean(sample.values("greedy") >= TASKS[name].solved))


def share_diverged(name: str, sample: Sample) -> float:
    """Return the share of runs that diverge, in percent."""
    share = diverged_share(sample)
    return 100.0 * share.count / share.n


def share_compact(name: str, sample: Sample) -> float:
    """Return the share of populations that a short list replaces, in percent."""
    short = sample.values("compact_rules") <= COMPACT_TO
    return 100.0 * float(np.mean(short & small_losses(sample)))


OTM, GREEDY = "OTM", "greedy"
DIVERGED, SOLVED = "diverged, % of runs", "solved, % of runs"
COMPACTED = f"{COMPACT_TO} rules with less than {100 * SMALL_LOSS:g} % loss, % of runs"
AIMS = (
    Aim("chain16", DIVERGED, share_diverged, at_most=0),
    Aim("chain16", OTM, mean_of("otm"), at_least=143),
    Aim("chain32", DIVERGED, share_diverged, at_most=0),
    Aim("chain32", SOLVED, share_solved, at_least=95),
    Aim("chain64", SOLVED, share_solved, at_least=80),
    Aim("cartpole", DIVERGED, share_diverged, at_most=0),
    Aim("cartpole", OTM, mean_of("otm"), at_least=155),
    Aim("cartpole", COMPACTED, share_compact, at_least=90),
    Aim("mountaincar", DIVERGED, share_diverged, at_most=0),
    Aim("mountaincar", OTM, mean_of("otm"), at_least=970),
    Aim("mountaincar", COMPACTED, share_compact, at_least=90),
    Aim("cartpole-v1", GREEDY, mean_of("greedy"), at_least=450),
    Aim("mountaincar-v0", GREEDY, mean_of("greedy"), at_least=-110),
    Aim("acrobot", GREEDY, mean_of("greedy"), at_least=-100),
)


def aims_table(analysis: Analysis) -> Table:
    """Hold the recipe against what was aimed at before it was measured."""
    columns = (
        Column("problem", "Problem"),
        Column("figure", "Figure"),
        Column("aim", "Aim"),
        Column("measured", "Measured", number=True),
        Column("reached", "Reached"),
    )
    samples = headline_samples(analysis)
    rows: list[Row] = []
    for aim in AIMS:
        sample = samples.get(aim.problem, {}).get(RECIPE)
        if sample is not None:
            rows.append(_row(aim, sample))
    return Table("aims", "Aims of the recipe", columns, rows)


def _row(aim: Aim, sample: Sample) -> Row:
    value = aim.measure(aim.problem, sample)
    return {
        "problem": TASKS[aim.problem].title,
        "figure": aim.figure,
        "aim": aim.bound(),
        "measured": number(value) if np.isfinite(value) else DASH,
        "reached": "yes" if aim.at_least <= value <= aim.at_most else "no",
    }
