"""Which of a run's populations to keep: learning goes up and down, and the last is not the best.

At checkpoints a population is judged by greedy episodes, on starts that depend on the seed
and are the same for all checkpoints, or by the episodes that were learned from since the
last one. What is kept is tested on other starts. The steps of all greedy episodes are counted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.config.keep import KeepConfig
from ruleplay.engine import XCS
from ruleplay.engine.run_record import Episodes, RunRecord
from ruleplay.engine.uniting import LastPopulations, copy_of
from ruleplay.envs import Problem
from ruleplay.errors import ConfigError

# Steps done, steps in all, and how to get the record so far.
Piece = Callable[[int, int, Callable[[], RunRecord]], None]

# Seeds of greedy episodes, far from those of runs: 2^40 apart from each other.
_VALIDATION, _TEST = 1 << 40, 1 << 41


class Checkpoint(NamedTuple):
    """A pause in a run: the mean return of greedy episodes, and of those just learned from."""

    step: int
    greedy: float
    online: float  # NaN if no episode ended since the checkpoint before


@dataclass(frozen=True, eq=False)
class Kept:
    """What a run leaves behind: its record, the population that remains, and the figures."""

    record: RunRecord
    engine: XCS
    kept_step: int  # when that population was the current one
    checkpoints: tuple[Checkpoint, ...]
    test: Episodes
    validation_steps: int  # of the greedy episodes that decided what to keep


def learn_and_keep(
    engine: XCS,
    make: Callable[[], Problem],
    steps: int,
    keep: KeepConfig,
    *,
    curve_points: int = 200,
    on_piece: Piece | None = None,
) -> Kept:
    """Let an engine learn on a compiled problem and keep a population as configured.

    `make` returns the problem, fresh at each call.
    """
    if make().single_step:
        raise ConfigError("populations are judged by episodes: the problem must have some")
    judge = _Judge(engine, make, keep)
    pieces = engine.run_in_pieces(make(), steps, curve_points, keep.checkpoints)
    for done, record in pieces:
        judge.pause(done, record().episode_returns)
        if on_piece:
            on_piece(done, steps, record)
        if done == steps:
            return judge.finish(record())
    raise AssertionError("a run has a last piece")


class PopulationKeeper:
    """Keep the best of the populations that an engine goes through.

    Of populations with equal scores the newest is kept, or the oldest. What is kept is the whole
    engine, or its rules without the memory.
    """

    def __init__(
        self,
        *,
        newest_of_equals: bool,
        with_memory: bool,
        tolerance: float = 0.0,
    ) -> None:
        self.scores: list[float] = []
        self.step = 0  # when the population that is kept was the current one
        self.offers_since_rise = 0  # of the score, by more than the tolerance
        self._newest_of_equals, self._with_memory = newest_of_equals, with_memory
        self._tolerance = tolerance
        self._best: float | None = None
        self._kept: XCS | bytes | None = None

    def offer(self, engine: XCS, score: float, step: int = 0) -> None:
        """Take in the present population and its score, and keep it if it is the one to keep.

        A score that is NaN (no episode to be judged by) is worse than all others.
        """
        score = -np.inf if np.isnan(score) else score
        rises = self._best is None or score > self._best + self._tolerance
        self.offers_since_rise = 0 if rises else self.offers_since_rise + 1
        self.scores.append(score)
        if self._best is None or self._is_better(score, self._best):
            self._kept = engine.to_bytes() if self._with_memory else copy_of(engine)
            self._best, self.step = score, step

    def _is_better(self, score: float, best: float) -> bool:
        return score >= best if self._newest_of_equals else score > best

    def choose(self) -> XCS | None:
        """Return what is kept; None if nothing was offered."""
        return XCS.from_bytes(self._kept) if isinstance(self._kept, bytes) else self._kept


class _Judge:
    """Judge populations as they come, and offer them to a keeper as configured."""

    def __init__(self, engine: XCS, make: Callable[[], Problem], keep: KeepConfig) -> None:
        self._engine, self._make, self._keep = engine, make, keep
        self._points: list[Checkpoint] = []
        self._episodes = self._steps = 0
        self._keeper = PopulationKeeper(newest_of_equals=True, with_memory=False)
        self._last = LastPopulations(keep.average_over)

    def pause(self, step: int, returns: NDArray[np.float64]) -> None:
        """Judge what would be kept at a checkpoint, given the returns of all episodes so far."""
        seed = _VALIDATION + self._engine.seed
        candidate = self._candidate()
        played = candidate.evaluate(self._make(), self._keep.episodes, seed)
        new = returns[self._episodes :]
        point = Checkpoint(
            step, float(played.returns.mean()), float(new.mean()) if len(new) else np.nan
        )
        self._points.append(point)
        self._episodes = len(returns)
        if self._keep.validates:
            self._steps += int(played.lengths.sum())
        if self._keep.chooses:
            score = point.online if self._keep.policy == "online" else point.greedy
            self._keeper.offer(candidate, score, step)

    def _candidate(self) -> XCS:
        """Return the present population; with the last ones, if all are judged together."""
        if self._keep.averages:
            self._last.add(self._engine)
        return self._last.united() if self._keep.averages and self._keep.validates else self._engine

    def finish(self, record: RunRecord) -> Kept:
        """Choose what remains and test it."""
        step, engine = self._points[-1].step, self._engine
        if self._keep.chooses:
            step, engine = self._keeper.step, self._keeper.choose() or engine
        elif self._keep.averages:
            engine = self._last.united()
        seed = test_seed(self._engine.seed)
        test = engine.evaluate(self._make(), self._keep.test_episodes, seed)
        return Kept(record, engine, step, tuple(self._points), test, self._steps)


def test_seed(seed: int) -> int:
    """Return the seed of the greedy episodes that test what a run with a seed has learned."""
    return _TEST + seed
