"""Settings are checked, documented, and identified by value."""

import dataclasses
import json
import math
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleplay.config import (
    KeepConfig,
    ReplayConfig,
    XCSConfig,
    build_configs,
    build_keep,
    describe,
    digest_of,
    setting_names,
    typed_value,
)
from ruleplay.errors import ConfigError, RuleplayError

# The names and symbols of the paper's hyperparameter table.
SELECTIONS = "selection must be one of 'tournament', 'roulette', 'macro_tournament', got "
PAPER_SYMBOLS = {
    "population_size": "N_max",
    "learning_rate": "beta",
    "discount": "gamma",
    "accuracy_scale": "alpha",
    "error_threshold": "eps_0",
    "accuracy_power": "nu",
    "deletion_threshold": "theta_del",
    "fitness_fraction": "delta",
    "min_actions": "theta_mna",
    "initial_prediction": "p_ini",
    "initial_error": "eps_ini",
    "initial_fitness": "F_ini",
    "mutation_rate": "mu",
    "crossover_rate": "chi",
    "ga_threshold": "theta_GA",
    "subsumption_threshold": "theta_sub",
    "tournament_fraction": "tau",
    "fitness_reduction": "F_reduce",
    "error_reduction": "eps_reduce",
    "mutation_step": "m_0",
    "cover_spread": "r_0",
    "rls_initial_gain": "delta_RLS",
    "rls_forgetting": "lambda_RLS",
}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"learning_rate": 1.5}, "learning_rate (beta) must lie in (0, 1], got 1.5"),
        ({"learning_rate": 0}, "learning_rate (beta) must lie in (0, 1], got 0"),
        ({"learning_rate": math.nan}, "learning_rate (beta) must lie in (0, 1], got nan"),
        ({"learning_rate": True}, "learning_rate (beta) must be a number in (0, 1], got True"),
        ({"learning_rate": "0.2"}, "learning_rate (beta) must be a number in (0, 1], got '0.2'"),
        ({"learning_rate": np.float64(2.0)}, "learning_rate (beta) must lie in (0, 1], got 2.0"),
        ({"discount": -0.1}, "discount (gamma) must lie in [0, 1], got -0.1"),
        (
            {"error_threshold": math.inf},
            "error_threshold (eps_0) must lie in (0, 1e+100], got inf",
        ),
        (
            {"initial_prediction": -math.inf},
            "initial_prediction (p_ini) must lie in [-1e+100, 1e+100], got -inf",
        ),
        (
            {"population_size": -3},
            "population_size (N_max) must be an integer in [2, inf), got -3",
        ),
        (
            {"population_size": 2.5},
            "population_size (N_max) must be an integer in [2, inf), got 2.5",
        ),
        (
            {"population_size": True},
            "population_size (N_max) must be an integer in [2, inf), got True",
        ),
        (
            {"population_size": 2**63},
            "population_size (N_max) must be an integer in [2, inf), got 9223372036854775808",
        ),
        (
            {"min_actions": 0},
            "min_actions (theta_mna) must be an integer in [1, inf), or None, got 0",
        ),
        (
            {"rls_gain_limit": 0.0},
            "rls_gain_limit must be a number in (0, 1e+100], or None, got 0.0",
        ),
        ({"selection": "rank"}, SELECTIONS + "'rank'"),
        ({"selection": 1}, SELECTIONS + "1"),
        ({"early_averaging": 1}, "early_averaging (MAM) must be True or False, got 1"),
    ],
)
def test_a_wrong_value_is_refused_with_symbol_range_and_value(settings, message):
    with pytest.raises(ConfigError) as error:
        XCSConfig(**settings)
    assert str(error.value) == message


def test_config_errors_are_value_errors_of_ruleplay():
    assert issubclass(ConfigError, ValueError)
    assert issubclass(ConfigError, RuleplayError)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ReplayConfig(capacity=3, batch_size=4),
            "replay_batch_size (m) must be an integer in [1, 3] for replay_capacity (N) = 3, got 4",
        ),
        (
            lambda: XCSConfig(rls_gain_limit=400.0, rls_initial_gain=500.0),
            "rls_gain_limit must lie in (500, inf) for rls_initial_gain (delta_RLS) = 500, got 400",
        ),
        (
            lambda: XCSConfig(prediction_limit=100.0, initial_prediction=-1000.0),
            "prediction_limit must lie in [1000, inf) "
            "for initial_prediction (p_ini) = -1000, got 100",
        ),
        (
            lambda: XCSConfig(min_actions=3).checked_min_actions(2),
            "min_actions (theta_mna) must lie in [1, 2] for 2 actions, got 3",
        ),
    ],
    ids=["batch-over-capacity", "gain-limit", "prediction-limit", "too-many-actions"],
)
def test_contradictory_settings_are_refused(make, message):
    with pytest.raises(ConfigError) as error:
        make()
    assert str(error.value) == message


@pytest.mark.parametrize(("min_actions", "expected"), [(None, 7), (2, 2), (7, 7)])
def test_min_actions_defaults_to_all_actions(min_actions, expected):
    assert XCSConfig(min_actions=min_actions).checked_min_actions(7) == expected


def test_numbers_are_cast_to_the_type_of_their_field():
    config = XCSConfig(
        accuracy_power=5, population_size=800.0, ga_threshold=np.int32(12), discount=np.float32(0.5)
    )
    assert [type(config.accuracy_power), type(config.discount)] == [float, float]
    assert [type(config.population_size), type(config.ga_threshold)] == [int, int]
    assert ReplayConfig(include_newest=np.True_).include_newest is True


def test_configurations_are_immutable_values():
    config = XCSConfig()
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.learning_rate = 0.5
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.learning_rat = 0.5
    assert pickle.loads(pickle.dumps(config)) == config
    assert hash(config) == hash(XCSConfig())


def test_every_hyperparameter_of_the_paper_has_its_symbol():
    symbols = {record.name: record.symbol for record in describe(XCSConfig)}
    assert symbols | PAPER_SYMBOLS == symbols
    symbols = {record.name: record.symbol for record in describe(ReplayConfig)}
    assert symbols["replay_capacity"] == "N"
    assert symbols["replay_batch_size"] == "m"


@pytest.mark.parametrize("cls", [XCSConfig, ReplayConfig])
def test_every_setting_is_described_in_one_sentence(cls):
    for record in describe(cls):
        assert record.doc.endswith(".")
        assert "\n" not in record.doc
        assert record.allowed


def test_describe_shows_name_symbol_default_and_range():
    records = {record.name: record for record in describe(XCSConfig) + describe(ReplayConfig)}
    assert records["learning_rate"][1:4] == ("beta", 0.2, "a number in (0, 1]")
    assert records["min_actions"][1:4] == ("theta_mna", None, "an integer in [1, inf), or None")
    assert records["replay_ga_clock"].allowed == "one of 'environment', 'replay'"


@pytest.mark.parametrize("config", [XCSConfig(ga_threshold=12), ReplayConfig(batch_size=8)])
def test_dictionaries_round_trip_through_json(config):
    restored = type(config).from_dict(json.loads(json.dumps(config.as_dict())))
    assert restored == config
    assert restored.digest() == config.digest()


def test_an_unknown_key_is_refused_with_the_nearest_name():
    with pytest.raises(ConfigError, match=r"'popsize'; did you mean 'population_size'\?"):
        XCSConfig.from_dict({"popsize": 800})
    with pytest.raises(ConfigError, match="'xyz'; known are 'capacity', 'batch_size'"):
        ReplayConfig.from_dict({"xyz": 1})


def test_the_digest_ignores_order_and_spelling_of_numbers():
    one = XCSConfig.from_dict({"accuracy_power": 5, "initial_error": -0.0})
    other = XCSConfig.from_dict({"initial_error": 0, "accuracy_power": 5.0})
    assert one.digest() == other.digest()
    assert digest_of({"a": 5, "b": [0.0]}) == digest_of({"b": [0], "a": 5.0})


def test_the_digest_tells_values_and_classes_apart():
    digests = {
        XCSConfig().digest(),
        XCSConfig(learning_rate=0.1).digest(),
        XCSConfig(min_actions=2).digest(),
        ReplayConfig().digest(),
    }
    assert len(digests) == 4
    assert digest_of({"a": True}) != digest_of({"a": 1})


def test_the_digest_is_the_same_in_another_process():
    code = "from ruleplay.config import XCSConfig; print(XCSConfig(discount=0.99).digest())"
    source = str(Path(sys.modules["ruleplay.config"].__file__).parents[2])
    environment = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": source}
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert printed.stdout.strip() == XCSConfig(discount=0.99).digest()


@given(st.floats(min_value=0.0, max_value=1.0, exclude_min=True))
def test_any_allowed_number_is_kept_exactly(value):
    assert XCSConfig(learning_rate=value).learning_rate == value


@given(st.floats().filter(lambda value: not 0 < value <= 1))
def test_any_other_number_is_refused(value):
    with pytest.raises(ConfigError, match="learning_rate"):
        XCSConfig(learning_rate=value)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("ga_threshold", "12", 12),
        ("population_size", "5e3", 5000),
        ("population_size", "1_000", 1000),
        ("accuracy_power", "5", 5.0),
        ("min_actions", "none", None),
        ("ga_niches_per_step", "none", None),
        ("early_averaging", "False", False),
        ("selection", "roulette", "roulette"),
        ("replay_batch_size", "8", 8),
        ("replay_strata_grid", "8", 8),
    ],
)
def test_a_setting_typed_as_text_gets_the_type_of_its_field(name, text, value):
    found = typed_value(name, text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ga_treshold=3", "unknown setting: 'ga_treshold'; did you mean 'ga_threshold'"),
        ("batch_size=3", "unknown setting: 'batch_size'; did you mean 'replay_batch_size'"),
        ("ga_threshold=many", "ga_threshold (theta_GA) must be an integer in [0, inf), got 'many'"),
        ("early_averaging=yes", "early_averaging (MAM) must be True or False, got 'yes'"),
        ("learning_rate=nan", "learning_rate (beta) must lie in (0, 1], got nan"),
        ("learning_rate=none", "learning_rate (beta) must be a number in (0, 1], got 'none'"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(text, message):
    with pytest.raises(ConfigError) as error:
        typed_value(*text.split("="))
    assert str(error.value).startswith(message)


def test_settings_by_name_become_configurations():
    xcs, replay = build_configs({"ga_threshold": "12", "replay_warmup": 5}, replay=True)
    assert (xcs, replay) == (XCSConfig(ga_threshold=12), ReplayConfig(warmup=5))
    assert build_configs({}, replay=False) == (XCSConfig(), None)


def test_setting_names_cover_all_configurations():
    assert "replay_capacity" in setting_names()
    assert "replay_capacity" not in setting_names(replay=False)
    owners = (XCSConfig, ReplayConfig, KeepConfig)
    assert len(setting_names()) == sum(len(describe(owner)) for owner in owners)


def test_what_a_run_keeps_is_set_by_name_too():
    assert build_keep({"ga_threshold": 12}) is None
    assert build_keep({"ga_threshold": 12, "keep_episodes": "3"}) == KeepConfig(episodes=3)
    with pytest.raises(ConfigError, match="keep_policy must be one of 'last', 'validated'"):
        build_keep({"keep_policy": "first"})
