"""Agents with all defaults live in the environments of other packages."""

import warnings

import gymnasium
import numpy as np
import pytest
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.learners.agent import XCSAgent


def live(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agent = XCSAgent(name, seed=0).learn(300)
    assert np.isfinite(agent.evaluate(1, max_episode_steps=50).mean)
    return agent


@pytest.mark.parametrize(
    ("name", "features", "feature", "n_actions", "action"),
    [
        ("LunarLander-v3", 8, "left_leg", 4, "main engine"),
        ("LunarLanderContinuous-v3", 8, "vy", 9, "main engine = 1.0, side engines = -1.0"),
        (
            "BipedalWalker-v3",
            24,
            "knee_2",
            81,
            "hip 1 = 0.0, knee 1 = 0.0, hip 2 = 0.0, knee 2 = 1.0",
        ),
    ],
)
def test_agents_live_in_box2d(name, features, feature, n_actions, action):
    pytest.importorskip("Box2D")
    about = live(name).engine.about
    assert (len(about["feature_names"]), len(about["action_names"])) == (features, n_actions)
    assert feature in about["feature_names"]
    assert action in about["action_names"]


def test_pictures_of_a_race_are_refused_with_advice():
    pytest.importorskip("Box2D")
    with pytest.raises(ValueError, match=r"pictures of 96 x 96 x 3 numbers.*MinAtar"):
        XCSAgent("CarRacing-v3")


def test_agents_live_in_minigrid(tmp_path):
    pytest.importorskip("minigrid")
    with pytest.warns(UserWarning, match="do without the part mission"):
        agent = XCSAgent("MiniGrid-Empty-5x5-v0", seed=0)
    agent.learn(2000)
    assert agent.engine.about["feature_names"][:2] == ["direction", "object.0.0"]
    assert agent.engine.high[:4].tolist() == [3, 10, 5, 3]
    assert agent.evaluate(5).mean > 0.9  # the shortest way pays 0.955, no way 0
    agent.save(tmp_path / "walker.ruleplay")
    again = XCSAgent.load(tmp_path / "walker.ruleplay", env="MiniGrid-Empty-5x5-v0")
    assert again.evaluate(2).mean > 0.9
    seen = gymnasium.make("MiniGrid-Empty-5x5-v0").reset(seed=0)[0]
    assert "object.3.5" in agent.explain(seen).seen
    shown = CliRunner().invoke(app, ["play", str(tmp_path / "walker.ruleplay"), "--render", "none"])
    assert shown.exit_code == 0, shown.output
