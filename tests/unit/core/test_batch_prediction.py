"""Predictions in tiles are, to the last bit, what each row's match set gives."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import INTERPRETED, agent_of, make_engine, plant, quick, train
from ruleplay.core.batch import FEW, TILE
from ruleplay.core.matching import match_all
from ruleplay.core.prediction_array import build_prediction_array
from ruleplay.errors import ConfigError

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.filterwarnings("ignore:overflow"),
    pytest.mark.filterwarnings("ignore:invalid value"),
]

EDGES = np.array([0, 1, 1 / 255, 0.5, 128 / 255, 254 / 255, 1 - 2**-24], np.float32)
ROWS = [1, 3, FEW + 5] if INTERPRETED else [1, FEW, FEW + 1, TILE, TILE + 1, 2 * TILE + 70]


def row_by_row(engine, rows):
    """Predict as an acting agent does: match set, then prediction array."""
    agent, values = agent_of(engine), engine.state.arrays.scratch.values
    out = np.empty((len(rows), engine.n_actions))
    for k, state in enumerate(rows.astype(np.float32)):
        match_all(agent, state)
        build_prediction_array(agent, state)
        out[k] = values
    return out


def same_bits(one, other):
    """Tell whether numbers are equal to the last bit; any NaN is as good as another."""
    one, other = (np.where(np.isnan(values), np.nan, values) for values in (one, other))
    return one.tobytes() == other.tobytes()


def random_values(rng, shape):
    """Draw ordinary numbers and values at which rounding to bytes goes wrong, if it does."""
    ordinary = rng.random(shape).astype(np.float32)
    return np.where(rng.random(shape) < 0.3, rng.choice(EDGES, shape), ordinary)


def random_engine(rng, n_features, n_actions, n_rules):
    """Plant wide random boxes, a third of them without fitness."""
    corners = random_values(rng, (2, n_rules, n_features))
    open_side = rng.random(corners.shape) < 1 - 1 / n_features
    lower = np.where(open_side[0], 0, corners.min(axis=0))
    upper = np.where(open_side[1], 1, corners.max(axis=0))
    engine = make_engine(
        n_features, n_actions, population_size=max(2 * n_rules, 9), missing_values="match"
    )
    plant(
        engine,
        lower,
        upper,
        np.sort(rng.integers(0, n_actions, n_rules)),
        prediction=rng.normal(0, 100, n_rules),
        fitness=np.where(rng.random(n_rules) < 0.3, 0.0, rng.random(n_rules)),
    )
    return engine


@given(
    seed=st.integers(0, 2**32),
    n_features=st.sampled_from([1, 2, 6, 15, 16, 17, 33, 64]),
    n_actions=st.integers(1, 4),
    n_rules=st.sampled_from([1, 9, 64, 200]),
    n_rows=st.sampled_from(ROWS),
)
@quick(40)
def test_a_batch_has_the_bits_of_its_rows(seed, n_features, n_actions, n_rules, n_rows):
    rng = np.random.default_rng(seed)
    engine = random_engine(rng, n_features, n_actions, 9 if INTERPRETED else n_rules)
    rows = random_values(rng, (n_rows, n_features)).astype(float)
    gaps = rng.random(rows.shape) < rng.choice([0.0, 0.1])
    rows[gaps] = np.nan
    assert same_bits(engine.predict(rows), row_by_row(engine, rows))


@pytest.mark.parametrize("prediction", ["scalar", "linear"])
def test_a_trained_engine_predicts_a_batch_as_row_by_row(prediction):
    engine = train(make_engine(4, 3, prediction=prediction), 300)
    rows = np.random.default_rng(5).random((ROWS[-1], 4))
    batch = engine.predict(rows)
    assert same_bits(batch, row_by_row(engine, rows))
    assert same_bits(batch[:2], engine.predict(rows[:2]))


def test_predicting_changes_nothing():
    engine = train(make_engine(3, 2), 200)
    before = [
        array.copy()
        for part in (engine.state.arrays.population, engine.state.arrays.nursery)
        for array in part
    ]
    engine.predict(np.random.default_rng(0).random((FEW + 9, 3)))
    after = [
        array
        for part in (engine.state.arrays.population, engine.state.arrays.nursery)
        for array in part
    ]
    assert [array.tobytes() for array in before] == [array.tobytes() for array in after]


def test_no_rows_give_no_predictions():
    assert make_engine(3, 2).predict(np.empty((0, 3))).shape == (0, 2)


def test_rows_without_a_rule_are_not_a_number():
    engine = make_engine(2, 2)
    plant(engine, [[0.0, 0.0]], [[0.5, 0.5]], [1], prediction=7.0, fitness=0.5)
    for n_rows in (1, FEW + 1):
        values = engine.predict(np.tile([[0.25, 0.25]], (n_rows, 1)))
        assert np.isnan(values[:, 0]).all()
        assert (values[:, 1] == 7.0).all()
        assert np.isnan(engine.predict(np.full((n_rows, 2), 0.75))).all()


@pytest.mark.parametrize("n_rows", [5, FEW + 5])
def test_a_row_that_is_not_finite_is_refused(n_rows):
    rows = np.zeros((n_rows, 2))
    rows[3, 1] = np.nan
    with pytest.raises(ConfigError, match=r"observation\[1\] must be finite, got nan"):
        make_engine(2, 2).predict(rows)


def test_threads_predict_at_the_same_time():
    engine = train(make_engine(4, 2), 300)
    parts = [np.random.default_rng(seed).random((FEW * (seed % 2) + 3, 4)) for seed in range(40)]
    expected = [engine.predict(part) for part in parts]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(engine.predict, parts))
    assert all(same_bits(one, other) for one, other in zip(found, expected, strict=True))
