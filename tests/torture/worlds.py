"""Tiny environments for agents: one as it should be, one with goals."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces


class Square(gymnasium.Env[Any, Any]):
    """Points of a square; pays for the right side and ends by chance."""

    observation_space = spaces.Box(-1.0, 3.0, (2,), np.float64)
    action_space = spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return self._draw(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        right = (self.point[0] > self.point[1]) == (action == 1)
        ends = bool(self.np_random.random() < 0.1)
        return self._draw(), 1000.0 * right, ends, False, {}

    def _draw(self) -> Any:
        self.point = self.np_random.uniform(-1.0, 3.0, 2)
        return self.point


class Goals(gymnasium.Env[Any, Any]):
    """A walk on a line to a place that is drawn for each episode."""

    line = spaces.Box(0.0, 1.0, (1,), np.float64)
    observation_space = spaces.Dict(observation=line, achieved_goal=line, desired_goal=line)
    action_space = spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.goal, self.place, self.age = self.np_random.random(1), np.array([0.5]), 0
        return self._seen(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.place = np.clip(self.place + (0.1 if action == 1 else -0.1), 0.0, 1.0)
        self.age += 1
        reward = float(self.compute_reward(self.place, self.goal, {}))
        return self._seen(), reward, reward > 0.0, self.age >= 10, {}

    def compute_reward(self, achieved_goal: Any, desired_goal: Any, info: Any) -> Any:
        near = np.abs(np.asarray(achieved_goal) - np.asarray(desired_goal)) < 0.1
        return near.all(axis=-1).astype(float)

    def compute_terminated(self, achieved_goal: Any, desired_goal: Any, info: Any) -> Any:
        return self.compute_reward(achieved_goal, desired_goal, info) > 0.0

    def compute_truncated(self, achieved_goal: Any, desired_goal: Any, info: Any) -> Any:
        return False

    def _seen(self) -> dict[str, Any]:
        return {
            "observation": self.place.copy(),
            "achieved_goal": self.place.copy(),
            "desired_goal": self.goal.copy(),
        }
