"""An agent keeps the population it is told to keep, and counts what the choice cost."""

import gymnasium
import numpy as np
import pytest

from ruleplay import XCSAgent
from ruleplay.config import KeepConfig
from ruleplay.envs import CompiledEnv
from ruleplay.errors import ConfigError
from ruleplay.learners.agent.checkpoints import checked_keep

ENV = "ruleplay/Chain-v0"
SMALL = {"population_size": 60, "replay_capacity": 500, "seed": 3}


def learned(keep, steps=1200, **changes):
    agent = XCSAgent(ENV, **SMALL)
    return agent.learn(steps, keep=keep, **changes)


@pytest.fixture(scope="module")
def plain():
    return learned("last")


def test_the_last_population_costs_nothing(plain):
    assert plain.validation_steps == 0
    assert plain.engine.learning_steps == 1200


def test_judging_changes_nothing_of_what_is_learned(plain):
    judged = learned(KeepConfig(policy="online", checkpoints=1))
    assert judged.episode_returns == plain.episode_returns
    assert judged.rules().equals(plain.rules())


def test_validation_is_counted_and_its_best_population_kept():
    agent = learned(KeepConfig(policy="validated", checkpoints=4, episodes=2))
    assert agent.validation_steps == 4 * 2 * 200
    assert agent.engine.learning_steps in (300, 600, 900, 1200)
    agent.engine.check()


def test_the_best_stretch_decides_online():
    agent = learned(KeepConfig(policy="online", checkpoints=3))
    returns = agent.episode_returns  # episodes of 200 steps, from the warm-up's end on
    assert (agent.warmup_steps, len(returns)) == (120, 5)
    stretches = [np.mean(returns[a:b]) for a, b in ((0, 1), (1, 3), (3, 5))]
    best = max(k for k, mean in enumerate(stretches) if mean == max(stretches))
    assert agent.engine.learning_steps == 400 * (best + 1)
    assert agent.validation_steps == 0


def test_learning_goes_on_from_what_was_kept():
    agent = learned(KeepConfig(policy="online", checkpoints=3))
    before = agent.engine.learning_steps
    agent.learn(200)
    assert agent.engine.learning_steps == before + 200


def test_an_average_lets_the_last_populations_vote(plain):
    agent = learned(KeepConfig(policy="average", checkpoints=4, average_over=2))
    assert agent.engine.microclassifiers > plain.engine.microclassifiers
    assert agent.engine.config.population_size == 120
    assert len(agent.engine.remembered()) == 500
    agent.engine.check()


AVERAGE = KeepConfig(policy="validated_average", checkpoints=4, episodes=2, average_over=2)


def test_a_validated_average_is_the_best_of_the_averages_judged():
    agent = learned(AVERAGE)
    assert agent.validation_steps == 4 * 2 * 200
    assert agent.engine.config.population_size in (60, 120)
    assert agent.engine.learning_steps == 1200  # memory and counters are those of the end
    agent.engine.check()


def test_after_an_average_learning_goes_on_with_its_strongest_rules(tmp_path):
    agent = learned(AVERAGE)
    agent.save(tmp_path / "agent.ruleplay")
    again = XCSAgent.load(tmp_path / "agent.ruleplay", env=ENV)
    for one in (agent, again):
        one.learn(200, keep="last")
        assert one.engine.config.population_size == 60
        assert one.engine.learning_steps == 1400
        one.engine.check()


def test_long_runs_keep_the_best_of_several_unless_told_otherwise():
    assert checked_keep("auto", gymnasium.make(ENV), 3999) == KeepConfig()
    chosen = checked_keep("auto", gymnasium.make(ENV), 9000)
    assert (chosen.policy, chosen.checkpoints) == ("validated_average", 4)
    assert chosen.average_over == 2
    longest = checked_keep("auto", gymnasium.make_vec(ENV, 2), 10**6)
    assert (longest.checkpoints, longest.average_over) == (20, 10)
    unknown = CompiledEnv("chain")  # not made by name: nobody can make another one
    assert checked_keep("auto", unknown, 9000).policy == "online"
    agent = XCSAgent(ENV, **SMALL)
    assert agent.learn(1000).validation_steps == 0
    assert agent.learn(4000).validation_steps == 2 * 10 * 200


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ("best", "keep_policy must be one of .*'validated_average', got 'best'"),
        (3, "keep must be the name of a policy or a KeepConfig, got 3"),
    ],
)
def test_what_cannot_be_kept_is_refused_before_anything_is_played(keep, message):
    agent = XCSAgent(ENV, **SMALL)
    with pytest.raises(ConfigError, match=message):
        agent.learn(100, keep=keep)
    assert agent.num_timesteps == 0
