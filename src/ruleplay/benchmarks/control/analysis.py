"""Sum up runs of control: normalised scores, interquartile means, profiles, times to a threshold.

A score is normalised so that random play has 0 and the best policy 1. Where nobody knows the best,
it is the mean of the best contender in these runs.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.benchmarks.control.contenders import ROSTER
from ruleplay.benchmarks.control.problems import NAMES, problem_of
from ruleplay.benchmarks.control.references import Reference, read_references
from ruleplay.benchmarks.control.runs import curve_of
from ruleplay.benchmarks.run_file import NOT_APPLICABLE, OK
from ruleplay.experiments.stats import Estimate, interquartile_mean, probability_of_improvement

FIGURES = {"best": "best of the checkpoints", "last": "last policy"}
NEAR = 0.9  # normalised: the threshold of problems that have none

Floats = NDArray[np.float64]


def problems_of(runs: pd.DataFrame) -> list[str]:
    """Return the problems of runs, in the order of tables."""
    found = set(runs["problem"])
    return [name for name in NAMES if name in found] + sorted(found - set(NAMES))


def contenders_of(runs: pd.DataFrame) -> list[str]:
    """Return the contenders of runs, in the order of tables."""
    return ROSTER.ordered(list(runs["contender"].unique()))


def scales(runs: pd.DataFrame, figure: str) -> dict[str, tuple[float, float]]:
    """Return what is 0 and what is 1 on each problem."""
    known: Mapping[str, Reference] = read_references()
    means = runs[runs["status"] == OK].groupby(["problem", "contender"])[figure].mean()
    found = {}
    for name in problems_of(runs):
        reference = known[name]
        best = reference.best
        if np.isnan(best) and name in means:
            best = float(means[name].max())
        found[name] = (reference.random, best)
    return found


def normalised(runs: pd.DataFrame, figure: str) -> pd.DataFrame:
    """Return the runs with a further column, the normalised score.

    A failed run counts as random play: leaving it out would favour who fails where it is hard.
    """
    good = runs[runs["status"] != NOT_APPLICABLE].copy()
    ends = scales(runs, figure)
    low = good["problem"].map(lambda name: ends[name][0])
    high = good["problem"].map(lambda name: ends[name][1])
    shares = (good[figure] - low) / (high - low).where(high > low)
    good["normalised"] = shares.where(good["status"] == OK, 0.0)
    return good


def strata(good: pd.DataFrame, contender: str) -> dict[str, Floats]:
    """Return the normalised scores of a contender on each of its problems."""
    own = good[good["contender"] == contender]
    return {
        name: group["normalised"].to_numpy(np.float64)
        for name, group in own.groupby("problem", sort=False)
    }


def shared_problems(runs: pd.DataFrame, contenders: list[str]) -> list[str]:
    """Return the problems on which each of some contenders has a run, a failed one included."""
    good = runs[runs["status"] != NOT_APPLICABLE].groupby("problem")["contender"].agg(set)
    return [name for name in problems_of(runs) if set(contenders) <= good.get(name, set())]


def middle(good: pd.DataFrame, contender: str, problems: list[str]) -> Estimate:
    """Return the interquartile mean over all runs on some problems, with its interval."""
    values = strata(good, contender)
    return interquartile_mean([values[name] for name in problems if name in values])


def profile(good: pd.DataFrame, contender: str, levels: Floats, problems: list[str]) -> Floats:
    """Return the share of runs that score more than each level, the mean over problems."""
    values = strata(good, contender)
    shares = [(values[name][:, None] > levels).mean(axis=0) for name in problems if name in values]
    means: Floats = np.mean(shares, axis=0)
    return means


def better_than(good: pd.DataFrame, baseline: str, contender: str) -> dict[str, Estimate]:
    """Return, for each problem of both, how probably a run is better than one of the baseline."""
    first, second = strata(good, baseline), strata(good, contender)
    return {
        name: probability_of_improvement(first[name], second[name])
        for name in first
        if name in second
    }


def threshold_of(name: str, ends: tuple[float, float]) -> float:
    """Return the score at which a problem counts as solved."""
    given = problem_of(name).threshold
    return ends[0] + NEAR * (ends[1] - ends[0]) if given is None else given


def to_threshold(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the steps and seconds of each run until a checkpoint was first good enough.

    They are infinite where none was; runs without checkpoints are left out.
    """
    ends, rows = scales(runs, "best"), []
    for row in runs[runs["status"] == OK].to_dict("records"):
        curve = curve_of(row["curve"])
        wanted = threshold_of(row["problem"], ends[row["problem"]])
        reached = [one for one in curve if one.score >= wanted]
        if curve:
            steps, seconds = reached[0][::2] if reached else (np.inf, np.inf)
            found = {"threshold": wanted, "steps_to": steps, "seconds_to": seconds}
            rows.append({"contender": row["contender"], "problem": row["problem"], **found})
    columns = ["contender", "problem", "threshold", "steps_to", "seconds_to"]
    return pd.DataFrame(rows, columns=columns)
