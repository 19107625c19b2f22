"""The DQN's settings are checked like all others, and its named configurations are exact."""

import json
import subprocess
import sys

import pytest

from ruleplay.baselines import dqn_is_installed
from ruleplay.config.dqn import DQN_NAMES, DQNConfig, dqn_settings
from ruleplay.config.settings import describe
from ruleplay.errors import ConfigError


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"learning_rate": 0}, "dqn_learning_rate (eta) must lie in (0, 1], got 0"),
        ({"discount": 1.5}, "dqn_discount (gamma) must lie in [0, 1], got 1.5"),
        ({"capacity": 0}, "dqn_capacity (N) must be an integer in [1, inf), got 0"),
        ({"gradient_steps": -1}, "dqn_gradient_steps must be an integer in [1, inf), got -1"),
        (
            {"target_interval": 2.5},
            "dqn_target_interval (C) must be an integer in [1, inf), got 2.5",
        ),
        ({"epsilon_end": -0.1}, "dqn_epsilon_end (epsilon) must lie in [0, 1], got -0.1"),
        ({"scale_observations": 1}, "dqn_scale_observations must be True or False, got 1"),
    ],
)
def test_a_wrong_value_is_refused_with_symbol_range_and_value(settings, message):
    with pytest.raises(ConfigError) as error:
        DQNConfig(**settings)
    assert str(error.value) == message


def test_every_setting_is_described_in_one_sentence():
    for record in describe(DQNConfig):
        assert record.name.startswith("dqn_")
        assert record.doc.endswith(".")
        assert "\n" not in record.doc


def test_dictionaries_round_trip_through_json():
    config = dqn_settings("dqn-tuned", "cartpole", 0.99)
    restored = DQNConfig.from_dict(json.loads(json.dumps(config.as_dict())))
    assert restored == config
    assert restored.digest() == config.digest()


def test_the_papers_opponent_has_the_defaults_of_its_time_and_the_given_discount():
    config = dqn_settings("dqn", "chain", 0.9)
    assert config == DQNConfig(
        learning_rate=5e-4,
        discount=0.9,
        capacity=50_000,
        batch_size=32,
        warmup=1000,
        train_interval=1,
        gradient_steps=1,
        target_interval=500,
        max_gradient_norm=10.0,
        hidden_layers=2,
        hidden_units=64,
        scale_observations=True,
        epsilon_start=1.0,
        epsilon_end=0.02,
        epsilon_fraction=0.1,
        bootstrap_on_truncation=False,
    )


# learning rate, gamma, buffer, batch, warm-up, train_freq, gradient steps, target update, epsilon
PUBLISHED = {
    "cartpole": (2.3e-3, 0.99, 100_000, 64, 1000, 256, 128, 10, 0.16, 0.04),
    "mountaincar": (4e-3, 0.98, 10_000, 128, 1000, 16, 8, 600, 0.2, 0.07),
    "acrobot": (6.3e-4, 0.99, 50_000, 128, 0, 4, 4, 250, 0.12, 0.1),
}


@pytest.mark.parametrize("problem", PUBLISHED)
def test_the_tuned_opponent_has_the_published_settings(problem):
    config = dqn_settings("dqn-tuned", problem, discount=0.5)
    assert (
        config.learning_rate,
        config.discount,
        config.capacity,
        config.batch_size,
        config.warmup,
        config.train_interval,
        config.gradient_steps,
        config.target_interval,
        config.epsilon_fraction,
        config.epsilon_end,
    ) == PUBLISHED[problem]
    assert (config.hidden_layers, config.hidden_units) == (2, 256)
    assert config.bootstrap_on_truncation
    assert not config.scale_observations


def test_tuned_settings_that_nobody_published_are_refused():
    with pytest.raises(ConfigError, match="'acrobot', none for problem 'chain'"):
        dqn_settings("dqn-tuned", "chain", 0.9)


def test_an_unknown_name_is_refused_with_the_nearest_one():
    assert DQN_NAMES == ("dqn", "dqn-tuned")
    with pytest.raises(ConfigError, match=r"'dqn-tune'; did you mean 'dqn-tuned'"):
        dqn_settings("dqn-tune", "cartpole", 0.99)


def test_asking_whether_dqn_is_installed_does_not_load_torch():
    code = (
        "import sys, ruleplay.baselines, ruleplay.config.dqn;"
        "print(ruleplay.baselines.dqn_is_installed(), 'torch' in sys.modules)"
    )
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert printed == [str(dqn_is_installed()), "False"]
