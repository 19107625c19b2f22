"""Rules that settle predict the mean payoff of what they match, computed here by hand."""

import numpy as np
import pytest

from ruleplay import XCS, XCSConfig
from ruleplay.engine.settling import settle
from ruleplay.errors import ConfigError

RNG = np.random.default_rng(5)
ROWS = RNG.random((60, 2))
ROWS[7, 1] = np.nan
PAYOFFS = RNG.normal(size=(60, 3))
WEIGHTS = RNG.integers(1, 4, 60).astype(float)
PRIORS = np.array([0.5, -1.0, 2.0])


@pytest.fixture
def engine():
    config = XCSConfig(population_size=80, missing_values="match")
    made = XCS(config, n_actions=3, low=[0.0, 0.0], high=[1.0, 1.0], seed=1)
    for row, payoffs in zip(ROWS, PAYOFFS, strict=True):
        for action in range(3):
            made.learn(row, action, payoffs[action])
    return made


def matches(engine):
    """Return which rule contains which row, (rules, rows)."""
    bounds = engine.state.arrays.population.bounds[engine.places()]
    states = ROWS.astype(np.float32)
    inside = (bounds[:, None, :2] <= states) & (states <= bounds[:, None, 2:])
    return (inside | np.isnan(states)).all(axis=2)


def test_a_tally_is_that_of_plain_sums(engine):
    actions, matched = engine.places() // engine.state.stride, matches(engine)
    expected = np.linspace(-1.0, 1.0, len(actions))
    paid = PAYOFFS[:, actions].T
    distances = abs(paid - expected[:, None])
    by_hand = [(matched * WEIGHTS * one).sum(axis=1) for one in (1.0, paid, distances)]
    found = engine.tally(ROWS, PAYOFFS, WEIGHTS, expected)
    np.testing.assert_allclose(found, np.transpose(by_hand), atol=1e-12)


def test_rules_predict_means_and_vote_by_the_root_of_their_fitness(engine):
    rules, places = engine.state.arrays.population.rules, engine.places()
    fitness, actions = rules["fitness"][places].copy(), places // engine.state.stride
    weights = matches(engine) * WEIGHTS
    total, unit = weights.sum(axis=1), min(1.0, WEIGHTS.mean())
    settle(engine, ROWS, PAYOFFS, WEIGHTS, PRIORS)
    paid = PAYOFFS[:, actions].T
    means = ((weights * paid).sum(axis=1) + unit * PRIORS[actions]) / (total + unit)
    np.testing.assert_allclose(rules["prediction"][places], means)
    np.testing.assert_allclose(rules["fitness"][places], np.sqrt(fitness) * (total > 0))
    errors = (weights * abs(paid - means[:, None])).sum(axis=1)[total > 0] / total[total > 0]
    np.testing.assert_allclose(rules["error"][places][total > 0], errors)
    engine.check()


def test_what_is_expected_is_a_number_for_each_rule(engine):
    with pytest.raises(ConfigError, match=r"expected must have shape \(\d+,\), got \(1,\)"):
        engine.tally(ROWS, PAYOFFS, WEIGHTS, [0.0])


def test_a_tally_changes_nothing(engine):
    before = engine.to_bytes()
    engine.tally(ROWS, PAYOFFS, WEIGHTS, np.zeros(engine.macroclassifiers))
    assert engine.to_bytes() == before


@pytest.mark.parametrize(
    ("rows", "payoffs", "weights", "message"),
    [
        (ROWS, PAYOFFS[:, :2], WEIGHTS, r"payoffs must have shape \(60, 3\), got \(60, 2\)"),
        (ROWS, PAYOFFS * np.nan, WEIGHTS, r"payoffs must lie in \[-1e\+100, 1e\+100\], got nan"),
        (ROWS, PAYOFFS, WEIGHTS[1:], r"weights must have shape \(60,\), got \(59,\)"),
        (ROWS, PAYOFFS, ["heavy"] * 60, "weights must be an array of numbers"),
        (ROWS * np.inf, PAYOFFS, WEIGHTS, r"observation\[0\] must be finite, got inf"),
        (ROWS[:, :1], PAYOFFS, WEIGHTS, r"observations must have shape \(rows, 2\)"),
    ],
)
def test_odd_arguments_are_refused(engine, rows, payoffs, weights, message):
    with pytest.raises(ConfigError, match=message):
        engine.tally(rows, payoffs, weights, np.zeros(engine.macroclassifiers))
