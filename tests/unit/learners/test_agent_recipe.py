"""Settings come from the user, then a preset, then our recipe."""

import math

import numpy as np
import pytest

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.errors import ConfigError
from ruleplay.learners.agent.recipe import Payoffs, Task, Wishes, estimate_payoffs, warmup_for
from ruleplay.learners.agent.spaces import Grain

REAL = Task(n_features=2, n_actions=3, grain=Grain(math.inf, 0), steps=1000, warmup=10)
GRID = Task(n_features=2, n_actions=4, grain=Grain(48, 12), steps=1000, warmup=10)
HUGE = Task(n_features=40, n_actions=2, grain=Grain(2.0**40, 2), steps=1000, warmup=10)
PAYOFFS = Payoffs(largest=200.0, hope=3.0)


def wishes(preset=None, config=None, replay="default", **settings):
    return Wishes(preset, config, replay, settings)


def test_rules_over_real_numbers_are_linear_and_share_the_space():
    xcs, replay = wishes().configs(REAL, PAYOFFS)
    assert xcs.prediction == "linear"
    assert xcs.cover_spread**2 == pytest.approx(0.005)
    assert (xcs.error_threshold, xcs.initial_prediction) == pytest.approx((0.2, 3.0))
    assert replay is not None
    assert (replay.warmup, replay.include_newest) == (10, True)


def test_a_run_is_remembered_whole_unless_it_is_too_much():
    def capacity(**changes):
        return wishes().configs(REAL._replace(**changes), PAYOFFS)[1].capacity

    assert [capacity(steps=n) for n in (10, 60_000, 10**7)] == [50_000, 60_000, 500_000]
    assert capacity(steps=10**6, n_features=50) == 100_000
    assert capacity(steps=10**6, n_features=200) == 50_000
    fixed = wishes(replay_capacity=70).configs(REAL._replace(steps=10**6), PAYOFFS)
    assert fixed[1].capacity == 70


def test_actions_of_real_numbers_get_more_rules_and_a_longer_warm_up():
    xcs, replay = wishes().configs(REAL._replace(real_actions=True), PAYOFFS)
    assert (xcs.population_size, replay.batch_size) == (6000, 16)
    assert xcs.cover_spread**2 == pytest.approx(0.003)
    assert [warmup_for(n, real_actions=True) for n in (50, 50_000)] == [5, 3000]


def test_each_numbered_state_has_rules_of_its_own():
    xcs, _ = wishes().configs(GRID, PAYOFFS)
    assert xcs.prediction == "scalar"
    assert xcs.cover_spread < 0.5 / 11
    assert xcs.ga_threshold > 10**9


def test_a_table_that_would_be_too_large_generalises():
    xcs, _ = wishes().configs(HUGE, PAYOFFS)
    assert xcs.population_size == 5000
    assert xcs.ga_threshold == 50


def test_views_have_the_rules_of_numbered_states_and_the_gap_of_real_numbers():
    xcs, replay = wishes().configs(GRID._replace(views=True), PAYOFFS)
    numbered, plain = wishes().configs(GRID, PAYOFFS)
    assert xcs == numbered
    assert (replay.action_gap, replay.return_steps) == (0.8, 5)
    assert (plain.action_gap, plain.return_steps) == (0.0, 1)


def test_the_user_has_the_last_word():
    xcs, replay = wishes(discount=0.5, replay_batch_size=7).configs(REAL, PAYOFFS)
    assert (xcs.discount, replay.batch_size) == (0.5, 7)


def test_a_preset_is_taken_as_published():
    chosen = wishes(preset="stein2020/mountaincar", ga_threshold=12)
    assert not chosen.leaves_scale_open()
    xcs, replay = chosen.configs(REAL, PAYOFFS)
    assert (xcs.population_size, xcs.error_threshold, xcs.ga_threshold) == (3000, 0.1, 12)
    assert replay.include_newest is False


def test_a_configuration_is_taken_as_it_is():
    config = XCSConfig(exploration="epsilon_greedy")
    memory = ReplayConfig(batch_size=9)
    assert wishes(config=config).configs(REAL, PAYOFFS) == (config, ReplayConfig())
    assert wishes(config=config, replay=memory).configs(REAL, PAYOFFS) == (config, memory)
    assert wishes(config=config, replay=None).configs(REAL, PAYOFFS) == (config, None)


def test_the_scale_is_open_unless_both_settings_are_given():
    assert wishes().leaves_scale_open()
    assert wishes(error_threshold=1.0).leaves_scale_open()
    assert not wishes(error_threshold=1.0, initial_prediction=0.0).leaves_scale_open()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"learning_rate": 1.5}, r"learning_rate \(beta\) must lie in \(0, 1\], got 1.5"),
        ({"learn_rate": 0.5}, "unknown setting: 'learn_rate'; did you mean 'learning_rate'"),
        ({"replay": "uniform"}, "replay must be 'default', None or a ReplayConfig"),
        ({"replay": None, "replay_batch_size": 2}, "replay_batch_size needs replay='default'"),
        ({"config": {"discount": 0.9}}, "config must be None or an XCSConfig"),
        ({"config": XCSConfig(), "discount": 0.9}, "it excludes discount"),
        ({"config": XCSConfig(), "preset": "stein2020/chain16"}, "it excludes preset"),
        ({"config": XCSConfig()}, "exploration must be 'epsilon_greedy'"),
        ({"preset": "stein2020/mountain"}, "did you mean 'stein2020/mountaincar"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_wishes_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(ConfigError, match=message):
        wishes(**wrong).configs(REAL, PAYOFFS)


@pytest.mark.parametrize(
    ("rewards", "discount", "limit", "expected"),
    [
        ([1, 1, 1], 0.99, 500, (100, 0)),
        ([-1, -1, -1], 0.99, 20, (20, 0)),
        ([0, 0, 0, 5], 0.99, math.inf, (5, 0)),
        ([-1, -1, -100], 0.9, math.inf, (100, 0)),
        ([2, 2, 2], 1.0, math.inf, (2000, 0)),
    ],
    ids=["every-step", "time-limit", "sparse", "rare-and-large", "undiscounted"],
)
def test_values_are_as_large_as_rewards_make_them(rewards, discount, limit, expected):
    assert estimate_payoffs(np.array(rewards, float), discount, limit) == pytest.approx(expected)


def test_no_rewards_say_nothing():
    assert estimate_payoffs(np.zeros(5), 0.9, 10) is None


@pytest.mark.parametrize(("steps", "warmup"), [(1, 1), (9, 1), (300, 30), (60_000, 1000)])
def test_the_warm_up_is_a_tenth_and_at_most_a_thousand(steps, warmup):
    assert warmup_for(steps) == warmup
