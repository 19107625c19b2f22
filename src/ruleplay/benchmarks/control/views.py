"""See environments as contenders need them: as numbers, with numbered actions, or counted."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ruleplay.evaluation import Env
from ruleplay.learners.agent.interface import Interface, choose_bounds, make_interface


class CountedSteps(gymnasium.Wrapper[Any, Any, Any, Any]):
    """An environment that counts its steps."""

    steps = 0

    def step(self, action: Any) -> Any:
        """Count a step."""
        self.steps += 1
        return self.env.step(action)


class View:
    """How observations and actions of an environment look to a contender that takes numbers.

    Boxes and numbered states are seen as they are, truth values as numbers. Of observations with
    parts, and for trees of all, the features are those that XCSAgent has, scaled to [0, 1] if they
    have parts. Actions of real numbers are, if they must be numbered, those that XCSAgent has.
    """

    def __init__(self, env: Env, *, numbered: bool) -> None:
        """Look at an environment; `numbered` asks for numbered actions."""
        self.interface: Interface = make_interface(env, None, None, None)
        space = env.observation_space
        self.has_parts = isinstance(space, spaces.Dict | spaces.Tuple)
        self.low, self.high = choose_bounds(env, self.interface.encoder, None)
        self.renumbers = numbered and isinstance(env.action_space, spaces.Box)
        self.is_numbered = isinstance(env.action_space, spaces.Discrete)
        self.observation_space: Any = space
        if self.has_parts:
            self.observation_space = spaces.Box(0.0, 1.0, self.low.shape, np.float32)
        elif space.dtype == bool:
            self.observation_space = spaces.Box(0.0, 1.0, space.shape, np.float32)

    def features(self, observation: Any) -> Any:
        """Return the features of an observation as XCSAgent has them."""
        return self.interface.encode([observation])[0]

    def observation(self, observation: Any) -> Any:
        """Return an observation as numbers."""
        if self.has_parts:
            spread = np.where(self.high > self.low, self.high - self.low, 1.0)
            return ((self.features(observation) - self.low) / spread).astype(np.float32)
        is_box = isinstance(self.observation_space, spaces.Box)
        return np.asarray(observation, self.observation_space.dtype) if is_box else observation

    def action(self, action: Any) -> Any:
        """Return an action as the environment takes it: a network's numbers come as arrays."""
        if self.renumbers:
            return self.interface.actions.take(int(action))
        return int(action) if self.is_numbered else action


class ViewedEnv(gymnasium.Wrapper[Any, Any, Any, Any]):
    """An environment seen through a view."""

    def __init__(self, env: Env, view: View) -> None:
        """Put the view's spaces in place of the environment's."""
        super().__init__(env)
        self.view = view
        self.observation_space = view.observation_space
        if view.renumbers:
            self.action_space = spaces.Discrete(view.interface.n_actions)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self.view.observation(observation), info

    def step(self, action: Any) -> Any:
        """Carry out an action."""
        observation, reward, *rest = self.env.step(self.view.action(action))
        return self.view.observation(observation), float(reward), *rest
