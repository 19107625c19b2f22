"""What is read off a finished run, and how the curves of many runs become one band."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine.checkpoints import Kept
from ruleplay.engine.run_record import Episodes, RunRecord, trailing_mean
from ruleplay.envs import Problem

Array = NDArray[np.float64]
Scalar = float | int | bool | None


class RunCurve(NamedTuple):
    """The course of one run: measures over learning steps, and every finished episode."""

    curve: Mapping[str, Array]  # `step` and one array per measure
    episode_returns: Array
    episode_lengths: NDArray[np.int64]


def course_of(record: RunRecord) -> RunCurve:
    """Return the course of a run."""
    return RunCurve(record.curve, record.episode_returns, record.episode_lengths)


class CurveBand(NamedTuple):
    """The curves of several runs of one specification: mean and standard deviation.

    A deviation is NaN where fewer than two runs have a value. `trailing_return` is the mean
    return of the last 100 episodes finished up to a step.
    """

    runs: int
    step: Array
    mean: dict[str, Array]
    sd: dict[str, Array]


def summarize(record: RunRecord, problem: Problem) -> dict[str, Scalar]:
    """Return a run's figures of merit by name; None where one does not exist.

    `diverged` mixes two failures: `never_rewarded` tells the run that found no reward from
    the one that lost what it had learned.
    """
    threshold, otm = problem.divergence_threshold, record.otm
    summary: dict[str, Any] = record.summary()
    summary |= {
        "microclassifiers": record.mean("microclassifiers"),
        "episodes": len(record.episode_returns),
        "diverged": None if threshold is None or otm is None else otm < threshold,
        "never_rewarded": record.first_reward_step is None,
    }
    return {name: _plain(value) for name, value in summary.items()}


def summarize_answers(course: RunCurve, problem: Problem) -> dict[str, Scalar]:
    """Return how many answers were right at last, and when a problem was solved, if ever.

    It is solved at the end of the first point of the curve without a mistake.
    """
    right = course.curve["reward"] / problem.largest_reward
    points = np.flatnonzero(right == 1.0)
    last = max(1, len(right) // 10)
    return {
        "final_accuracy": float(right[-last:].mean()),
        "solved_step": int(course.curve["step"][points[0]]) if len(points) else None,
    }


def summarize_prediction(course: RunCurve) -> dict[str, Scalar]:
    """Return by how much predictions of a quantity were off at last, on average."""
    error = course.curve["system_error"]
    return {"final_error": float(error[-max(1, len(error) // 10) :].mean())}


def summarize_kept(kept: Kept) -> dict[str, Scalar]:
    """Return the figures of the population that a run keeps, tested by greedy episodes."""
    return summarize_test(kept.test) | {
        "greedy_last": kept.checkpoints[-1].greedy,
        "kept_step": kept.kept_step,
        "kept_rules": kept.engine.macroclassifiers,
        "validation_steps": kept.validation_steps,
    }


def summarize_test(test: Episodes) -> dict[str, Scalar]:
    """Return the mean return and length of greedy episodes."""
    return {"greedy": float(test.returns.mean()), "greedy_length": float(test.lengths.mean())}


def with_greedy_curve(kept: Kept) -> RunRecord:
    """Return a run's record whose curve tells the mean return of greedy episodes as well.

    A point has the value of the last checkpoint up to it, NaN before the first.
    """
    at = np.array([point.step for point in kept.checkpoints])
    values = np.array([np.nan, *(point.greedy for point in kept.checkpoints)])
    curve = kept.record.curve
    greedy = values[np.searchsorted(at, curve["step"], side="right")]
    return replace(kept.record, curve={**curve, "greedy": greedy})


def _plain(value: Any) -> Scalar:
    missing = isinstance(value, float) and math.isnan(value)
    return None if missing else value


def trailing_returns(run: RunCurve) -> Array:
    """Return, at each point of the curve, the mean return of the last 100 finished episodes.

    NaN before the first episode has ended.
    """
    means = np.concatenate([[np.nan], trailing_mean(run.episode_returns)])
    ends = np.cumsum(run.episode_lengths)
    return means[np.searchsorted(ends, run.curve["step"], side="right")]


def band_of(runs: Iterable[RunCurve]) -> CurveBand:
    """Return mean and deviation of the runs' curves, holding one run at a time."""
    count, step = 0, np.zeros(0)
    moments: dict[str, _Moments] = {}
    for run in runs:
        count, step = count + 1, run.curve["step"]
        values = {name: array for name, array in run.curve.items() if name != "step"}
        if len(run.episode_returns):
            values["trailing_return"] = trailing_returns(run)
        for name, array in values.items():
            moments.setdefault(name, _Moments(len(step))).add(array)
    return CurveBand(
        runs=count,
        step=step,
        mean={name: sums.mean() for name, sums in moments.items()},
        sd={name: sums.deviation() for name, sums in moments.items()},
    )


class _Moments:
    """Collect mean and squared deviations point by point, without what is not a number."""

    def __init__(self, points: int) -> None:
        self.count = np.zeros(points)
        self.centre = np.zeros(points)
        self.squares = np.zeros(points)

    def add(self, values: Array) -> None:
        """Take in one run's values   [Welford 1962]."""
        seen = ~np.isnan(values)
        self.count[seen] += 1
        away = values[seen] - self.centre[seen]
        self.centre[seen] += away / self.count[seen]
        with np.errstate(over="ignore"):  # a run that diverged has no standard deviation
            self.squares[seen] += away * (values[seen] - self.centre[seen])

    def mean(self) -> Array:
        """Return the mean, NaN where there was no value."""
        return np.where(self.count > 0, self.centre, np.nan)

    def deviation(self) -> Array:
        """Return the standard deviation of a sample, NaN for fewer than two values."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.count > 1, np.sqrt(self.squares / (self.count - 1)), np.nan)
