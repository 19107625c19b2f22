"""What a finished run has to say, in numbers that a table or a plot can use."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine.recorder import DETAILS, MEASURES, SAMPLED, Recorder

Array = NDArray[np.float64]
TRAILING = 100  # episodes in the running mean of returns


class Episodes(NamedTuple):
    """What came of some episodes: their returns, and how many steps they took."""

    returns: Array
    lengths: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RunRecord:
    """The learning curve and the episodes of one run.

    `curve` has one array per measure, the mean over each point's steps, and `step`, the
    number of learning steps at the end of each point.
    """

    n_features: int
    curve: dict[str, Array]
    episode_returns: Array
    episode_lengths: NDArray[np.int64]
    first_reward_step: int | None  # counted from 1

    @classmethod
    def of(cls, recorder: Recorder, n_features: int) -> "RunRecord":
        """Read what a run has recorded so far."""
        counters = recorder.counters
        steps = MEASURES.index("steps")
        sums = recorder.curve[recorder.curve[:, steps] > 0]
        counts = sums[:, steps]
        curve = {name: sums[:, k] / counts for k, name in enumerate(MEASURES[:-1])}
        curve["step"] = np.cumsum(counts)
        for name, column in zip(DETAILS, sums[:, len(MEASURES) :].T, strict=False):
            curve[name] = column.copy() if name in SAMPLED else column / counts
        episodes = int(counters["episodes"])
        return cls(
            n_features=n_features,
            curve=curve,
            episode_returns=recorder.returns[:episodes].copy(),
            episode_lengths=recorder.lengths[:episodes].copy(),
            first_reward_step=int(counters["first_reward_step"]) or None,
        )

    def mean(self, measure: str) -> float:
        """Return the mean of a measure over all steps of the run."""
        weights = np.diff(self.curve["step"], prepend=0.0)
        return float(np.average(self.curve[measure], weights=weights))

    @property
    def otm(self) -> float | None:
        """Return the overall total mean: the mean return of all finished episodes."""
        return float(self.episode_returns.mean()) if len(self.episode_returns) else None

    @property
    def otm_trailing(self) -> float | None:
        """Return the mean over episodes of the mean of the last 100 returns."""
        means = trailing_mean(self.episode_returns)
        return float(means.mean()) if len(means) else None

    def summary(self) -> dict[str, Any]:
        """Return the figures of merit by name."""
        volume = self.mean("generality_volume")
        return {
            "reward": self.mean("reward"),
            "system_error": self.mean("system_error"),
            "macroclassifiers": self.mean("macroclassifiers"),
            "generality_volume": volume,
            "generality_half_width": volume * 0.5**self.n_features,
            "otm": self.otm,
            "otm_trailing": self.otm_trailing,
            "first_reward_step": self.first_reward_step,
        }


def trailing_mean(returns: Array, window: int = TRAILING) -> Array:
    """Return, for each episode, the mean return of it and up to `window` - 1 before.

    >>> trailing_mean(np.array([1.0, 3.0, 5.0]), window=2).tolist()
    [1.0, 2.0, 4.0]
    """
    if len(returns) == 0:
        return np.zeros(0)
    sums = np.concatenate([[0.0], np.cumsum(returns)])
    last = np.arange(1, len(returns) + 1)
    first = np.maximum(last - window, 0)
    means: Array = (sums[last] - sums[first]) / (last - first)
    return means
