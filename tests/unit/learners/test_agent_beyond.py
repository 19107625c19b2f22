"""Agents take the settings that go beyond the paper, or say why not."""

import gymnasium
import pytest

import ruleplay.envs  # noqa: F401  registers the Gymnasium environments
from ruleplay import XCSAgent
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.errors import ConfigError

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

SMALL = {"population_size": 200, "seed": 0}


def test_an_agent_is_optimistic_where_the_environment_tells_its_largest_return():
    agent = XCSAgent(
        "ruleplay/Chain-v0", initial_prediction="optimistic", replay_return_steps=5, **SMALL
    )
    agent.learn(300)
    assert agent.engine.config.initial_prediction == "optimistic"
    assert agent.engine.state.arrays.params["p_ini"][0] == agent.engine.largest_return == 185.0
    agent.engine.check()


def test_an_agent_that_cannot_know_what_to_hope_for_asks_for_a_number():
    with pytest.raises(ConfigError, match=r"initial_prediction \(p_ini\) must be a number"):
        XCSAgent("CartPole-v1", initial_prediction="optimistic", **SMALL)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"exploration_persistence": 2.0},
            r"exploration_persistence \(L\) must be 1 for several environments at once, got 2",
        ),
        ({"count_bonus": 0.5}, "count_bonus must be 0 for several environments at once, got 0.5"),
        (
            {"replay_return_steps": 3},
            r"replay_return_steps \(n\) must be 1 for several environments at once, got 3",
        ),
    ],
    ids=["persistence", "bonus", "steps"],
)
def test_several_environments_refuse_what_needs_one_after_another(settings, message):
    envs = gymnasium.make_vec("CartPole-v1", num_envs=2)
    with pytest.raises(ConfigError, match=message):
        XCSAgent(envs, **settings, **SMALL)


def test_several_environments_refuse_it_when_they_come_later():
    agent = XCSAgent(
        "CartPole-v1",
        config=XCSConfig(exploration="epsilon_greedy", population_size=200),
        replay=ReplayConfig(return_steps=3, warmup=10),
        bounds=(-3.0, 3.0),
    )
    agent.learn(50)
    agent.set_env(gymnasium.make_vec("CartPole-v1", num_envs=2))
    with pytest.raises(ConfigError, match="replay_return_steps"):
        agent.learn(50)


@pytest.mark.parametrize(
    "settings",
    [{"replay_return_steps": 1}, {"replay_storage": "protected"}, {"replay_storage": "reservoir"}],
)
def test_returns_of_several_steps_give_way_to_what_the_user_sets(settings):
    agent = XCSAgent("CartPole-v1", **SMALL, **settings).learn(30)
    assert agent.engine.replay.return_steps == 1
    assert agent.engine.replay.action_gap == 0.8


def test_real_numbers_get_the_recipe_and_numbered_states_do_not():
    pole = XCSAgent("CartPole-v1", **SMALL).learn(30).engine
    assert (pole.replay.return_steps, pole.replay.return_choice) == (5, "rewarded")
    assert (pole.config.rls_forgetting, pole.config.epsilon_start) == (0.995, 0.1)
    poles = XCSAgent(gymnasium.make_vec("CartPole-v1", 2), **SMALL).learn(30).engine
    assert (poles.replay.return_steps, poles.replay.action_gap) == (1, 0.8)
    cliff = XCSAgent("CliffWalking-v1", seed=0).learn(30).engine
    assert (cliff.replay.return_steps, cliff.replay.action_gap) == (1, 0.0)
