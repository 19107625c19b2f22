"""The check of a compiled problem."""

from collections.abc import Callable

import numpy as np

from ruleplay.config import XCSConfig
from ruleplay.core.basics.rng import spawn_states
from ruleplay.engine import XCS
from ruleplay.envs.dynamics import reset_problem, step_problem
from ruleplay.envs.problem import Problem

STEPS = 300


def check_problem(make: Callable[[], Problem]) -> None:
    """Raise AssertionError if a problem is not what it says; `make` returns a fresh one."""
    problem = make()
    assert _play(make(), 1) == _play(make(), 1), f"{problem.name}: one seed must give one episode"
    config = XCSConfig(
        population_size=50, exploration="epsilon_greedy", out_of_range="clip", discount=0.9
    )
    engine = XCS(config, n_actions=problem.n_actions, low=problem.low, high=problem.high, seed=1)
    engine.run(make(), STEPS)
    engine.check()
    if not problem.single_step:
        played = engine.evaluate(make(), episodes=3)
        assert (played.lengths <= problem.time_limit).all(), f"{problem.name}: too long an episode"
        assert (played.returns <= problem.largest_return + 1e-9).all(), (
            f"{problem.name}: largest_return must be at least {played.returns.max():g}"
        )


def _play(problem: Problem, seed: int) -> list[tuple[float, ...]]:
    """Play at random; check what is seen and paid, and return it."""
    rng, chance = spawn_states(seed, 1)[0], np.random.default_rng(seed)
    seen, lived = np.full(problem.n_features, np.nan), []
    low, high = problem.low - problem.margin, problem.high + problem.margin
    length, terminated = 0, True
    for _ in range(STEPS):
        if terminated or (problem.time_limit and length >= problem.time_limit):
            reset_problem(problem.dynamics, seen, rng)
            _check_seen(problem, seen, low, high)
            length = 0
        action = int(chance.integers(problem.n_actions))
        reward, terminated = step_problem(problem.dynamics, action, seen, rng)
        length += 1
        _check_seen(problem, seen, low, high)
        assert np.isfinite(reward), f"{problem.name}: a reward must be finite, got {reward}"
        assert reward <= problem.largest_reward, (
            f"{problem.name}: largest_reward must be at least {reward:g}"
        )
        assert bool(terminated) or not problem.single_step, (
            f"{problem.name}: each step of a single-step problem must end its episode"
        )
        lived.append((*seen.tolist(), float(reward), float(terminated)))
    return lived


def _check_seen(problem: Problem, seen: object, low: object, high: object) -> None:
    inside = np.all((np.asarray(seen) >= low) & (np.asarray(seen) <= high))
    assert inside, f"{problem.name}: an observation must lie within its bounds, got {seen}"
