"""The same compiled problems as Gymnasium environments."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from ruleplay.core.basics.rng import State
from ruleplay.envs.drawing.rendering import Pixels, can_draw, draw_problem
from ruleplay.envs.dynamics import reset_problem, step_problem
from ruleplay.envs.problem import Problem, make_problem
from ruleplay.errors import ConfigError

Observation = NDArray[np.float64]
Info = dict[str, Any]


class CompiledEnv(gymnasium.Env[Observation, np.int64]):
    """A compiled problem behind Gymnasium's interface.

    Seeded with s it plays the very episodes that a compiled run with seed s plays.
    `problem` is open to agents that want its scaling bounds and names. Chain, CartPole,
    MountainCar, Acrobot, woods and mazes can be drawn: `render_mode="rgb_array"`.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}  # noqa: RUF012

    def __init__(
        self, problem: str | Problem, *, render_mode: str | None = None, **options: Any
    ) -> None:
        self.problem = _resolve(problem, options)
        if not can_draw(self.problem):
            self.metadata = {"render_modes": []}
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            others = "".join(f" or {mode!r}" for mode in modes)
            raise ConfigError(f"render_mode must be None{others}, got {render_mode!r}")
        self.render_mode = render_mode
        margin = self.problem.margin
        low, high = self.problem.low - margin, self.problem.high + margin
        self.observation_space = Box(low, high, dtype=np.float64)
        self.action_space = Discrete(self.problem.n_actions)
        self._observation = np.zeros(self.problem.n_features)
        self._generator: np.random.Generator | None = None
        self._rng: State = np.zeros(4, dtype=np.uint64)
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin an episode; a seed restarts the stream of random numbers."""
        super().reset(seed=seed)
        self._follow_generator()
        reset_problem(self.problem.dynamics, self._observation, self._rng)
        self._running = True
        return self._observation.copy(), {}

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, Info]:
        """Answer an action; truncation is left to Gymnasium's TimeLimit."""
        if not self._running:
            raise ResetNeeded("call reset() before step(), and again after an episode's end")
        is_plain = type(action) is int and 0 <= action < self.problem.n_actions
        if not is_plain and not self.action_space.contains(action):
            raise InvalidAction(f"action must lie in {self.action_space}, got {action!r}")
        reward, terminated = step_problem(
            self.problem.dynamics, int(action), self._observation, self._rng
        )
        self._running = not terminated
        return self._observation.copy(), float(reward), bool(terminated), False, {}

    def render(self) -> Pixels | None:
        """Return a picture of the present state, if the environment was made to draw."""
        return None if self.render_mode is None else draw_problem(self.problem)

    def _follow_generator(self) -> None:
        """Restart the compiled stream whenever Gymnasium's own generator is a new one."""
        if self.np_random is self._generator:
            return
        self._generator = self.np_random
        child = self._generator.bit_generator.seed_seq.spawn(1)[0]  # type: ignore[attr-defined]
        self._rng = child.generate_state(4, np.uint64)


def _resolve(problem: str | Problem, options: dict[str, Any]) -> Problem:
    """Build a problem from its name, or take a finished one as it is."""
    if "time_limit" in options:
        raise ConfigError("pass max_episode_steps to gymnasium.make instead of time_limit")
    if isinstance(problem, str):
        return make_problem(problem, **options)
    if options:
        raise ConfigError(f"a finished problem takes no options, got {', '.join(options)}")
    return problem
