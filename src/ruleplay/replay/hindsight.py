"""Hindsight: what an episode teaches about goals that it reached without meaning to.

(Andrychowicz et al., 2017.) After an episode each of its steps is told again as if the goal
had been one that was achieved in this step or a later one ("future").
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

Judge = Callable[[Any, Any, Any], Any]  # achieved goal, desired goal, info -> reward or end


class GoalStep(NamedTuple):
    """One step of an episode with a goal, but without the goal."""

    observation: Any
    action: int
    next_observation: Any
    achieved: Any  # the goal that the step achieved
    info: Any


class Retold(NamedTuple):
    """The same step with another goal."""

    step: GoalStep
    goal: Any
    reward: float
    terminal: bool


def retell(
    episode: Sequence[GoalStep],
    copies: int,
    reward_of: Judge,
    ends: Judge,
    random: np.random.Generator,
) -> list[Retold]:
    """Return `copies` of each step, each with a goal that this step or a later one reached."""
    told = []
    for number, step in enumerate(episode):
        for later in random.integers(number, len(episode), size=copies):
            goal = episode[later].achieved
            reward = float(reward_of(step.achieved, goal, step.info))
            told.append(Retold(step, goal, reward, bool(ends(step.achieved, goal, step.info))))
    return told
