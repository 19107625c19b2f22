"""Compact what a run has learned to a short list, and measure the loss on unseen starts."""

from collections.abc import Callable, Mapping
from typing import Any

from gymnasium.wrappers import TimeLimit

from ruleplay.engine import XCS
from ruleplay.envs import CompiledEnv, make_problem
from ruleplay.experiments.metrics import Scalar
from ruleplay.rules import EpisodeScore, compact

# Seeds of episodes, far from those that models are trained with.
FIRST_SEED, FIRST_CHECK = 1_000_000, 2_000_000
EPISODES = 100  # by which lists are judged while one is looked for
CHECKS = 100  # unseen episodes on which the loss is measured
TOLERANCE = 0.01  # share of the return that may be lost
SAMPLE = 2000  # observations that lists are learned from


def episode_maker(problem_name: str, options: Mapping[str, Any]) -> Callable[[], Any]:
    """Return how to make the environment of a multi-step problem, with its time limit."""

    def make_env() -> Any:
        problem = make_problem(problem_name, **options)
        return TimeLimit(CompiledEnv(problem), problem.time_limit)

    return make_env


def compact_figures(make_env: Callable[[], Any], engine: XCS, max_rules: int) -> dict[str, Scalar]:
    """Return the rules of the list found, and returns of all rules and of the list."""
    found = compact(
        engine,
        score=EpisodeScore(make_env, EPISODES, FIRST_SEED),
        check=EpisodeScore(make_env, CHECKS, FIRST_CHECK),
        max_rules=max_rules,
        tolerance=TOLERANCE,
        sample=SAMPLE,
    )
    return {
        "compact_rules": found.after,
        "compact_before": found.score_before,
        "compact_after": found.score_after,
    }
