"""BitFlip: flip single bits until they are those of a goal; a small problem with goals.

The reward is -1 for each step that does not reach the goal, and 0 for the one that does: an
agent that never gets there by chance learns nothing, unless it learns from hindsight.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Dict, Discrete, MultiBinary
from numpy.typing import NDArray

from ruleplay.envs._options import whole
from ruleplay.errors import ConfigError

Bits = NDArray[np.int8]
Observation = dict[str, Bits]


class BitFlipEnv(gymnasium.Env[Any, np.int64]):
    """Bits and a goal, both drawn at random; action k flips bit k, and there are `bits` steps."""

    def __init__(self, bits: int = 8, *, render_mode: str | None = None) -> None:
        if render_mode is not None:
            raise ConfigError(f"render_mode must be None, got {render_mode!r}")
        self.bits = whole("bits", bits, 1, 1000)
        names = ("observation", "achieved_goal", "desired_goal")
        self.observation_space = Dict({name: MultiBinary(self.bits) for name in names})
        self.action_space = Discrete(self.bits)
        self._state: Bits = np.zeros(self.bits, np.int8)
        self._goal: Bits = np.zeros(self.bits, np.int8)
        self._left = 0  # steps until the episode is cut off

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode with other bits than the goal's."""
        super().reset(seed=seed)
        self._state = self.np_random.integers(2, size=self.bits, dtype=np.int8)
        self._goal = self._state
        while np.array_equal(self._goal, self._state):
            self._goal = self.np_random.integers(2, size=self.bits, dtype=np.int8)
        self._left = self.bits
        return self._observe(), {}

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Flip a bit."""
        if self._left == 0:
            raise ResetNeeded("call reset() before step(), and again after an episode's end")
        if not self.action_space.contains(action):
            raise InvalidAction(f"action must lie in {self.action_space}, got {action!r}")
        self._state = self._state.copy()
        self._state[int(action)] ^= 1
        reward = float(self.compute_reward(self._state, self._goal, {}))
        reached = bool(self.compute_terminated(self._state, self._goal, {}))
        self._left = 0 if reached else self._left - 1
        return self._observe(), reward, reached, self._left == 0 and not reached, {}

    def compute_reward(self, achieved_goal: Any, desired_goal: Any, info: Any) -> Any:
        """Return 0 where the goal is reached, else -1; also for rows of goals."""
        return np.all(np.equal(achieved_goal, desired_goal), axis=-1) - 1.0

    def compute_terminated(self, achieved_goal: Any, desired_goal: Any, info: Any) -> Any:
        """Tell where the goal is reached."""
        return np.all(np.equal(achieved_goal, desired_goal), axis=-1)

    def _observe(self) -> Observation:
        return {
            "observation": self._state.copy(),
            "achieved_goal": self._state.copy(),
            "desired_goal": self._goal.copy(),
        }
