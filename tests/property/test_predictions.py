"""Linear models solve least squares; the exploration rate follows its line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import agent_of, make_engine, plant, quick
from ruleplay.core.basics.weight import FULL, Weight
from ruleplay.core.predictions.linear import Linear, adapt_linear, predict_linear
from ruleplay.core.xcs import exploration_rate

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


def linear_rule(n_features, weights, **changes):
    """Make an engine with one rule that contains everything."""
    engine = make_engine(n_features, 1, prediction="linear", **changes)
    population = engine.state.arrays.population
    plant(engine, np.zeros((1, n_features)), np.ones((1, n_features)), [0])
    population.weights[0] = weights
    gain = engine.config.rls_initial_gain
    population.gain[0] = (gain * np.eye(n_features + 1)).ravel()
    return engine


def fit(engine, states, targets, weights=None):
    agent = agent_of(engine)
    for k, (state, target) in enumerate(zip(states, targets, strict=True)):
        weight = FULL if weights is None else Weight(float(weights[k]), 1.0)
        adapt_linear(Linear(), agent, np.uint32(0), state, float(target), 0.2, weight)
    return engine.state.arrays.population.weights[0]


def batch_least_squares(states, targets, start, gain, forgetting, weights=1.0):
    """Minimise sum of u_i lambda^(n-i) (P_i - w x_i)^2 + lambda^n |w - w_0|^2 / delta."""
    n = len(targets)
    x = np.column_stack([np.ones(n), states.astype(np.float64)])
    importance = weights * forgetting ** np.arange(n - 1, -1, -1)
    prior = forgetting**n / gain * np.eye(x.shape[1])
    normal = (x * importance[:, None]).T @ x + prior
    return np.linalg.solve(normal, x.T @ (importance * targets) + prior @ start)


@given(
    seed=st.integers(0, 2**32),
    n_features=st.integers(1, 6),
    n=st.integers(1, 40),
    gain=st.sampled_from([0.1, 1.0, 50.0]),
    forgetting=st.sampled_from([1.0, 0.99, 0.9]),
)
@quick(40)
def test_recursive_least_squares_equals_batch_least_squares(seed, n_features, n, gain, forgetting):
    rng = np.random.default_rng(seed)
    states = rng.random((n, n_features)).astype(np.float32)
    targets, start = rng.normal(0, 10, n), rng.normal(0, 3, n_features + 1)
    engine = linear_rule(n_features, start, rls_initial_gain=gain, rls_forgetting=forgetting)
    weights = fit(engine, states, targets)
    expected = batch_least_squares(states, targets, start, gain, forgetting)
    np.testing.assert_allclose(weights, expected, rtol=1e-6, atol=1e-6)
    value = predict_linear(
        Linear(),
        engine.state.arrays.population,
        np.uint32(0),
        states[0],
        engine.state.arrays.params[0],
    )
    assert value == pytest.approx(expected[0] + states[0].astype(float) @ expected[1:], abs=1e-5)


@given(seed=st.integers(0, 2**32), n=st.integers(1, 40), forgetting=st.sampled_from([1.0, 0.9]))
@quick(15)
def test_weighted_experiences_count_in_least_squares_by_their_weight(seed, n, forgetting):
    rng = np.random.default_rng(seed)
    states = rng.random((n, 2)).astype(np.float32)
    targets, start, importance = rng.normal(0, 10, n), rng.normal(0, 3, 3), 1.0 - rng.random(n)
    engine = linear_rule(2, start, rls_initial_gain=10.0, rls_forgetting=forgetting)
    weights = fit(engine, states, targets, importance)
    expected = batch_least_squares(states, targets, start, 10.0, forgetting, importance)
    np.testing.assert_allclose(weights, expected, rtol=1e-6, atol=1e-6)


def test_a_linear_payoff_is_learned_exactly():
    rng = np.random.default_rng(0)
    states = rng.random((200, 3)).astype(np.float32)
    targets = 5.0 + states.astype(float) @ [1.0, -2.0, 3.0]
    weights = fit(linear_rule(3, np.zeros(4), rls_initial_gain=1e6), states, targets)
    assert weights == pytest.approx([5.0, 1.0, -2.0, 3.0], abs=1e-4)


def test_a_gain_matrix_above_its_limit_starts_anew():
    rng = np.random.default_rng(0)
    # Forgetting without news in the second feature makes its gain grow for ever.
    states = np.column_stack([rng.random(400), np.zeros(400)]).astype(np.float32)
    for limit, mean in ((None, 1e8), (100.0, 100.0)):
        rule = linear_rule(2, np.zeros(3), rls_forgetting=0.9, rls_gain_limit=limit)
        traces = []
        for state in states:
            fit(rule, [state], [1.0])
            traces.append(np.trace(rule.state.arrays.population.gain[0].reshape(3, 3)))
        assert 0.5 * mean < max(traces) <= 3 * mean
        assert min(np.diff(traces)) < -mean  # it was thrown away at least once


def test_predictions_stay_within_their_limit():
    engine = linear_rule(1, [0.0, 500.0], prediction_limit=50.0, initial_prediction=0.0)
    assert engine.predict([[0.05], [0.9]]).ravel() == pytest.approx([25.0, 50.0])


@given(
    start=st.floats(0, 1),
    end=st.floats(0, 1),
    fraction=st.floats(0, 1),
    horizon=st.integers(0, 1000),
    time=st.integers(0, 1200),
)
@quick(100)
def test_epsilon_moves_along_a_line_and_stays(start, end, fraction, horizon, time):
    engine = make_engine(
        epsilon_start=start, epsilon_end=end, epsilon_fraction=fraction, horizon=horizon
    )
    engine.state.arrays.state["time"] = time
    epsilon = exploration_rate(agent_of(engine))
    falling = fraction * horizon
    share = min(time / falling, 1.0) if falling > 0 else 1.0
    assert epsilon == pytest.approx(start + (end - start) * share, abs=1e-12)
    if time >= falling:
        assert epsilon == end
