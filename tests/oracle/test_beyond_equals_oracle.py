"""Mechanisms beyond the paper follow the oracle to the last bit, alone and together."""

import numpy as np
import pytest

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.core.basics.rng import spawn_states
from ruleplay.replay.returns import EXPLORED, LAST, TERMINAL

from .test_engine_equals_oracle import PLANE, assert_same_rules, pair, walk
from .test_run_equals_oracle import (
    CHAIN,
    SEED,
    World,
    assert_same_curve,
    follow_episodes,
    make_pair,
)
from .test_run_equals_oracle import chain as make_chain

SMALL_PLANE = {
    "population_size": 150,
    "exploration": "epsilon_greedy",
    "epsilon_fraction": 0.5,
    "ga_threshold": 10,
    "error_threshold": 0.5,
    "cover_spread": 0.3,
    "early_averaging": False,
    "update_order": "error_first",
}
STICKY = {"exploration_persistence": 3.5, "epsilon_end": 0.3}
CURIOUS = {"count_bonus": 2.0, "count_grid": 5, "count_bonus_in": "choice"}
PAID_CURIOUS = {**CURIOUS, "count_bonus_in": "payoff"}
OPTIMISTIC = {"initial_prediction": "optimistic"}
CLIPPED = {"target_low": 0.5, "target_high": 9.5}


def steps(n, **changes):
    return ReplayConfig(
        **{"capacity": 300, "batch_size": 4, "warmup": 50, "return_steps": n, **changes}
    )


CASES = {
    "five-steps": ({}, steps(5)),
    "five-steps-wrapping": ({}, steps(5, capacity=37)),
    "forty-steps-newest": ({}, steps(40, include_newest=True, ga_clock="replay", batch_size=2)),
    "three-steps-literal-truncation": ({"bootstrap_on_truncation": False}, steps(3)),
    "optimistic": (OPTIMISTIC, steps(2)),
    "clipped": (CLIPPED, steps(2)),
    "cut": ({"epsilon_end": 0.3}, steps(6, cut_at_exploration=True)),
    "best": ({}, steps(4, return_choice="best")),
    "rewarded-gap": ({}, steps(4, return_choice="rewarded", action_gap=0.4)),
    "gap-one-action-covered": ({"min_actions": 1}, steps(1, action_gap=0.5)),
    "hopeful": ({"initial_prediction": "hopeful"}, steps(1)),
    "hopeful-long-warmup": ({"initial_prediction": "hopeful"}, steps(1, warmup=400)),
    "hopeful-online": ({"initial_prediction": "hopeful"}, None),
    "condensing": ({"condensation_fraction": 0.4}, steps(1)),
    "fading": ({**STICKY, "exploration_fades": True}, steps(2)),
    "sticky-replay": (STICKY, steps(2)),
    "curious-replay": (CURIOUS, steps(2)),
    "sticky": (STICKY, None),
    "sticky-one-action-covered": ({**STICKY, "min_actions": 1}, None),
    "curious": (CURIOUS, None),
    "curious-in-payoff": (PAID_CURIOUS, None),
    "curious-in-payoff-replay": (PAID_CURIOUS, steps(3)),
    "curious-hashed": ({**CURIOUS, "count_grid": 100_000}, None),  # no two cells collide here
    "all-linear": (
        {**STICKY, **PAID_CURIOUS, **OPTIMISTIC, **CLIPPED, "prediction": "linear"},
        steps(5, capacity=101, cut_at_exploration=True),
    ),
}


def live(engine, oracle, n_steps, walk=walk):
    """Let both walk in the plane, under the same conditions, and compare all they do."""
    world = spawn_states(5, 1)[0]
    x, length = np.array([-0.5, 1.0]), 0
    action = engine.step(x)
    assert action == oracle.step(x)
    for t in range(n_steps):
        x, reward, done = walk(x, action, world)
        length += 1
        truncated = length >= 30 and not done
        action = engine.step(x, reward, done, truncated)
        assert action == oracle.step(x, reward, done, truncated)
        if done or truncated:
            x, length = np.array([-0.5, 1.0]), 0
            action = engine.step(x)
            assert action == oracle.step(x)
        if t % 100 == 99:
            assert_same_rules(engine, oracle)
            engine.check()


PARAMETERS = [
    pytest.param(*case, id=name, marks=() if "steps" in name else pytest.mark.uncompiled)
    for name, case in CASES.items()
]


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "replay"), PARAMETERS)
def test_a_trajectory_is_equal(changes, replay):
    config = XCSConfig(**{**SMALL_PLANE, **changes})
    engine, oracle = pair(config, replay, largest_return=12.0, **PLANE)
    live(engine, oracle, 700)
    assert engine.microclassifiers == 150
    if replay is not None:
        assert_same_flags(engine, oracle)
    if config.count_bonus > 0.0:
        counts = engine.state.traits.exploration.counts
        assert sorted(counts[counts > 0].tolist()) == sorted(oracle.explorer.counts.values())


def assert_same_flags(engine, oracle):
    flags, slots = engine.state.memory[4][: len(oracle.memory.slots)], oracle.memory.slots
    marked, sequences = bool(engine.state.traits.exploration), engine.replay.return_steps > 1
    expected = [
        (TERMINAL if slot.terminal else LAST if slot.truncated and sequences else 0)
        | (EXPLORED if marked and slot.explored else 0)
        for slot in slots
    ]
    assert flags.tolist() == expected
    assert engine.state.memory.rng.tolist() == [int(word) for word in oracle.replay_random.words]


def test_a_compiled_run_with_everything_equals_the_oracle():
    settings = {**CHAIN, **STICKY, **CURIOUS, **OPTIMISTIC, "target_high": 30.0}
    replay = steps(5, cut_at_exploration=True)
    engine, oracle = make_pair(make_chain(), XCSConfig(**settings), replay, 600)
    oracle.initial_prediction = make_chain().largest_value(oracle.config.discount)
    record = engine.run(make_chain(), 600, curve_points=11)
    diary = follow_episodes(oracle, World(make_chain(), SEED), 600, limit=30)
    assert_same_rules(engine, oracle)
    assert_same_curve(record, diary, points=11)
    assert engine.largest_return == oracle.initial_prediction
    engine.check()
