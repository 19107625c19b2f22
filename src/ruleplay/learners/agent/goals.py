"""Environments with goals: observation and desired goal as one vector."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ruleplay.errors import ConfigError

PARTS = ("observation", "achieved_goal", "desired_goal")


def has_goals(space: Any) -> bool:
    """Tell whether observations come with an achieved and a desired goal."""
    return isinstance(space, spaces.Dict) and set(space.spaces) == set(PARTS)


def join_goal(observation: Any, goal: Any) -> NDArray[Any]:
    """Return an observation followed by a goal, as one vector."""
    return np.concatenate([np.ravel(observation), np.ravel(goal)])


def flatten_goal(observation: Any) -> Any:
    """Return an observation with goals as one vector, and any other as it is."""
    if isinstance(observation, Mapping) and observation.keys() >= set(PARTS):
        return join_goal(observation["observation"], observation["desired_goal"])
    return observation


class GoalView(
    gymnasium.ObservationWrapper[Any, Any, Any],
    gymnasium.utils.RecordConstructorArgs,
):
    """An environment with goals whose observations are vectors: what is seen, then the goal.

    `seen` is the last observation as it was.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self)
        gymnasium.ObservationWrapper.__init__(self, env)
        self.observation_space = _joined_space(env.observation_space)
        self.seen: Any = None

    def observation(self, observation: Any) -> Any:
        """Return an observation as a vector."""
        self.seen = observation
        return flatten_goal(observation)

    def goal_functions(self) -> tuple[Any, Any]:
        """Return what computes the reward of a goal, and what tells whether it ends an episode."""
        plain: Any = self.env.unwrapped
        if not hasattr(plain, "compute_reward"):
            raise ConfigError("hindsight needs an environment with a method compute_reward")
        return plain.compute_reward, getattr(plain, "compute_terminated", _are_equal)


def _are_equal(achieved: Any, goal: Any, info: Any) -> bool:
    return np.array_equal(achieved, goal)


def _joined_space(space: Any) -> spaces.Space[Any]:
    """Return the space of joined observations, or refuse it."""
    seen, goal = space["observation"], space["desired_goal"]
    if isinstance(seen, spaces.MultiBinary) and isinstance(goal, spaces.MultiBinary):
        return spaces.MultiBinary(int(np.prod(seen.shape) + np.prod(goal.shape)))
    if isinstance(seen, spaces.Box) and isinstance(goal, spaces.Box):
        low, high = join_goal(seen.low, goal.low), join_goal(seen.high, goal.high)
        return spaces.Box(low, high, dtype=low.dtype.type)
    raise ConfigError(
        "observation and desired_goal must both be Box or both MultiBinary, "
        f"got {type(seen).__name__} and {type(goal).__name__}"
    )


def find_goal_view(env: Any) -> GoalView | None:
    """Return the view on goals among an environment's wrappers, if there is one."""
    while isinstance(env, gymnasium.Wrapper):
        if isinstance(env, GoalView):
            return env
        env = env.env
    return None
