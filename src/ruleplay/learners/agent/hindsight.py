"""Learn from hindsight: store steps again with goals that were achieved after them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.learners.agent.actors import Actor
from ruleplay.learners.agent.goals import PARTS, find_goal_view, join_goal
from ruleplay.learners.agent.play import EncodedEnv
from ruleplay.replay.hindsight import GoalStep, retell

Vector = NDArray[np.float64]


def check_hindsight(copies: int, env: Any, replays: bool) -> None:
    """Refuse hindsight where there are no goals or no memory."""
    if copies == 0:
        return
    view = find_goal_view(env)
    if view is None:
        raise ConfigError(
            "hindsight must be 0 for an environment without goals (observations with the parts "
            f"{', '.join(PARTS)}), got {copies}"
        )
    view.goal_functions()
    if not replays:
        raise ConfigError(f"hindsight must be 0 without a replay memory, got {copies}")


class Hindsight:
    """An actor that has another one act, and stores copies of its steps after each episode."""

    def __init__(
        self,
        actor: Actor,
        engine: XCS,
        encoded: EncodedEnv,
        copies: int,
        random: np.random.Generator,
    ) -> None:
        view = find_goal_view(encoded.env)
        assert view is not None
        self._actor, self._engine, self._encode = actor, engine, encoded.encoder.vector
        self._view, self._copies, self._random = view, copies, random
        self._episode: list[GoalStep] = []
        self._before: tuple[Any, int] | None = None

    def __call__(
        self, observation: Vector, reward: float, terminated: bool, truncated: bool
    ) -> int:
        """Note the last step, let the actor act, and store copies of an episode that has ended."""
        seen = self._view.seen
        if self._before is not None:
            here = np.array(seen["observation"])
            achieved = np.array(seen["achieved_goal"])
            self._episode.append(GoalStep(*self._before, here, achieved, {}))
        action = self._actor(observation, reward, terminated, truncated)
        self._before = None if action < 0 else (np.array(seen["observation"]), action)
        if action < 0:
            self._store_copies()
        return action

    def _store_copies(self) -> None:
        told = retell(self._episode, self._copies, *self._view.goal_functions(), self._random)
        self._episode = []
        self._engine.remember_batch(
            np.array([self._encode(join_goal(one.step.observation, one.goal)) for one in told]),
            np.array([one.step.action for one in told]),
            np.array([one.reward for one in told]),
            np.array(
                [self._encode(join_goal(one.step.next_observation, one.goal)) for one in told]
            ),
            np.array([one.terminal for one in told]),
        )
