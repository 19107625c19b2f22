"""Rules that are fitted anew have ridge regressions of what they match, computed here by hand."""

import numpy as np
import pytest

from ruleplay import XCS, XCSConfig
from ruleplay.core.components.seams import Prediction
from ruleplay.engine.refit_entries import MOST_LEVERAGE
from ruleplay.engine.refitting import LEAST_ERROR, RIDGE, moments_of, refit
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.uncompiled

RNG = np.random.default_rng(5)
ROWS = RNG.random((40, 2)) * [1.0, 4.0]
PAYOFFS = np.column_stack([3.0 + ROWS @ [2.0, -1.0], ROWS[:, 0] ** 2])
PAYOFFS = PAYOFFS + RNG.normal(0.0, 0.1, PAYOFFS.shape)
WEIGHTS = RNG.integers(1, 4, 40).astype(float)


def learned(prediction, rows=ROWS):
    config = XCSConfig(
        population_size=60, prediction=prediction, error_threshold=0.1, initial_prediction=2.0
    )
    made = XCS(config, n_actions=2, low=[0.0, 0.0], high=[1.0, 4.0], seed=1)
    for row, payoffs in zip(rows, PAYOFFS, strict=True):
        for action in range(2):
            made.learn(row, action, payoffs[action])
    return made


def matches(engine):
    """Return which rule contains which row, (rules, rows)."""
    bounds = engine.state.arrays.population.bounds[engine.places()]
    states = (ROWS / [1.0, 4.0]).astype(np.float32)
    return ((bounds[:, None, :2] <= states) & (states <= bounds[:, None, 2:])).all(axis=2)


@pytest.mark.parametrize("prediction", ["linear", "quadratic"])
def test_models_votes_and_errors_are_those_of_ridge_regressions(prediction):
    engine = learned(prediction)
    fitness = engine.export()["fitness"]
    refit(engine, ROWS, PAYOFFS, WEIGHTS)
    x = Prediction.find(prediction).inputs((ROWS / [1.0, 4.0]).astype(np.float32))
    spread = np.average((x - np.average(x, 0, WEIGHTS)) ** 2, 0, WEIGHTS)
    penalty = RIDGE * np.diag(np.where(spread > 0, spread, 0.0))
    stds = np.sqrt(np.average((PAYOFFS - np.average(PAYOFFS, 0, WEIGHTS)) ** 2, 0, WEIGHTS))
    parts, matched = engine.export(), matches(engine)
    for i, (own, action) in enumerate(zip(matched, parts["action"], strict=True)):
        heavy = WEIGHTS * own
        if not own.any():
            assert parts["fitness"][i] == 0.0
            continue
        inverse = np.linalg.inv((x * heavy[:, None]).T @ x + penalty)
        weights = inverse @ (x.T @ (heavy * PAYOFFS[:, action]))
        np.testing.assert_allclose(parts["weights"][i], weights, atol=1e-8)
        leverage = np.einsum("ij,jk,ik->i", x, inverse, x)
        alone = np.where(
            leverage <= MOST_LEVERAGE,
            (PAYOFFS[:, action] - x @ weights) / np.maximum(1.0 - leverage, 1e-9),
            PAYOFFS[:, action] - np.average(PAYOFFS[:, action], weights=WEIGHTS),
        )
        error = np.sqrt((heavy @ alone**2) / heavy.sum())
        assert parts["error"][i] == pytest.approx(error)
        floor = LEAST_ERROR * stds[action]
        assert parts["fitness"][i] == pytest.approx(np.sqrt(fitness[i]) * floor / max(error, floor))
    engine.check()


def test_a_row_left_out_is_predicted_as_if_it_had_never_been_there():
    """With one rule for all rows, its error is that of regressions on all other rows."""
    config = XCSConfig(population_size=10, prediction="linear", initial_prediction=0.0)
    engine = XCS(config, n_actions=1, low=[0.0, 0.0], high=[1.0, 4.0], seed=0)
    engine.learn(ROWS[0], 0, 1.0)
    population = engine.state.arrays.population
    population.alleles[engine.places()] = [0.0, 1.0, 0.0, 1.0]
    engine.derive()
    paid, ones = PAYOFFS[:, :1], np.ones(len(ROWS))
    refit(engine, ROWS, paid, ones)
    x = Prediction.find("linear").inputs((ROWS / [1.0, 4.0]).astype(np.float32))
    penalty = RIDGE * np.diag([0.0, *x[:, 1:].var(axis=0)])
    errors = []
    for row in range(len(x)):
        others = np.arange(len(x)) != row
        normal = x[others].T @ x[others] + penalty
        errors.append(
            paid[row, 0] - x[row] @ np.linalg.solve(normal, x[others].T @ paid[others, 0])
        )
    assert engine.export()["error"][0] == pytest.approx(np.sqrt(np.mean(np.square(errors))))


def test_numbers_are_means_drawn_to_that_of_all():
    engine = learned("scalar")
    refit(engine, ROWS, PAYOFFS, WEIGHTS)
    parts, heavy = engine.export(), matches(engine) * WEIGHTS
    paid, centres = PAYOFFS.T[parts["action"]], np.average(PAYOFFS, 0, WEIGHTS)[parts["action"]]
    means = ((heavy * paid).sum(axis=1) + centres) / (heavy.sum(axis=1) + 1.0)
    np.testing.assert_allclose(parts["prediction"], means)
    engine.check()


def test_weights_are_repetitions():
    times = WEIGHTS.astype(int)
    one, other = learned("linear"), learned("linear")
    refit(one, ROWS, PAYOFFS, WEIGHTS)
    refit(other, ROWS.repeat(times, 0), PAYOFFS.repeat(times, 0), np.ones(times.sum()))
    for name in ("weights", "error", "fitness"):
        np.testing.assert_allclose(one.export()[name], other.export()[name], atol=1e-9)


def test_learning_goes_on_where_regressions_end():
    """One more row moves each model as if it had been among the others."""
    engine = learned("linear")
    refit(engine, ROWS[:-1], PAYOFFS[:-1], np.ones(39))
    population, last = engine.state.arrays.population, ROWS[-1]
    inside = matches(engine)[:, -1] & (engine.export()["action"] == 0)
    place = engine.places()[inside][0]
    x = Prediction.find("linear").inputs((last / [1.0, 4.0]).astype(np.float32)[None])[0]
    size = len(x)
    normal = np.linalg.inv(population.gain[place].reshape(size, size))
    products = normal @ population.weights[place]
    expected = np.linalg.solve(normal + np.outer(x, x), products + x * PAYOFFS[-1, 0])
    engine.learn(last, 0, PAYOFFS[-1, 0])
    np.testing.assert_allclose(engine.state.arrays.population.weights[place], expected, rtol=1e-6)


def test_moments_are_sums_over_matching_rules():
    engine = learned("linear")
    refit(engine, ROWS, PAYOFFS, WEIGHTS)
    centres = np.array([1.0, -2.0])
    sums = moments_of(engine, ROWS, centres)
    means = centres + sums[:, :, 1] / sums[:, :, 0]
    np.testing.assert_allclose(means, engine.predict(ROWS))
    parts, matched = engine.export(), matches(engine)
    votes = matched[:, 3] * parts["fitness"] * (parts["action"] == 1)
    x = Prediction.find("linear").inputs((ROWS[3:4] / [1.0, 4.0]).astype(np.float32))[0]
    squares = (parts["weights"] @ x - centres[1]) ** 2 + parts["error"] ** 2
    assert sums[3, 1, 2] == pytest.approx(votes @ squares)


def test_an_odd_row_is_refused():
    with pytest.raises(ConfigError, match=r"observation\[1\] must be finite"):
        refit(learned("linear"), np.where(ROWS > 3.9, np.inf, ROWS), PAYOFFS, WEIGHTS)
