"""The engine follows the oracle to the last bit: same draws, same rules, same actions."""

import numpy as np
import pytest

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.core.basics.rng import draw_uniform, spawn_states
from ruleplay.engine import XCS

from .oracle import Oracle

MULTIPLEXER = {"n_actions": 2, "low": [0.0] * 3, "high": [1.0] * 3}
PLANE = {"n_actions": 3, "low": [-1.0, 0.0], "high": [1.0, 2.0]}


def pair(config, replay, *, seed=7, horizon=600, **space):
    return (
        XCS(config, replay, seed=seed, horizon=horizon, **space),
        Oracle(config, replay, seed=seed, horizon=horizon, **space),
    )


def assert_same_rules(engine, oracle):
    """Compare every number of every rule, and every random stream."""
    rules, parts = oracle.rules, engine.export()
    places = engine.places()
    assert len(rules) == engine.macroclassifiers
    assert [r.action for r in rules] == parts["action"].tolist()
    for name in ("error", "fitness", "set_size", "experience", "time_stamp", "numerosity"):
        assert [getattr(r, name) for r in rules] == parts[name].tolist(), name
    alleles = engine.state.arrays.population.alleles[places]
    assert [list(map(float, r.alleles)) for r in rules] == alleles.tolist()
    if engine.config.prediction != "scalar":
        assert [list(r.weights) for r in rules] == parts["weights"].tolist()
        gain = engine.state.arrays.population.gain[places]
        assert [[v for row in r.gain for v in row] for r in rules] == gain.tolist()
    else:
        assert [r.prediction for r in rules] == parts["prediction"].tolist()
    assert engine.state.arrays.rng.tolist() == [int(word) for word in oracle.agent_random.words]
    assert engine.state.arrays.state["time"][0] == oracle.time
    assert engine.state.arrays.state["clock"][0] == oracle.clock


def multiplexer_reward(x, action):
    return 1000.0 if (x[1 + (x[0] > 0.5)] > 0.5) == action else 0.0


SINGLE = {
    "paper": {},
    "roulette-two-point": {"selection": "roulette", "crossover": "two_point"},
    "action-mutation": {"action_mutation_rate": 0.3},
    "set-subsumption": {"action_set_subsumption": True, "subsumption_threshold": 5},
    "no-subsumption": {"ga_subsumption": False},
    "no-averaging-error-first": {"early_averaging": False, "update_order": "error_first"},
    "fractional-power": {"accuracy_power": 2.5},
    "one-action-covered": {"min_actions": 1},
    "linear": {"prediction": "linear", "rls_initial_gain": 50.0, "rls_forgetting": 0.99},
    "quadratic": {"prediction": "quadratic", "rls_initial_gain": 20.0, "rls_forgetting": 0.999},
    "missing-values": {"missing_values": "match"},
}
REPLAYS = {
    "online": None,
    "replay": ReplayConfig(capacity=300, batch_size=4, warmup=50),
    "newest-clock-per-replay": ReplayConfig(
        capacity=64, batch_size=3, warmup=10, include_newest=True, ga_clock="replay"
    ),
}

SINGLE_CASES = [
    pytest.param(
        changes, id=name, marks=pytest.mark.uncompiled if name == "roulette-two-point" else ()
    )
    for name, changes in SINGLE.items()
]


@pytest.mark.parametrize("replay", REPLAYS.values(), ids=REPLAYS)
@pytest.mark.parametrize("changes", SINGLE_CASES)
def test_single_step_trajectory_is_equal(changes, replay):
    config = XCSConfig(population_size=120, ga_threshold=8, cover_spread=0.6, **changes)
    engine, oracle = pair(config, replay, **MULTIPLEXER)
    world = spawn_states(11, 1)[0]
    for t in range(700):
        x = np.array([draw_uniform(world) for _ in range(3)])
        if config.missing_values == "match":
            x[[draw_uniform(world) < 0.2 for _ in range(3)]] = np.nan
        explore = t % 2 == 0
        action = engine.act(x, explore=explore)
        assert action == oracle.act(x, explore)
        reward = multiplexer_reward(x, action)
        if explore:
            engine.learn(x, action, reward)
            oracle.learn_single(x, action, reward)
        elif replay is None:
            oracle.store_only(x, action, reward)
        if t % 100 == 99:
            assert_same_rules(engine, oracle)
            engine.check()
    assert engine.microclassifiers == 120  # deletion has been at work


MULTI = {
    "scalar": {"initial_prediction": 10.0},
    "scalar-averaging-prediction-first": {
        "early_averaging": True,
        "update_order": "prediction_first",
    },
    "printed-argmax": {"bootstrap_value": "argmax"},
    "linear": {"prediction": "linear", "rls_initial_gain": 10.0},
    "linear-literal-truncation": {"prediction": "linear", "bootstrap_on_truncation": False},
    "linear-prediction-first": {"prediction": "linear", "update_order": "prediction_first"},
}


def walk(x, action, world):
    """Move a point in the plane; its right edge pays and ends the episode."""
    x = x + np.array([0.15 * (action - 1), 0.3 * (draw_uniform(world) - 0.5)])
    x = np.clip(x, [-1.0, 0.0], [1.0, 2.0])
    done = bool(x[0] >= 0.9)
    return x, (10.0 if done else 0.1 * x[1]), done


@pytest.mark.parametrize("replay", REPLAYS.values(), ids=REPLAYS)
@pytest.mark.parametrize("changes", MULTI.values(), ids=MULTI)
def test_multi_step_trajectory_is_equal(changes, replay):
    settings = {"early_averaging": False, "update_order": "error_first", **changes}
    config = XCSConfig(
        population_size=150,
        exploration="epsilon_greedy",
        epsilon_fraction=0.5,
        ga_threshold=10,
        error_threshold=0.5,
        cover_spread=0.3,
        **settings,
    )
    engine, oracle = pair(config, replay, **PLANE)
    world = spawn_states(5, 1)[0]
    x, length = np.array([-0.5, 1.0]), 0
    action = engine.step(x)
    assert action == oracle.step(x)
    for t in range(700):
        x, reward, done = walk(x, action, world)
        length += 1
        truncated = length >= 30 and not done
        action = engine.step(x, reward, done, truncated)
        assert action == oracle.step(x, reward, done, truncated)
        if done or truncated:
            assert action == -1
            x, length = np.array([-0.5, 1.0]), 0
            action = engine.step(x)
            assert action == oracle.step(x)
        if t % 100 == 99:
            assert_same_rules(engine, oracle)
            engine.check()
    assert engine.microclassifiers == 150
