"""`XCSAgent(env).learn(steps)` runs everywhere, with nothing set and no package beyond ours."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from ruleplay import XCSAgent

ENDLESS = spaces.Box(-np.inf, np.inf, (2,), np.float32)
CHOICE = spaces.Discrete(2)
GRID = spaces.Dict(  # as MiniGrid's: planes of symbols, a direction, and a mission in words
    {
        "direction": spaces.Discrete(4),
        "image": spaces.Box(0, 255, (3, 3, 3), np.uint8),
        "mission": spaces.Text(20),
    }
)

# observation space, action space
SPACES = {
    "box": (spaces.Box(-1, 1, (2, 2)), CHOICE),
    "box-without-bounds": (ENDLESS, CHOICE),
    "box-half-bounded": (spaces.Box(0, np.inf, (2,)), CHOICE),
    "box-of-bytes": (spaces.Box(0, 255, (2, 3), np.uint8), CHOICE),
    "planes-of-bits": (spaces.Box(0, 1, (10, 10, 4), np.bool_), CHOICE),  # as MinAtar's
    "box-of-one-number": (spaces.Box(0, 1, ()), CHOICE),
    "discrete": (spaces.Discrete(5, start=-2), CHOICE),
    "multi-discrete": (spaces.MultiDiscrete([[2, 3], [4, 5]]), CHOICE),
    "multi-binary": (spaces.MultiBinary((2, 2)), CHOICE),
    "tuple": (spaces.Tuple([spaces.Discrete(3), ENDLESS]), CHOICE),
    "nested": (spaces.Dict({"a": spaces.Dict({"b": spaces.Tuple([CHOICE])})}), CHOICE),
    "grid-with-mission": (GRID, spaces.Discrete(7)),
    "one-action": (ENDLESS, spaces.Discrete(1)),
    "multi-discrete-actions": (CHOICE, spaces.MultiDiscrete([2, 3])),
    "multi-binary-actions": (CHOICE, spaces.MultiBinary(2)),
    "real-actions": (ENDLESS, spaces.Box(-1, 1, (2,))),
    "bytes-as-actions": (ENDLESS, spaces.Box(0, 255, (1,), np.uint8)),
}
WELL_KNOWN = [
    name
    for name, spec in gymnasium.registry.items()
    if str(spec.entry_point).startswith(
        ("gymnasium.envs.classic_control", "gymnasium.envs.toy_text", "ruleplay.")
    )
]


class Drawn(gymnasium.Env):
    """Draw observations from a space, whatever is done; four steps are an episode."""

    def __init__(self, observation_space, action_space):
        self.observation_space, self.action_space = observation_space, action_space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.left = 4
        return self.observation_space.sample(), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.left -= 1
        return self.observation_space.sample(), 1.0, self.left == 0, False, {}


def live(env):
    """Let an agent with all defaults learn, act, speak, and be saved as far as notes go."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no rewards in few steps, text that is left out
        agent = XCSAgent(env).learn(60)
    assert agent.num_timesteps == 60
    played = agent.evaluate(1, max_episode_steps=20)
    assert np.isfinite(played.mean)
    assert "THEN" in agent.rules_text(1)
    return agent


@pytest.mark.parametrize("name", SPACES)
def test_one_line_is_enough_for_any_space(name):
    observations, actions = SPACES[name]
    agent = live(Drawn(observations, actions))
    assert actions.contains(agent.predict(observations.sample())[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", WELL_KNOWN)
def test_one_line_is_enough_for_well_known_problems(name):
    assert not live(name).engine.about["feature_names"][0].startswith("x0.")
