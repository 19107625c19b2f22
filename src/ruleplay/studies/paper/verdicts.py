"""Judge a cell: is the paper's number reproduced, is its effect, or neither?

A cell is **close** if our mean lies within two of the paper's standard deviations of the
paper's mean, not counting what rounding may hide. Where the paper's standard deviation exceeds
three times its mean (blown-up linear models: one run in thirty decides the mean) that says
nothing, and the means must lie within a factor of 10. Numbers of diverged runs are close if
Fisher's exact test does not tell them apart at 5 %.

With n runs, fewer than the paper's, our mean may lie 2 sqrt(1/n - 1/30) standard deviations (the
paper's, or ours if that is larger) away from where thirty runs would put it: 1.1 for three runs.
What this may turn either way is **open**, as is all that rests on one run in thirty.

A cell's **effect** is what replay, or DQN, changes against XCS: `up` or `down` if the change is
significant at 5 %, else `none`. The paper's is read from its p-values, for numbers of runs
computed from them. Below 6 pairs, where a signed-rank test cannot reach 5 %, ours is known only if
a t-test reaches 1 %. While it is unknown, a number that is not close is open, unless its change
points against the paper's, and so is a close number whose change does.

- `match`: close, and our change does not point against a significant effect of the paper.
- `direction`: no match, but the effect is the same as in the paper. XCS itself is what effects
  are measured against, so its cells match or differ.
- `differs`: neither.
- `open`: there are too few runs to tell.
- `missing`: there are no runs for this cell.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats as scipy_stats

from ruleplay.experiments.stats import LEVEL, Share, compare_counts, exact_share
from ruleplay.studies.paper.printed import BASELINE, PaperCell, PaperProblem, load_paper

CLOSE_SDS = 2.0  # of the paper's standard deviations
FEW_RUNS_DECIDE = 3.0  # standard deviation by mean, from which on few runs make the mean
CLOSE_FACTOR = 10.0  # there
MIN_PAIRS = 6  # a two-sided signed-rank test of 5 pairs cannot fall below p = 0.06
SURE = 0.01  # level at which even fewer pairs show an effect

Verdict = Literal["match", "direction", "differs", "open", "missing"]
Effect = Literal["up", "down", "none"]
VERDICTS: tuple[Verdict, ...] = ("match", "direction", "differs", "open", "missing")
Closeness = Literal["close", "far", "open"]


@dataclass(frozen=True, kw_only=True)
class Ours:
    """Our runs' side of a cell."""

    mean: float  # for numbers of runs: the number
    sd: float  # of single runs; NaN for numbers of runs
    n: int
    change: float = float("nan")  # against the baseline, over the same seeds
    p: float = float("nan")  # of that change
    pairs: int = 0


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict and what it rests on."""

    verdict: Verdict
    reason: str
    difference: float = float("nan")  # ours minus the paper's
    sds: float = float("nan")  # the same in the paper's standard deviations
    same_p: float = float("nan")  # Welch's or Fisher's test of ours against the paper's
    paper_effect: Effect | None = None
    our_effect: Effect | None = None
    opposed: bool = False  # our change points against a significant effect of the paper


@dataclass(frozen=True, kw_only=True)
class Tally:
    """Verdicts counted; and how many effects against XCS we tested, and found the same."""

    counts: dict[Verdict, int]
    effects: int
    same_effects: int

    @property
    def cells(self) -> int:
        """Count the cells."""
        return sum(self.counts.values())

    @property
    def shares(self) -> list[tuple[Verdict, int, float]]:
        """List verdict, number and share in per cent of the verdicts that occur."""
        occurring = {verdict: count for verdict, count in self.counts.items() if count}
        return [(v, count, 100 * count / self.cells) for v, count in occurring.items()]


def summarise(values: NDArray[np.float64]) -> tuple[float, float, int]:
    """Return mean, standard deviation (n - 1) and number of the finite values."""
    kept = values[np.isfinite(values)]
    mean = float(kept.mean()) if len(kept) else float("nan")
    return mean, float(kept.std(ddof=1)) if len(kept) > 1 else float("nan"), len(kept)


def judge(problem: PaperProblem, agent: str, metric: str, ours: Ours | None) -> Judgement:
    """Compare one of the paper's cells with our runs."""
    cell = problem.row(agent).cells[metric]
    expected = paper_effect(problem, agent, metric)
    if ours is None or ours.n == 0:
        return Judgement(verdict="missing", reason="no runs", paper_effect=expected)
    found = None if agent == BASELINE else our_effect(ours)
    closeness, distance = closeness_of(cell, ours)
    opposed = _opposed(expected, ours.change)
    if found is None and 0 < ours.pairs < MIN_PAIRS and opposed == (closeness == "close"):
        closeness, distance = "open", f"{distance}; {ours.pairs} pairs do not show the effect"
    verdict, reason = _decide(closeness, distance, expected, found, opposed)
    difference = _difference(cell, ours)
    return Judgement(
        verdict=verdict,
        reason=reason,
        difference=difference,
        sds=difference / cell.spread if cell.spread else float("nan"),
        same_p=_same_p(cell, ours),
        paper_effect=expected,
        our_effect=found,
        opposed=opposed,
    )


def paper_effect(problem: PaperProblem, agent: str, metric: str) -> Effect | None:
    """Return what the paper found the agent to change; None for the baseline."""
    if agent == BASELINE:
        return None
    cell = problem.row(agent).cells[metric]
    if cell.is_count:
        baseline = problem.row(BASELINE).cells[metric]
        p = compare_counts(_paper_share(baseline), _paper_share(cell))
    else:
        p = problem.row(agent).comparison[metric].value
    return _effect(problem.change(agent, metric), p)


def our_effect(ours: Ours) -> Effect | None:
    """Return what our runs show the agent to change; None if they are too few to tell."""
    if math.isnan(ours.p) or (ours.pairs < MIN_PAIRS and ours.p >= SURE):
        return None
    return _effect(ours.change, ours.p)


def closeness_of(cell: PaperCell, ours: Ours) -> tuple[Closeness, str]:
    """Say whether our number is close to the printed one, and how far away it is."""
    mean = cell.mean.value
    chance = CLOSE_SDS * share_of_chance(ours.n)
    if cell.is_count:
        p = compare_counts(_paper_share(cell), exact_share(round(ours.mean), ours.n))
        closeness: Closeness = "close" if p >= LEVEL else "far"
        return closeness, f"Fisher's exact test against the paper's runs: p = {p:.3f}"
    if cell.spread > FEW_RUNS_DECIDE * abs(mean):
        ratio = abs(ours.mean / mean)
        near = 1 / CLOSE_FACTOR <= ratio <= CLOSE_FACTOR
        closeness = "open" if chance > 0 else "close" if near else "far"
        return closeness, f"{ratio:.2g} times the paper's mean"
    gap = abs(ours.mean - mean)
    beyond = gap - CLOSE_SDS * cell.spread - cell.mean.half_unit
    closeness = "close" if beyond <= 0 else "far"
    if chance > 0 and abs(beyond) <= chance * np.nanmax([cell.spread, ours.sd]):
        closeness = "open"
    return closeness, f"{gap / cell.spread:.1f} of the paper's SDs away"


def is_provisional(n: int) -> bool:
    """Say whether a number of runs is smaller than the paper's."""
    return 0 < n < load_paper().runs


def share_of_chance(n: int) -> float:
    """Return the standard error that a mean of n runs has beyond one of the paper's."""
    return math.sqrt(1 / n - 1 / load_paper().runs) if is_provisional(n) else 0.0


def tally(judgements: Iterable[Judgement]) -> Tally:
    """Count verdicts, and effects that were found again."""
    judged = list(judgements)
    tested = [j for j in judged if j.paper_effect is not None and j.our_effect is not None]
    return Tally(
        counts={verdict: sum(j.verdict == verdict for j in judged) for verdict in VERDICTS},
        effects=len(tested),
        same_effects=sum(j.paper_effect == j.our_effect for j in tested),
    )


def _decide(
    closeness: Closeness,
    distance: str,
    expected: Effect | None,
    found: Effect | None,
    opposed: bool,
) -> tuple[Verdict, str]:
    if closeness == "close" and not opposed:
        return "match", distance
    if expected is not None and found == expected:
        same = "no significant effect in both" if expected == "none" else "same significant effect"
        return "direction", f"{distance}; {same}"
    if closeness == "open":
        return "open", distance
    if opposed:
        return "differs", f"{distance}; the change points against the paper's"
    return "differs", distance


def _opposed(expected: Effect | None, change: float) -> bool:
    return (expected == "up" and change < 0) or (expected == "down" and change > 0)


def _effect(change: float, p: float) -> Effect:
    if not p < LEVEL or change == 0:
        return "none"
    return "up" if change > 0 else "down"


def _difference(cell: PaperCell, ours: Ours) -> float:
    if cell.is_count:  # as if we had as many runs as the paper
        return ours.mean / ours.n * load_paper().runs - cell.mean.value
    return ours.mean - cell.mean.value


def _same_p(cell: PaperCell, ours: Ours) -> float:
    """Test whether our runs and the paper's could be samples of the same thing."""
    if cell.is_count:
        return compare_counts(_paper_share(cell), exact_share(round(ours.mean), ours.n))
    if ours.n < 2:
        return float("nan")
    welch = scipy_stats.ttest_ind_from_stats(
        *(cell.mean.value, cell.spread, load_paper().runs),
        *(ours.mean, ours.sd, ours.n),
        equal_var=False,
    )
    return float(welch.pvalue)


def _paper_share(cell: PaperCell) -> Share:
    return exact_share(round(cell.mean.value), load_paper().runs)
