"""Payoffs by a copy of the rules, updates by shares of fitness; settings, files, sizes."""

import json

import numpy as np
import pytest

from property.samples import agent_of, bytes_of, live, make_engine, plant, reload
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.contrib.target_copy import renew
from ruleplay.core.basics.weight import FULL
from ruleplay.core.components.families import adapt_in_part
from ruleplay.core.reinforcement import reinforce
from ruleplay.core.xcs import value_of
from ruleplay.engine import XCS
from ruleplay.engine.widening import widened
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError, ModelFileError

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

REPLAY = ReplayConfig(capacity=40, batch_size=2, warmup=5)
STATE = np.array([0.5], np.float32)
EVERYTHING = {
    "exploration": "epsilon_greedy",
    "epsilon_end": 0.3,
    "ga_niches_per_step": 1,
    "gradient_scaling": True,
    "target_interval": 11,
    "double_estimation": True,
    "specify": True,
    "specify_threshold": 2,
    "split_refuted": 8,
    "verify_subsumption": 4,
    "subsumption_threshold": 4,
    "error_threshold": 0.5,
    "prediction": "linear",
}


def everything(**changes):
    return make_engine(1, 2, replay=REPLAY, horizon=300, **{**EVERYTHING, **changes})


# --- settings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ga_niches_per_step": 0}, "ga_niches_per_step must be an integer in [1, inf), or None"),
        ({"double_estimation": True}, "double_estimation needs target_interval above 0, got 0"),
        (
            {"target_interval": 9, "bootstrap_value": "argmax"},
            "bootstrap_value must be 'max' for target_interval = 9, got 'argmax'",
        ),
        ({"target_interval": -1}, "target_interval must be an integer in [0, inf), got -1"),
        ({"specify_probability": 0.0}, "specify_probability (P_sp) must lie in (0, 1], got 0.0"),
        ({"specify_threshold": -1}, "specify_threshold (N_sp) must lie in [0, 1e+100], got -1"),
        ({"split_refuted": 1001}, "split_refuted must be an integer in [0, 1000], got 1001"),
        (
            {"verify_subsumption": 5, "ga_subsumption": False},
            "verify_subsumption must be 0 without ga_subsumption and action_set_subsumption, got 5",
        ),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(ConfigError) as error:
        XCSConfig(**settings)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("name", ["split_refuted", "verify_subsumption"])
def test_what_looks_at_the_memory_needs_one(name):
    with pytest.raises(ConfigError) as error:
        make_engine(**{name: 3})
    message = f"{name} must be 0 without replay, whose memory it looks at, got 3"
    assert str(error.value) == message
    make_engine(replay=REPLAY, **{name: 3})


# --- shares of fitness ----------------------------------------------------------------------


def test_a_prediction_moves_by_its_share_of_fitness():
    engine = make_engine(1, 1, gradient_scaling=True, early_averaging=False)
    columns = {"prediction": 0.0, "fitness": [0.3, 0.1]}
    places = plant(engine, [[0.0], [0.1]], [[1.0], [0.9]], [0, 0], **columns)
    reinforce(agent_of(engine), places.astype(np.uint32), STATE, 100.0, FULL)
    assert engine.export()["prediction"] == pytest.approx([0.2 * 0.75 * 100, 0.2 * 0.25 * 100])
    # Errors move at the full rate: prediction first.
    assert engine.export()["error"] == pytest.approx([0.2 * 85.0, 0.2 * 95.0])


def test_shares_are_weights_of_least_squares():
    """With lambda = 1 the gain matrix is the inverse of I / delta + sum of u x x'."""
    engine = make_engine(2, 1, gradient_scaling=True, prediction="linear")
    population, agent = engine.state.arrays.population, agent_of(engine)
    population.weights[0], population.gain[0] = 0.0, 50.0 * np.eye(3).ravel()
    rng = np.random.default_rng(1)
    rows, targets, shares = rng.random((8, 2)).astype(np.float32), rng.random(8), rng.random(8)
    tag, precision, moment = engine.state.agent.traits.prediction, np.eye(3) / 50.0, np.zeros(3)
    for row, target, share in zip(rows, targets, shares, strict=True):
        adapt_in_part(tag, agent, 0, row, target, 0.2, share, FULL)
        x = np.array([1.0, *row])
        precision += share * np.outer(x, x)
        moment += share * target * x
    assert population.gain[0].reshape(3, 3) == pytest.approx(np.linalg.inv(precision), rel=1e-6)
    assert population.weights[0] == pytest.approx(np.linalg.solve(precision, moment), rel=1e-6)


# --- the copy -------------------------------------------------------------------------------


def test_the_copy_changes_only_from_interval_to_interval():
    engine = make_engine(1, 2, exploration="epsilon_greedy", target_interval=10)
    rng, seen = np.random.default_rng(3), []
    engine.step([0.5])
    for _ in range(60):
        engine.step(rng.random(1), 10.0 * rng.random())
        frozen = engine.state.traits.bootstrap
        time = engine.learning_steps - 1  # when the copy was asked
        seen.append((time // 10, frozen.rules.tobytes() + frozen.cells.tobytes()))
        assert frozen.interval[0] == time // 10
    assert len({interval for interval, _ in seen}) == 6
    assert len(set(seen)) == 6
    assert len({copy for _, copy in seen}) == 6
    engine.check()


def values_engine(now, copied, **changes):
    """Make an engine whose rules predict some values and whose copy predicts others."""
    settings = {"exploration": "epsilon_greedy", "target_interval": 10, "initial_prediction": 77.0}
    engine = make_engine(1, 3, **settings, **changes)
    for values in (copied, now):
        actions = [a for a, value in enumerate(values) if value is not None]
        boxes = [[0.0]] * len(actions), [[1.0]] * len(actions)
        if actions:
            plant(engine, *boxes, actions, prediction=[values[a] for a in actions])
        else:
            engine.state.arrays.population.counts[:] = 0
            engine.state.arrays.population.cells[0] = 255
        renew(engine.state.traits.bootstrap, agent_of(engine))  # the first copy stays for ten steps
    return engine


NOW = (1.0, 5.0, 3.0)


@pytest.mark.parametrize(
    ("now", "copied", "frozen", "double"),
    [
        (NOW, (10.0, 2.0, 20.0), 20.0, 2.0),
        (NOW, (10.0, None, 20.0), 20.0, 20.0),
        (NOW, (None, None, None), 5.0, 5.0),
        ((1.0, None, 1.0), (10.0, 2.0, 20.0), 20.0, 10.0),
        ((None, None, None), (10.0, 2.0, 20.0), 20.0, 20.0),
        ((None, None, None), (None, None, None), 77.0, 77.0),
    ],
    ids=["formula", "no-rule-for-it", "empty-copy", "tie", "no-rules-now", "nothing"],
)
def test_values_are_those_of_the_copy(now, copied, frozen, double):
    assert value_of(agent_of(values_engine(now, copied)), STATE) == frozen
    engine = values_engine(now, copied, double_estimation=True)
    assert value_of(agent_of(engine), STATE) == double
    engine.state.arrays.state["time"] = 10  # a new interval: the copy is what the rules are
    known = [value for value in now if value is not None]
    assert value_of(agent_of(engine), STATE) == (max(known) if known else 77.0)


def test_the_copy_and_the_noted_payoffs_take_memory_once():
    plain = make_engine(2, 2, replay=REPLAY)
    copying = make_engine(2, 2, replay=REPLAY, target_interval=5)
    frozen = copying.state.traits.bootstrap
    assert copying.nbytes - plain.nbytes == sum(array.nbytes for array in frozen[:6])
    noting = make_engine(2, 2, replay=REPLAY, split_refuted=10)
    assert noting.nbytes - plain.nbytes == 8 * (40 + 10 + 10 + 2)


# --- files and scales -----------------------------------------------------------------------


def test_a_copy_of_scalar_rules_comes_back():
    engine = values_engine(NOW, (10.0, 2.0, None), double_estimation=True)
    twin = reload(engine)
    assert value_of(agent_of(twin), STATE) == 2.0
    assert bytes_of(twin) == bytes_of(engine)


def test_a_loaded_engine_goes_on_with_the_same_bits():
    engine = live(everything(), 150, seed=1)
    engine.check()
    assert engine.state.traits.bootstrap.counts.any()
    twin = reload(engine)
    assert np.array_equal(
        twin.state.traits.bootstrap.cells[:, :9], engine.state.traits.bootstrap.cells[:, :9]
    )
    assert bytes_of(live(engine, 150, seed=2)) == bytes_of(live(twin, 150, seed=2))
    engine.check()


def spoil_copy(name, value):
    return lambda engine: getattr(engine.state.traits.bootstrap, name).__setitem__(0, value)


def spoil_rule(name, value):
    return lambda engine: engine.state.traits.bootstrap.rules[name].__setitem__(0, value)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (spoil_copy("interval", 10**6), "the copy must be from an interval in"),
        (spoil_copy("bounds", np.nan), "bounds of copied rules must be intervals"),
        (spoil_copy("bounds", (0.9, 0.1)), "bounds of copied rules must be intervals"),
        (spoil_copy("weights", np.inf), "copied weights must be at most"),
        (spoil_rule("fitness", -1.0), "copied fitness must lie in"),
        (
            lambda engine: engine.state.traits.discovery.payoffs.__setitem__(3, np.inf),
            "noted payoffs must be at most",
        ),
    ],
    ids=["interval", "nan", "crossed", "weights", "fitness", "payoff"],
)
def test_a_model_with_an_impossible_copy_is_refused(spoil, message, tmp_path):
    engine = live(everything(), 60, seed=1)
    assert engine.state.traits.bootstrap.counts[0] > 0
    spoil(engine)
    engine.save(tmp_path / "model")
    with pytest.raises(ModelFileError, match=message):
        XCS.load(tmp_path / "model")


def test_a_model_must_say_how_many_rules_its_copy_has(tmp_path, monkeypatch):
    path = tmp_path / "model"
    dump = json.dumps

    def without_counts(header, **options):
        return dump({k: v for k, v in header.items() if k != "copied_counts"}, **options)

    monkeypatch.setattr(json, "dumps", without_counts)
    live(everything(), 60, seed=1).save(path)
    with pytest.raises(ModelFileError, match="copied_counts"):
        XCS.load(path)


def test_a_widened_engine_copies_anew_and_keeps_payoffs():
    engine = live(everything(), 100, seed=1)
    wide = widened(engine, 3, [-1.0], [1.0])
    assert wide.state.traits.bootstrap.interval[0] == -1
    payoffs = engine.state.traits.discovery.payoffs
    assert np.array_equal(wide.state.traits.discovery.payoffs, payoffs, equal_nan=True)
    assert np.isfinite(payoffs).any()
    live(wide, 100, seed=2).check()


def test_a_compiled_run_takes_all_of_it():
    engine = everything()
    engine.run(make_problem("chain", n=5, time_limit=20), 200)
    assert engine.state.traits.bootstrap.interval[0] == 199 // 11
    assert np.isfinite(engine.state.traits.discovery.payoffs).any()
    engine.check()
