"""Ways to sample and to store beyond the paper: checked, saved, forgotten, widened."""

import numpy as np
import pytest

from property.samples import bytes_of, make_engine, reload
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.engine.widening import widened
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.replay.component_state import component_states
from ruleplay.replay.sum_tree import leaf_values

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

# The same combinations of kernels as in tests/oracle/test_sampling_equals_oracle.py.
WAYS = {
    "prioritized": {"sampling": "prioritized"},
    "stratified": {"sampling": "stratified", "interpolation": 0.5, "return_steps": 3},
    "protected": {"storage": "protected", "protected_share": 0.3},
}
FIRST_IN_FIRST_OUT = ["prioritized", "stratified"]


def make(way, **changes):
    settings = {"capacity": 40, "batch_size": 2, "warmup": 5, **WAYS[way], **changes}
    return XCS(
        XCSConfig(population_size=60, ga_threshold=8, exploration="epsilon_greedy"),
        ReplayConfig(**settings),
        n_actions=2,
        low=[0.0, 0.0],
        high=[1.0, 1.0],
        horizon=300,
    )


def live(engine, steps, seed):
    """Walk in a square for a number of steps; a corner pays, episodes end by chance."""
    rng, action = np.random.default_rng(seed), engine.step([0.5, 0.5])
    for _ in range(steps):
        x, chance = rng.random(2), rng.random()
        reward = 10.0 * (x.min() > 0.6) * (action == 1)
        action = engine.step(x, reward, chance < 0.05, 0.05 <= chance < 0.1)
        if action < 0:
            action = engine.step(rng.random(2))
    return engine


@pytest.mark.parametrize("way", WAYS)
def test_a_loaded_engine_goes_on_with_the_same_bits(way):
    engine = live(make(way), 120, seed=1)
    engine.check()
    twin = reload(engine)
    assert twin.nbytes == engine.nbytes > make_engine(2, replay=ReplayConfig(capacity=40)).nbytes
    assert bytes_of(live(engine, 120, seed=2)) == bytes_of(live(twin, 120, seed=2))
    for one, other in zip(
        component_states(engine.state.memory), component_states(twin.state.memory), strict=True
    ):
        assert all(np.array_equal(a, b) for a, b in zip(one.slots(), other.slots(), strict=True))
    twin.check()


@pytest.mark.parametrize(
    ("way", "spoil", "message"),
    [
        ("prioritized", lambda e: leaf_values(e.tree).__setitem__(3, -1.0), "priorities must lie"),
        ("prioritized", lambda e: leaf_values(e.tree).__setitem__(3, np.nan), "priorities must"),
        ("prioritized", lambda e: e.top.__setitem__(0, np.inf), "priorities must lie in"),
        ("stratified", lambda e: e.positions.__setitem__(3, 2**62), "must be numbered"),
        ("stratified", lambda e: e.opened.__setitem__(0, -5), "must be numbered within"),
        ("stratified", lambda e: e.opened.__setitem__(0, e.opened[1]), "must be numbered"),
        ("protected", lambda e: e.stamps.__setitem__(3, e.stamps[4]), "ages of experiences"),
        ("protected", lambda e: e.stamps.__setitem__(3, 2**62), "ages of experiences must"),
    ],
)
def test_a_model_with_impossible_accounts_is_refused(way, spoil, message, tmp_path):
    engine = live(make(way), 60, seed=1)
    spoil(engine.state.memory.sampler or engine.state.memory.storage)
    engine.save(tmp_path / "model")
    with pytest.raises(ModelFileError, match=message):
        XCS.load(tmp_path / "model")


@pytest.mark.parametrize(
    ("way", "spoil", "message"),
    [
        ("prioritized", lambda e: e.tree.__setitem__((0, 1), 0.0), "sums of priorities"),
        ("stratified", lambda e: e.counts.__setitem__(0, 99), "cells must list"),
        ("stratified", lambda e: e.table.__setitem__((slice(None), 1), 0), "cells must list"),
        ("protected", lambda e: e.lengths.__setitem__(0, 0), "queues must hold"),
    ],
)
def test_broken_accounts_are_noticed(way, spoil, message):
    engine = live(make(way), 60, seed=1)
    spoil(engine.state.memory.sampler or engine.state.memory.storage)
    with pytest.raises(AssertionError, match=message):
        engine.check()


@pytest.mark.parametrize("keep", [0, 7])
@pytest.mark.parametrize("way", FIRST_IN_FIRST_OUT)
def test_accounts_of_what_is_not_forgotten_stay(way, keep):
    engine = live(make(way), 100, seed=1)
    newest = np.arange(100 - keep, 100) % 40
    before = [array[newest].copy() for array in component_states(engine.state.memory)[0].slots()]
    engine.forget(keep)
    engine.check()
    if way == "prioritized":
        assert np.array_equal(component_states(engine.state.memory)[0].slots()[0][:keep], before[0])
    live(engine, 50, seed=2).check()


def test_a_protected_memory_can_only_be_emptied():
    engine = live(make("protected"), 100, seed=1)
    with pytest.raises(ConfigError, match="keep must be 0 for storage 'protected', got 3"):
        engine.forget(3)
    engine.forget()
    live(engine, 60, seed=2).check()


@pytest.mark.parametrize("way", WAYS)
def test_a_widened_engine_keeps_its_accounts(way):
    engine = live(make(way), 100, seed=1)
    wide = widened(engine, 2, [-1.0, 0.0], [1.0, 2.0])
    wide.check()
    if way != "stratified":
        old, new = (
            component_states(engine.state.memory)[0].slots()[0],
            component_states(wide.state.memory)[0].slots()[0],
        )
        assert np.array_equal(old, new)
    live(wide, 50, seed=2).check()


def test_a_surprise_is_measured_before_the_rules_learn():
    replay = ReplayConfig(capacity=9, batch_size=1, warmup=0, sampling="prioritized")
    engine = make_engine(1, 1, replay=replay, initial_prediction=0.0, learning_rate=1.0)
    engine.learn([0.5], 0, 90.0)
    priority = (90.0 + engine.config.error_threshold) ** 0.6
    assert component_states(engine.state.memory)[0].slots()[0][0] == priority
    assert engine.export()["prediction"].tolist() == [90.0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"sampling": "fair"},
            "replay_sampling must be one of 'uniform', 'prioritized', 'stratified'",
        ),
        (
            {"storage": "protected", "capacity": 1, "batch_size": 1},
            "replay_capacity (N) must be an integer in [2, inf) for replay_storage = "
            "'protected', got 1",
        ),
        (
            {"storage": "protected", "return_steps": 2},
            "replay_return_steps (n) must be 1 for replay_storage = 'protected', "
            "which keeps no sequences, got 2",
        ),
        ({"protected_share": 1.0}, "replay_protected_share must lie in (0, 1), got 1.0"),
        ({"interpolation": 1.5}, "replay_interpolation must lie in [0, 1], got 1.5"),
        ({"priority_exponent": -1.0}, "replay_priority_exponent must lie in [0, 1e+100], got -1.0"),
        ({"strata_grid": 0}, "replay_strata_grid must be an integer in [1, inf), got 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(ConfigError) as error:
        ReplayConfig(**settings)
    assert message in str(error.value)


def test_accounts_count_when_a_memory_is_too_large():
    with pytest.raises(ConfigError, match=r"replay_capacity \(N\) must lie in"):
        make_engine(2, replay=ReplayConfig(capacity=100_000_000, sampling="stratified"))


# --- to store without learning ----------------------------------------------------------------


def test_what_is_remembered_is_stored_and_not_learned_from():
    engine = make_engine(2, replay=ReplayConfig(capacity=5, batch_size=1, warmup=0))
    rows = np.linspace(0.0, 1.0, 14).reshape(7, 2)
    engine.remember_batch(rows, [0, 1] * 3 + [0], np.arange(7.0), rows[::-1], [True] + [False] * 6)
    engine.check()
    states, actions, rewards, next_states, terminal, *_ = engine.state.memory
    assert (engine.macroclassifiers, engine.learning_steps) == (0, 0)
    assert rewards.tolist() == [5.0, 6.0, 2.0, 3.0, 4.0]
    assert actions.tolist() == [1, 0, 0, 1, 0]
    assert states.tolist() == rows.astype(np.float32)[[5, 6, 2, 3, 4]].tolist()
    assert next_states.tolist() == rows[::-1].astype(np.float32)[[5, 6, 2, 3, 4]].tolist()
    assert not terminal.any()
    engine.remember_batch(rows[:1], [1], [9.0])
    assert (rewards[2], terminal[2]) == (9.0, 1)


def test_remembering_needs_a_memory_and_valid_observations():
    with pytest.raises(ConfigError, match="remember_batch needs a replay memory"):
        make_engine(2).remember_batch([[0.5, 0.5]], [0], [1.0])
    engine = make_engine(2, replay=ReplayConfig(capacity=5, batch_size=1), out_of_range="error")
    with pytest.raises(ConfigError, match="observation"):
        engine.remember_batch([[0.5, 0.5], [0.5, 7.0]], [0, 0], [1.0, 1.0])
    assert engine.state.arrays.state["stored"][0] == 0
