"""Which of a run's populations to keep: learning goes up and down, and the last is not the best.

At checkpoints a population is judged by greedy episodes, on starts that depend on the seed
and are the same for all checkpoints, or by the episodes that were learned from since the
last one. What is kept is tested on other starts. The steps of all greedy episodes are counted.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.config.keep import KeepConfig
from ruleplay.engine import XCS
from ruleplay.engine.run_record import Episodes, RunRecord
from ruleplay.engine.transfer import empty_like, fill_rules, rules_of
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
    keeper = _Keeper(engine, make, keep)
    pieces = engine.run_in_pieces(make(), steps, curve_points, keep.checkpoints)
    for done, record in pieces:
        keeper.pause(done, record().episode_returns)
        if on_piece:
            on_piece(done, steps, record)
        if done == steps:
            return keeper.finish(record())
    raise AssertionError("a run has a last piece")


class _Keeper:
    """Judge populations as they come; remember the best or the last ones."""

    def __init__(self, engine: XCS, make: Callable[[], Problem], keep: KeepConfig) -> None:
        self._engine, self._make, self._keep = engine, make, keep
        self._points: list[Checkpoint] = []
        self._episodes = self._steps = 0
        self._best: tuple[float, int, XCS] | None = None
        self._last: deque[XCS] = deque(maxlen=keep.average_over)

    def pause(self, step: int, returns: NDArray[np.float64]) -> None:
        """Judge the population at a checkpoint, given the returns of all episodes so far."""
        seed = _VALIDATION + self._engine.seed
        played = self._engine.evaluate(self._make(), self._keep.episodes, seed)
        new = returns[self._episodes :]
        point = Checkpoint(
            step, float(played.returns.mean()), float(new.mean()) if len(new) else np.nan
        )
        self._points.append(point)
        self._episodes = len(returns)
        if self._keep.policy == "average":
            self._last.append(copy_of(self._engine))
        elif self._keep.policy != "last":
            self._keep_if_best(point, int(played.lengths.sum()))

    def _keep_if_best(self, point: Checkpoint, steps: int) -> None:
        validated = self._keep.policy == "validated"
        self._steps += steps if validated else 0
        score = point.greedy if validated else point.online
        if self._best is None or score >= self._best[0]:
            self._best = score, point.step, copy_of(self._engine)

    def finish(self, record: RunRecord) -> Kept:
        """Choose what remains and test it."""
        step, engine = self._points[-1].step, self._engine
        if self._best is not None:
            _, step, engine = self._best
        if self._last:
            engine = united(self._last)
        seed = test_seed(self._engine.seed)
        test = engine.evaluate(self._make(), self._keep.test_episodes, seed)
        return Kept(record, engine, step, tuple(self._points), test, self._steps)


def test_seed(seed: int) -> int:
    """Return the seed of the greedy episodes that test what a run with a seed has learned."""
    return _TEST + seed


def copy_of(engine: XCS) -> XCS:
    """Return another engine with the same rules and counters, without memory."""
    other = empty_like(engine, memory=False)
    other.state.arrays.state[:] = engine.state.arrays.state
    other.state.arrays.state["stored"] = 0
    other.state.recall_hope()
    other.start_episode()
    fill_rules(other, rules_of(engine))
    return other


def united(engines: "Sequence[XCS]") -> XCS:
    """Return one engine with the rules of several of one kind: they all vote.

    Rules with equal conditions and actions become one, of the last engine's making, with the
    sum of their fitness and numerosity.
    """
    newest = engines[-1]
    all_parts = [rules_of(engine) for engine in reversed(engines)]
    bounds = [
        engine.state.arrays.population.bounds[engine.places()] for engine in reversed(engines)
    ]
    parts = {name: np.concatenate([one[name] for one in all_parts]) for name in all_parts[0]}
    keys = np.column_stack([parts["action"], np.concatenate(bounds)])
    _, first, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    kept = {name: values[first].copy() for name, values in parts.items()}
    for name in ("fitness", "numerosity"):
        kept["rules"][name] = np.bincount(number.ravel(), parts["rules"][name])
    size = len(engines) * newest.config.population_size
    other = empty_like(newest, population_size=size, memory=False)
    other.state.arrays.state[:] = newest.state.arrays.state
    other.state.recall_hope()
    fill_rules(other, kept)
    return other
