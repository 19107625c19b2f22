"""What all single-step problems share: one question, one answer, 1000 for the right one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ruleplay.compiler.jit import kernel
from ruleplay.envs.problem import Problem

RIGHT_REWARD = 1000.0


@kernel
def judge_answer(problem, action, observation, rng):
    """Pay for the action that equals `problem.answer`, and end the episode."""
    reward = RIGHT_REWARD if action == problem.answer[0] else 0.0
    return reward, True


def single_step_problem(
    name: str, dynamics: Any, feature_names: Sequence[str], action_names: Sequence[str]
) -> Problem:
    """Describe a single-step problem whose observations lie in [0, 1]."""
    return Problem(
        name=name,
        dynamics=dynamics,
        low=np.zeros(len(feature_names)),
        high=np.ones(len(feature_names)),
        n_actions=len(action_names),
        single_step=True,
        right_or_wrong=True,
        time_limit=0,
        divergence_threshold=None,
        largest_return=RIGHT_REWARD,
        largest_reward=RIGHT_REWARD,
        feature_names=tuple(feature_names),
        action_names=tuple(action_names),
    )
