"""A set of rules decides bit by bit as the engine it was taken from, and so do its exports."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import quick
from ruleplay.config import XCSConfig
from ruleplay.engine import XCS
from ruleplay.rules import RuleSet
from ruleplay.rules.thresholds import lower_thresholds, scale, upper_thresholds


def learned(prediction, seed=0, n_features=2, n_actions=3, span=(-3.0, 5.0), **changes):
    """Let an engine learn a little in a world with ranges of many sizes."""
    rng = np.random.default_rng(seed)
    low = span[0] * 10.0 ** rng.integers(-3, 4, n_features)
    high = low + (span[1] - span[0]) * 10.0 ** rng.integers(-3, 4, n_features)
    config = XCSConfig(population_size=80, ga_threshold=5, prediction=prediction, **changes)
    engine = XCS(config, n_actions=n_actions, low=low, high=high, seed=seed)
    rows = low + rng.random((200, n_features)) * (high - low)
    actions = rng.integers(0, n_actions, len(rows))
    payoff = 100.0 * rng.random(len(rows)) + 50.0 * actions
    engine.learn_batch(rows, actions, payoff)
    return engine


def observations(engine, rules, count, seed=0):
    """Draw observations within and around the bounds, and on all edges of rules."""
    rng = np.random.default_rng(seed)
    span = engine.high - engine.low
    rows = engine.low + (1.2 * rng.random((count, len(span))) - 0.1) * span
    edges = np.concatenate([rules.lower, rules.upper])
    edges = np.where(np.isfinite(edges), edges, engine.low)
    return np.concatenate([rows, edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])


def function_of(source):
    space = {}
    exec(compile(source, "rules.py", "exec"), space)
    return space["decide"]


@given(
    seed=st.integers(0, 2**31),
    prediction=st.sampled_from(["scalar", "linear"]),
    n_features=st.integers(1, 5),
    n_actions=st.integers(1, 4),
)
@quick(30)
def test_values_are_those_of_the_engine(seed, prediction, n_features, n_actions):
    engine = learned(prediction, seed, n_features, n_actions)
    rules = RuleSet.of(engine)
    rows = observations(engine, rules, 300, seed)
    np.testing.assert_array_equal(rules.values(rows), engine.predict(rows))


@given(seed=st.integers(0, 2**31), prediction=st.sampled_from(["scalar", "linear"]))
@quick(15)
def test_json_brings_back_the_same_rules(seed, prediction):
    rules = RuleSet.of(learned(prediction, seed))
    again = RuleSet.from_json(rules.to_json())
    rows = observations(rules, rules, 100, seed)
    np.testing.assert_array_equal(again.values(rows), rules.values(rows))
    assert again.to_json() == rules.to_json()
    assert again.text() == rules.text()


@pytest.mark.parametrize("prediction", ["scalar", "linear"])
def test_python_function_takes_the_same_actions_on_10_000_observations(prediction):
    engine = learned(prediction, 3)
    rules = RuleSet.of(engine)
    rows = observations(engine, rules, 10_000)
    decide = function_of(rules.to_python())
    assert [decide(row) for row in rows.tolist()] == rules.actions(rows).tolist()
    assert len(set(rules.actions(rows).tolist())) == 3


@pytest.mark.parametrize("limit", [None, 60.0], ids=["unlimited", "limited"])
def test_prediction_limit_is_respected(limit):
    engine = learned("linear", 4, prediction_limit=limit)
    rules = RuleSet.of(engine)
    rows = observations(engine, rules, 200)
    values = rules.values(rows)
    np.testing.assert_array_equal(values, engine.predict(rows))
    assert (np.nanmax(values) <= 60.0 + 1e-9) == (limit == 60.0)
    decide = function_of(rules.to_python())
    assert [decide(row) for row in rows.tolist()] == rules.actions(rows).tolist()


def test_missing_features_keep_no_rule_out():
    engine = learned("scalar", 5, missing_values="match")
    rules = RuleSet.of(engine)
    rows = observations(engine, rules, 100)
    rows[::2, 0] = np.nan
    rows[::3, 1] = np.nan
    np.testing.assert_array_equal(rules.values(rows), engine.predict(rows))
    decide = function_of(rules.to_python())
    assert [decide(row) for row in rows.tolist()] == rules.actions(rows).tolist()


@given(
    low=st.floats(-1e6, 1e6),
    span=st.floats(1e-3, 1e6),
    bound=st.floats(0.0, 1.0, width=32),
)
@quick(200)
def test_thresholds_are_exact(low, span, bound):
    lows, highs = np.array([low]), np.array([low + span])
    bounds = np.array([[bound]], np.float32)
    at_least = lower_thresholds(bounds, lows, highs)
    at_most = upper_thresholds(bounds, lows, highs)
    if bound > 0.0:
        assert scale(at_least, lows, highs) >= bounds
        assert scale(np.nextafter(at_least, -np.inf), lows, highs) < bounds
    else:
        assert at_least == -np.inf
    if bound < 1.0:
        assert scale(at_most, lows, highs) <= bounds
        assert scale(np.nextafter(at_most, np.inf), lows, highs) > bounds
    else:
        assert at_most == np.inf
