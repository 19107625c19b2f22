"""How far the runs of a reading lie from the paper's cells, in printed standard deviations."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from ruleplay.experiments.study import PAPER
from ruleplay.studies.inferred.figures import Figures, figure_for
from ruleplay.studies.inferred.space import MULTI, Reading, Space
from ruleplay.studies.paper.printed import BASELINE, METRICS, PaperCell, load_paper
from ruleplay.studies.paper.verdicts import CLOSE_FACTOR, CLOSE_SDS, FEW_RUNS_DECIDE, paper_effect

FARTHEST = 50.0  # standard deviations: what lies beyond counts as this
MISSED = 1.0  # what a cell costs on top if it would not be a match


class Row(NamedTuple):
    """One of the paper's rows: an agent on a problem."""

    problem: str
    agent: str


Rows = Mapping[Row, Figures]  # means over seeds


@dataclass(frozen=True)
class Gap:
    """One of the paper's cells and how far ours is from it."""

    problem: str
    agent: str
    metric: str
    ours: float
    sds: float
    opposed: bool = False  # our change against XCS points against a significant one of the paper

    @property
    def cost(self) -> float:
        """Return what the cell adds to a distance: far cells count less than in proportion."""
        sds = FARTHEST if math.isnan(self.sds) else min(self.sds, FARTHEST)
        return math.log1p(sds) + (0.0 if self.matched else MISSED)

    @property
    def matched(self) -> bool:
        """Tell whether the cell would be a match if thirty runs had this mean."""
        return self.sds <= CLOSE_SDS and not self.opposed


def gaps(
    rows: Rows, reading: Reading, wanted: Iterable[tuple[Row, str]] | None = None
) -> list[Gap]:
    """Compare cells, all that some rows have if it is not said which."""
    found = []
    for row, metric in cells_of(rows) if wanted is None else wanted:
        cell, effect = _printed(row, metric)
        ours = figure_for(metric, rows[row], reading, row.problem)
        opposed = False
        baseline = rows.get(Row(row.problem, BASELINE))
        if effect in ("up", "down") and baseline is not None:
            change = ours - figure_for(metric, baseline, reading, row.problem)
            opposed = change < 0 if effect == "up" else change > 0
        found.append(Gap(*row, metric, ours, sds_between(ours, cell), opposed))
    return found


def cells_of(rows: Iterable[Row]) -> list[tuple[Row, str]]:
    """List the cells that the paper has in some rows."""
    return [(row, metric) for row in rows for metric in _columns(row)]


@cache
def _columns(row: Row) -> tuple[str, ...]:
    cells = load_paper().problem(PAPER + row.problem).row(row.agent).cells
    return tuple(name for name in METRICS if name in cells)


@cache
def _printed(row: Row, metric: str) -> tuple[PaperCell, str | None]:
    problem = load_paper().problem(PAPER + row.problem)
    return problem.row(row.agent).cells[metric], paper_effect(problem, row.agent, metric)


def sds_between(ours: float, cell: PaperCell) -> float:
    """Return how far a number lies from a printed one, beyond what rounding may hide.

    A share of diverged runs is measured by the standard error that both shares have if thirty
    runs stand behind each. Where few of the paper's runs decide a mean, a factor of 10 either way
    is no distance at all.
    """
    mean, runs = cell.mean.value, load_paper().runs
    if math.isnan(ours):
        return ours
    if cell.is_count:
        share = mean / runs
        return abs(ours - share) / math.sqrt((share * (1.0 - share) + 0.25) / runs)
    if cell.spread > FEW_RUNS_DECIDE * abs(mean):
        powers = abs(math.log10(max(abs(ours / mean), 1e-300)))
        beyond = powers - math.log10(CLOSE_FACTOR)
        return 0.0 if beyond <= 0.0 else CLOSE_SDS + beyond
    return max(0.0, abs(ours - mean) - cell.mean.half_unit) / cell.spread


def distance(found: Iterable[Gap]) -> float:
    """Return the mean cost of cells."""
    costs = [gap.cost for gap in found]
    return sum(costs) / len(costs)


def best_measurement(space: Space, rows: Rows, reading: Reading) -> tuple[float, Reading]:
    """Return the smallest distance that runs have, and the reading that measures them so.

    Ways to measure need no runs: all are tried, and of equal ones the first is taken.
    """
    single = [cell for cell in cells_of(rows) if cell[0].problem not in MULTI]
    multi = [cell for cell in cells_of(rows) if cell[0].problem in MULTI]

    def best_of(names: Sequence[str], cells: Sequence[tuple[Row, str]], fixed: Reading) -> _Way:
        return _cheapest(
            space, names, fixed, lambda way: sum(gap.cost for gap in gaps(rows, way, cells))
        )

    best = dict(reading)
    for name, cells in (("reward_window", single), ("multi_reward_window", multi)):
        best = best_of([name], _with(cells, "reward"), best).reading
    best = best_of(["otm"], _with(multi, "otm"), best).reading

    def shared(way: Reading) -> _Way:
        """Measure both kinds of problems as suits them, once it is settled what is measured."""
        errors = best_of(["window", "error_steps"], _with(single, *OTHERS), way)
        rest = best_of(["multi_window"], _with(multi, *OTHERS), errors.reading)
        return _Way(errors.cost + rest.cost, rest.reading)

    ways = [shared(best | way) for way in space.combinations(("error", "generality"))]
    best = min(ways, key=lambda way: way.cost).reading
    return distance(gaps(rows, best)), best


OTHERS = ("system_error", "macroclassifiers", "generality")


class _Way(NamedTuple):
    cost: float
    reading: Reading


def _with(cells: Iterable[tuple[Row, str]], *metrics: str) -> list[tuple[Row, str]]:
    return [cell for cell in cells if cell[1] in metrics]


def _cheapest(
    space: Space, names: Sequence[str], reading: Reading, cost: Callable[[Reading], float]
) -> _Way:
    ways = [reading | way for way in space.combinations(names)]
    return min((_Way(cost(way), way) for way in ways), key=lambda way: way.cost)
