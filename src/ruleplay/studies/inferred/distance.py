"""How far the runs of a reading lie from the paper's cells, in printed standard deviations."""

import math
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ruleplay.experiments.study import PAPER
from ruleplay.studies.inferred.figures import Figures, figure_for
from ruleplay.studies.inferred.space import Reading, Space
from ruleplay.studies.paper.printed import METRICS, PaperCell, load_paper
from ruleplay.studies.paper.verdicts import CLOSE_FACTOR, CLOSE_SDS, FEW_RUNS_DECIDE

FARTHEST = 50.0  # standard deviations: what lies beyond counts as this
# Which choices about measuring decide which columns.
INDEPENDENT = (
    (("reward_window",), ("reward",)),
    (("otm",), ("otm",)),
    (
        ("window", "error", "error_steps", "generality"),
        ("system_error", "macroclassifiers", "generality"),
    ),
)


class Row(NamedTuple):
    """One of the paper's rows: an agent on a problem."""

    problem: str
    agent: str


Rows = Mapping[Row, Figures]  # medians over seeds


@dataclass(frozen=True)
class Gap:
    """One of the paper's cells and how far ours is from it."""

    problem: str
    agent: str
    metric: str
    ours: float
    sds: float

    @property
    def cost(self) -> float:
        """Return what the cell adds to a distance: far cells count less than in proportion."""
        return math.log1p(FARTHEST if math.isnan(self.sds) else min(self.sds, FARTHEST))

    @property
    def close(self) -> bool:
        """Tell whether the cell would count as close."""
        return self.sds <= CLOSE_SDS


def gaps(rows: Rows, reading: Reading, runs: int, metrics: Container[str] = METRICS) -> list[Gap]:
    """Compare the cells of some problems and agents; `runs` is the number of seeds."""
    found = []
    for (problem, agent), figures in rows.items():
        printed = load_paper().problem(PAPER + problem).row(agent).cells
        for metric in (name for name in printed if name in metrics):
            ours = figure_for(metric, figures, reading, problem)
            found.append(
                Gap(problem, agent, metric, ours, sds_between(ours, printed[metric], runs))
            )
    return found


def sds_between(ours: float, cell: PaperCell, runs: int) -> float:
    """Return how far a number lies from a printed one, beyond what rounding may hide.

    A share of diverged runs is measured by the standard error of both shares. Where few of the
    paper's runs decide a mean, a factor of 10 either way is no distance at all.
    """
    mean = cell.mean.value
    if math.isnan(ours):
        return ours
    if cell.is_count:
        share = mean / load_paper().runs
        variance = share * (1.0 - share) / load_paper().runs + 0.25 / runs
        return abs(ours - share) / math.sqrt(variance)
    if cell.spread > FEW_RUNS_DECIDE * abs(mean):
        powers = abs(math.log10(max(abs(ours / mean), 1e-300)))
        beyond = powers - math.log10(CLOSE_FACTOR)
        return 0.0 if beyond <= 0.0 else CLOSE_SDS + beyond
    return max(0.0, abs(ours - mean) - cell.mean.half_unit) / cell.spread


def distance(found: Iterable[Gap]) -> float:
    """Return the mean cost of cells."""
    costs = [gap.cost for gap in found]
    return sum(costs) / len(costs)


def best_measurement(
    space: Space, rows: Rows, reading: Reading, runs: int
) -> tuple[float, Reading]:
    """Return the smallest distance that runs have, and the reading that measures them so.

    Ways to measure need no runs: all are tried, and of equal ones the first is taken.
    """
    best = dict(reading)
    for choices, metrics in INDEPENDENT:
        ways = [best | way for way in space.combinations(choices)]
        costs = [sum(gap.cost for gap in gaps(rows, way, runs, metrics)) for way in ways]
        best = ways[costs.index(min(costs))]
    return distance(gaps(rows, best, runs)), best
