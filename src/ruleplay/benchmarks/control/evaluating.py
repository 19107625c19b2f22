"""Play test episodes by a policy, each with its seed."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ruleplay.benchmarks.control.problems import Problem
from ruleplay.evaluation import Env, Seeds, play_episodes

Policy = Callable[[Any], Any]  # observation -> action


def scores(problem: Problem, policy: Policy, seeds: Seeds, env: Env | None = None) -> list[float]:
    """Return the score of an episode for each seed."""
    played = play_episodes(env or problem.make(), lambda now: policy(now.observation), seeds)
    return [problem.score(episode) for episode in played]


def mean_score(problem: Problem, policy: Policy, seeds: Seeds, env: Env | None = None) -> float:
    """Return the mean score of an episode for each seed."""
    return float(np.mean(scores(problem, policy, seeds, env)))
