"""Environments with goals: observations as one vector, and learning from hindsight."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.learners.agent.play import Actor, World
from ruleplay.replay.hindsight import GoalStep, retell

Vector = NDArray[np.float64]
PARTS = ("observation", "achieved_goal", "desired_goal")


def has_goals(space: Any) -> bool:
    """Tell whether observations come with an achieved and a desired goal."""
    return isinstance(space, spaces.Dict) and set(space.spaces) == set(PARTS)


def join(observation: Any, goal: Any) -> NDArray[Any]:
    """Return an observation followed by a goal, as one vector."""
    return np.concatenate([np.ravel(observation), np.ravel(goal)])


def flat(observation: Any) -> Any:
    """Return an observation with goals as one vector, and any other as it is."""
    if isinstance(observation, Mapping):
        return join(observation["observation"], observation["desired_goal"])
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
        self.observation_space = _joined(env.observation_space)
        self.seen: Any = None

    def observation(self, observation: Any) -> Any:
        """Return an observation as a vector."""
        self.seen = observation
        return flat(observation)

    def judges(self) -> tuple[Any, Any]:
        """Return who computes the reward of a goal, and whether it ends an episode."""
        plain: Any = self.env.unwrapped
        if not hasattr(plain, "compute_reward"):
            raise ConfigError("hindsight needs an environment with a method compute_reward")
        return plain.compute_reward, getattr(plain, "compute_terminated", _are_equal)


def _are_equal(achieved: Any, goal: Any, info: Any) -> bool:
    return np.array_equal(achieved, goal)


def _joined(space: Any) -> spaces.Space[Any]:
    """Return the space of joined observations, or refuse it."""
    seen, goal = space["observation"], space["desired_goal"]
    if isinstance(seen, spaces.MultiBinary) and isinstance(goal, spaces.MultiBinary):
        return spaces.MultiBinary(int(np.prod(seen.shape) + np.prod(goal.shape)))
    if isinstance(seen, spaces.Box) and isinstance(goal, spaces.Box):
        low, high = join(seen.low, goal.low), join(seen.high, goal.high)
        return spaces.Box(low, high, dtype=low.dtype.type)
    raise ConfigError(
        "observation and desired_goal must both be Box or both MultiBinary, "
        f"got {type(seen).__name__} and {type(goal).__name__}"
    )


def find_view(env: Any) -> GoalView | None:
    """Return the view on goals among an environment's wrappers, if there is one."""
    while isinstance(env, gymnasium.Wrapper):
        if isinstance(env, GoalView):
            return env
        env = env.env
    return None


def check_hindsight(copies: int, env: Any, replays: bool) -> None:
    """Refuse hindsight where there are no goals or no memory."""
    if copies == 0:
        return
    view = find_view(env)
    if view is None:
        raise ConfigError(
            "hindsight must be 0 for an environment without goals (observations with the parts "
            f"{', '.join(PARTS)}), got {copies}"
        )
    view.judges()
    if not replays:
        raise ConfigError(f"hindsight must be 0 without a replay memory, got {copies}")


class Hindsight:
    """An actor that has another one act, and after each episode stores what else it teaches."""

    def __init__(
        self, actor: Actor, engine: XCS, world: World, copies: int, random: np.random.Generator
    ) -> None:
        view = find_view(world.env)
        assert view is not None
        self._actor, self._engine, self._encode = actor, engine, world.encode
        self._view, self._copies, self._random = view, copies, random
        self._episode: list[GoalStep] = []
        self._before: tuple[Any, int] | None = None

    def __call__(
        self, observation: Vector, reward: float, terminated: bool, truncated: bool
    ) -> int:
        """Note the last step, let the actor act, and retell an episode that has ended."""
        seen = self._view.seen
        if self._before is not None:
            here = np.array(seen["observation"])
            achieved = np.array(seen["achieved_goal"])
            self._episode.append(GoalStep(*self._before, here, achieved, {}))
        action = self._actor(observation, reward, terminated, truncated)
        self._before = None if action < 0 else (np.array(seen["observation"]), action)
        if action < 0:
            self._remember()
        return action

    def _remember(self) -> None:
        told = retell(self._episode, self._copies, *self._view.judges(), self._random)
        self._episode = []
        self._engine.remember_batch(
            np.array([self._encode(join(one.step.observation, one.goal)) for one in told]),
            np.array([one.step.action for one in told]),
            np.array([one.reward for one in told]),
            np.array([self._encode(join(one.step.next_observation, one.goal)) for one in told]),
            np.array([one.terminal for one in told]),
        )
