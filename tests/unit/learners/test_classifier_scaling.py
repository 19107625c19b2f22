"""Features of any scale get bounds that an engine takes."""

import numpy as np
import pytest

from ruleplay.errors import ConfigError
from ruleplay.learners.common.scaling import (
    checked_margin,
    given_bounds,
    observed_bounds,
    with_margin,
)

pytestmark = pytest.mark.interpreted


def test_bounds_are_the_extremes():
    low, high = observed_bounds(np.array([[1.0, -5.0], [3.0, 7.0], [2.0, 0.0]]))
    assert (low.tolist(), high.tolist()) == ([1.0, -5.0], [3.0, 7.0])


@pytest.mark.parametrize("value", [0.0, 5.0, -3.0, 1e20, -1e-300, 1e300])
def test_a_constant_feature_gets_some_room(value):
    low, high = observed_bounds(np.full((4, 1), value))
    assert low[0] == value < high[0]
    assert np.isfinite(1.0 / (high - low)).all()


def test_a_range_too_small_to_invert_counts_as_constant():
    low, high = observed_bounds(np.array([[0.0], [5e-324]]))
    assert (low[0], high[0]) == (0.0, 1.0)


def test_a_range_too_large_for_numbers_is_refused():
    with pytest.raises(ConfigError, match="range of feature 1 must be finite"):
        observed_bounds(np.array([[0.0, -1e308], [1.0, 1.7e308]]))


def test_given_bounds_are_numbers_or_one_per_feature():
    low, high = given_bounds((0, [1, 2, 3]), 3)
    assert (low.tolist(), high.tolist()) == ([0, 0, 0], [1, 2, 3])


@pytest.mark.parametrize(
    "bounds",
    [3, (1,), (0, [1, 2]), ("a", "b"), (0, 0), (1, [2, 2, 0.5]), (0, np.inf), (-1e308, 1e308)],
    ids=["number", "one", "count", "text", "equal", "reversed", "infinite", "too-wide"],
)
def test_bounds_that_make_no_sense_are_refused(bounds):
    with pytest.raises(ConfigError, match="bounds"):
        given_bounds(bounds, 3)


def test_missing_values_do_not_count():
    low, high = observed_bounds(np.array([[np.nan, 2.0], [3.0, np.nan], [1.0, 5.0]]))
    assert (low.tolist(), high.tolist()) == ([1.0, 2.0], [3.0, 5.0])


def test_a_feature_without_any_value_is_refused():
    with pytest.raises(ConfigError, match="feature 1 must have at least one value"):
        observed_bounds(np.array([[1.0, np.nan], [2.0, np.nan]]))


def test_a_margin_is_room_on_both_sides():
    low, high = with_margin((np.array([0.0, 1.0]), np.array([2.0, 5.0])), 0.5)
    assert (low.tolist(), high.tolist()) == ([-1.0, -1.0], [3.0, 7.0])


@pytest.mark.parametrize(("n_features", "margin"), [(1, 0.0), (8, 0.0), (16, 0.5), (64, 3.5)])
def test_the_usual_margin_grows_with_the_features(n_features, margin):
    assert checked_margin("auto", n_features) == margin
    assert checked_margin(2, n_features) == 2.0


@pytest.mark.parametrize("margin", [-0.1, 1001, np.nan, "wide", None, True])
def test_a_margin_that_makes_no_sense_is_refused(margin):
    with pytest.raises(ConfigError, match="margin must"):
        checked_margin(margin, 4)
