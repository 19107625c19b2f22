"""The match set and the prediction array are what a plain look at every rule gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import agent_of, make_engine, plant, quick
from ruleplay.core.deletion import delete_one
from ruleplay.core.matching import match_action, match_all
from ruleplay.core.prediction_array import build_prediction_array

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

ONE = np.float32(1.0)
# Values at which comparisons and rounding to bytes go wrong, if they do.
EDGES = np.array(
    [0.0, 1.0, 0.5, np.nextafter(ONE, np.float32(0)), np.nextafter(np.float32(0), ONE)]
    + [k / 255 for k in (1, 2, 127, 128, 254)]
    + [np.nextafter(np.float32(k / 255), np.float32(side)) for k in (1, 128) for side in (0, 1)],
    np.float32,
)


def random_values(rng, shape):
    """Draw edges and ordinary numbers, half and half."""
    values = rng.random(shape).astype(np.float32)
    edges = rng.choice(EDGES, shape)
    return np.where(rng.random(shape) < 0.5, edges, values)


def random_boxes(rng, count, n_features, state):
    """Draw boxes of which many contain the state, with bounds exactly on it or just beside."""
    first, second = random_values(rng, (2, count, n_features))
    lower, upper = np.minimum(first, second), np.maximum(first, second)
    wide = rng.random((count, n_features)) < 0.9
    lower = np.where(wide, np.minimum(lower, state), lower)
    upper = np.where(wide, np.maximum(upper, state), upper)
    touch = rng.random((count, n_features))
    lower = np.where((touch < 0.1) & (state <= upper), state, lower)
    beside = np.maximum(np.nextafter(state, np.float32(0)), 0)
    upper = np.where((touch > 0.97) & (lower <= beside), beside, upper)
    return lower.astype(np.float32), upper.astype(np.float32)


def random_population(seed, n_features, n_actions, largest):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, largest + 1, n_actions)
    counts[rng.integers(n_actions)] = largest
    actions = np.repeat(np.arange(n_actions), counts)
    state = random_values(rng, n_features)
    lower, upper = random_boxes(rng, len(actions), n_features, state)
    engine = make_engine(
        n_features,
        n_actions,
        population_size=max(2 * len(actions), 9),
        missing_values="match",
    )
    places = plant(
        engine,
        lower,
        upper,
        actions,
        prediction=rng.normal(0, 100, len(actions)),
        fitness=np.where(rng.random(len(actions)) < 0.3, 0.0, rng.random(len(actions))),
    )
    if seed % 2:  # missing values
        state = np.where(rng.random(n_features) < 0.3, np.float32(np.nan), state)
    return engine, places, state


def brute_force(engine, places, state):
    """List the places whose box contains the state, by definition."""
    alleles = engine.state.arrays.population.alleles[places].reshape(len(places), -1, 2)
    inside = (alleles.min(axis=2) <= state) & (state <= alleles.max(axis=2)) | np.isnan(state)
    return places[inside.all(axis=1)]


shapes = {
    "seed": st.integers(0, 2**32),
    "n_features": st.sampled_from([1, 2, 3, 15, 16, 17, 20, 40]),
    "n_actions": st.integers(1, 4),
    "largest": st.sampled_from([1, 5, 63, 64, 65, 150]),
}


@given(**shapes)
@quick(60)
def test_the_match_set_holds_the_rules_that_contain_the_state_and_no_others(
    seed, n_features, n_actions, largest
):
    engine, places, state = random_population(seed, n_features, n_actions, largest)
    scratch, stride = engine.state.arrays.scratch, int(engine.state.arrays.params["stride"][0])
    expected = brute_force(engine, places, state)
    present = match_all(agent_of(engine), state)
    found = scratch.members[: scratch.starts[-1]]
    assert found.tolist() == expected.tolist()
    assert present == len(np.unique(expected // stride))
    for action in range(n_actions):
        own = expected[expected // stride == action].tolist()
        assert found[scratch.starts[action] : scratch.starts[action + 1]].tolist() == own
    for action in range(n_actions):
        count = match_action(agent_of(engine), state, action)
        assert scratch.members[:count].tolist() == expected[expected // stride == action].tolist()


@given(**shapes, removals=st.integers(1, 100))
@quick(30)
def test_a_removed_rule_matches_no_more(seed, n_features, n_actions, largest, removals):
    engine, places, state = random_population(seed, n_features, n_actions, largest)
    agent = agent_of(engine)
    for _ in range(min(removals, len(places) - 1)):
        delete_one(agent)
    expected = brute_force(engine, engine.places(), state)
    match_all(agent, state)
    scratch = engine.state.arrays.scratch
    assert scratch.members[: scratch.starts[-1]].tolist() == expected.tolist()


@given(**shapes)
@quick(30)
def test_the_prediction_array_is_the_fitness_weighted_mean(seed, n_features, n_actions, largest):
    engine, places, state = random_population(seed, n_features, n_actions, largest)
    stride = int(engine.state.arrays.params["stride"][0])
    matching = brute_force(engine, places, state)
    rules = engine.state.arrays.population.rules
    expected = []
    for action in range(n_actions):
        own = matching[matching // stride == action]
        payoff, fitness = rules["prediction"][own], rules["fitness"][own]
        if len(own) == 0:
            expected.append(np.nan)
        elif fitness.sum() > 0:
            expected.append((payoff * fitness).sum() / fitness.sum())
        else:
            expected.append(payoff.mean())
    system = engine.predict(state[None].astype(np.float64))[0]
    np.testing.assert_allclose(system, expected, rtol=1e-9, atol=1e-9)


@given(**shapes, rows=st.sampled_from([1, 128, 129, 512, 700]))
@quick(30)
def test_a_batch_is_predicted_row_by_row_to_the_last_bit(
    seed, n_features, n_actions, largest, rows
):
    engine, _, state = random_population(seed, n_features, n_actions, largest)
    rng = np.random.default_rng(seed)
    states = random_values(rng, (rows, n_features))
    near = rng.random((rows, n_features)) < rng.random((rows, 1))
    states = np.where(near, state, states).astype(np.float64)  # many rules contain the state
    system = engine.predict(states)
    for row in rng.integers(0, rows, 10):
        match_all(agent_of(engine), states[row].astype(np.float32))
        build_prediction_array(agent_of(engine), states[row].astype(np.float32))
        np.testing.assert_array_equal(system[row], engine.state.arrays.scratch.values)
        np.testing.assert_array_equal(system[row], engine.predict(states[row : row + 1])[0])


@pytest.mark.parametrize("corner", [0.0, 1.0], ids=["zero", "one"])
@pytest.mark.parametrize("n_features", [1, 17], ids=["dense", "beyond-dense"])
def test_a_point_box_in_a_corner_matches_this_corner_only(corner, n_features):
    engine = make_engine(n_features, 1)
    box = np.full((1, n_features), corner)
    plant(engine, box, box, [0])
    state = np.full(n_features, corner, np.float32)
    assert match_all(agent_of(engine), state) == 1
    state[-1] = np.nextafter(np.float32(corner), np.float32(0.5))
    assert match_all(agent_of(engine), state) == 0
