"""A wider engine holds the same rules: it predicts what the narrow one did."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import make_engine, quick, train
from ruleplay.config import ReplayConfig
from ruleplay.engine.widening import widened
from ruleplay.errors import ConfigError

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

REPLAY = ReplayConfig(capacity=20, batch_size=2, warmup=0)
KINDS = {
    "unordered": {},
    "center-spread": {"condition": "center_spread"},
    "linear": {"prediction": "linear", "rls_initial_gain": 100.0},
    "linear-center-spread": {
        "prediction": "linear",
        "rls_initial_gain": 100.0,
        "condition": "center_spread",
    },
}


@pytest.fixture(params=KINDS.values(), ids=KINDS)
def engine(request):
    return train(make_engine(2, 2, replay=REPLAY, cover_spread=1.0, **request.param), 120)


def grid(low, high, n_features):
    """Return rows within and beyond bounds, off the edges of boxes with probability one."""
    return np.random.default_rng(9).uniform(low, high, (300, n_features))


def test_the_same_room_changes_no_bit(engine):
    wide = widened(engine, 2, engine.low, engine.high)
    wide.check()
    rows = grid(-0.5, 1.5, 2)
    assert np.array_equal(wide.predict(rows), engine.predict(rows), equal_nan=True)
    for one in (engine, wide):
        train(one, 60, seed=4)
    assert np.array_equal(wide.predict(rows), engine.predict(rows), equal_nan=True)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_experiences_go_along_before_there_are_rules(kind):
    replay = ReplayConfig(capacity=20, batch_size=2, warmup=10)
    engine = make_engine(1, 2, replay=replay, **kind)
    engine.remember_batch([[0.5]] * 5, [0] * 5, range(5))
    wide = widened(engine, 2, [-1.0, 0.0], [1.0, 1.0])
    wide.check()
    assert wide.macroclassifiers == 0
    assert wide.state.memory[2][:5].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert wide.state.memory[0][:5, 0].tolist() == [0.75] * 5


def test_more_actions_leave_the_others_as_they_were(engine):
    wide = widened(engine, 4, engine.low, engine.high)
    wide.check()
    rows = grid(0, 1, 2)
    assert np.array_equal(wide.predict(rows)[:, :2], engine.predict(rows), equal_nan=True)
    assert np.isnan(wide.predict(rows)[:, 2:]).all()
    train(wide, 60).check()
    assert (wide.state.arrays.population.counts[2:] > 0).all()


def test_new_features_do_not_matter_to_old_rules(engine):
    wide = widened(engine, 2, [0, 0, -3], [1, 1, 5])
    wide.check()
    rows = np.column_stack([grid(0, 1, 2), np.linspace(-5, 7, 300)])
    assert np.allclose(wide.predict(rows), engine.predict(rows[:, :2]), equal_nan=True)
    train(wide, 60).check()


def test_wider_bounds_keep_every_rule_where_it_was(engine):
    wide = widened(engine, 2, [-2, 0], [1.7, 9])
    wide.check()
    rows = grid(0, 1, 2)
    assert np.allclose(wide.predict(rows), engine.predict(rows), atol=0.01, equal_nan=True)
    train(wide, 60).check()


def test_intervals_open_before_are_open_after():
    engine = train(make_engine(2, cover_spread=1.0, condition="center_spread"), 120)
    wide = widened(engine, 2, [-2, 0], [1.7, 9])
    far = np.array([[-2.0, 9.0], [1.7, 9.0], [-2.0, 0.0], [40.0, -40.0]])
    assert np.allclose(wide.predict(far), engine.predict(far), equal_nan=True)


def test_stored_experiences_move_with_the_scale():
    engine = train(make_engine(2, replay=REPLAY), 50)
    wide = widened(engine, 3, [-1, -1, 0], [3, 1, 2])
    states, moved = engine.state.memory[0], wide.state.memory[0]
    assert np.allclose(moved[:, 0], (states[:, 0] + 1) / 4)
    assert np.allclose(moved[:, 1], (states[:, 1] + 1) / 2)
    assert (moved[:, 2] == 0.5).all()
    for k in (1, 2, 4, 5):
        assert np.array_equal(wide.state.memory[k], engine.state.memory[k])


def test_a_stored_experience_lacks_a_new_feature_if_values_may_be_missing():
    engine = train(make_engine(1, replay=REPLAY, missing_values="match"), 50)
    wide = widened(engine, 2, [0, 0], [1, 1])
    assert np.isnan(wide.state.memory[0][:, 1]).all()
    wide.check()


@given(seed=st.integers(0, 99), factor=st.sampled_from([1e3, 1e6, 1e12, 1e30]))
@quick(15)
def test_rules_that_a_coarse_scale_makes_equal_are_merged(seed, factor):
    engine = train(make_engine(2, replay=REPLAY, seed=seed), 80)
    wide = widened(engine, 2, [-factor, 0], [factor, factor])
    wide.check()
    assert wide.microclassifiers == engine.microclassifiers
    assert wide.macroclassifiers <= engine.macroclassifiers
    train(wide, 30).check()


def test_room_is_never_taken_away():
    engine = make_engine(2, 2)
    with pytest.raises(ConfigError, match="must be at least 2 and 2, got 1 and 2"):
        widened(engine, 1, [0, 0], [1, 1])
    with pytest.raises(ConfigError, match="must be at least 2 and 2, got 2 and 1"):
        widened(engine, 2, [0], [1])
    with pytest.raises(ConfigError, match="must not move inwards"):
        widened(engine, 2, [0, 0.1], [1, 1])
