"""Dictionaries become rows; ranges grow as values come."""

import math
from decimal import Decimal

import numpy as np
import pytest

from ruleplay.errors import ConfigError
from ruleplay.learners.stream.features import Features, Range, widen_bounds
from ruleplay.rules import Feature


def learned(*examples, grace_period=1):
    features = Features(grace_period)
    for x in examples:
        features.learn(x)
    return features


def test_a_feature_gets_a_column_once_it_was_there_often_enough():
    features = Features(3)
    assert features.learn({"a": 1.0}) == []
    assert features.learn({"a": 2.0, "b": 0.0}) == []
    assert features.learn({"a": 4.0}) == [4.0]
    assert features.names == ["a"]
    assert features.low == pytest.approx([0.7])
    assert features.high == pytest.approx([4.3])


def test_columns_that_come_together_stand_in_an_order_of_their_own():
    assert learned({"b": 1, "a": 2, 10: 3}).names == learned({10: 3, "a": 2, "b": 1}).names


def test_growth_is_told():
    features = learned({"a": 0.0}, {"a": 1.0})
    features.grown = False
    features.learn({"a": 0.5})
    assert not features.grown
    features.learn({"a": 3.0})
    assert features.grown
    assert features.high[0] > 3.0
    features.grown = False
    features.learn({"a": 0.5, "b": 1})
    assert features.grown


@pytest.mark.parametrize(
    ("value", "number"),
    [(3, 3.0), (True, 1.0), (np.bool_(True), 1.0), (np.float32(0.5), 0.5), (Decimal("1.5"), 1.5)],
    ids=["int", "bool", "numpy-bool", "numpy-float", "decimal"],
)
def test_numbers_of_all_kinds_are_numbers(value, number):
    assert learned({"a": 0.0}).row({"a": value}) == [number]


def test_words_get_running_codes_per_feature():
    features = learned({"a": "red", "b": "x"}, {"a": "green", "b": "red"})
    assert features.row({"a": "red", "b": "red"}) == [0.0, 1.0]
    assert features.row({"a": "green", "b": "x"}) == [1.0, 0.0]


@pytest.mark.parametrize(
    "x",
    [
        {},
        {"a": None},
        {"a": math.nan},
        {"a": math.inf},
        {"a": -1e200},
        {"a": 10**400},
        {"a": "met?"},
    ],
    ids=["absent", "none", "nan", "infinite", "huge", "huge-integer", "unknown-word"],
)
def test_what_is_missing_is_nan_and_filled_with_the_mean(x):
    features = learned({"a": 1.0}, {"a": 2.0}, {"a": 3.0})
    mean = features.means[0]
    row = features.row(x)
    assert math.isnan(row[0])
    assert features.filled(row) == [mean]
    assert 1.0 < mean < 3.0


def test_looking_changes_nothing():
    features = learned({"a": "red"})
    features.grown = False
    features.row({"a": "blue", "c": 1.0})
    assert math.isnan(features.row({"a": "blue"})[0])
    assert features.names == ["a"]
    assert not features.grown


def test_a_value_that_cannot_be_looked_up_is_refused():
    with pytest.raises(ConfigError, match="feature 'a' must be a number or hashable, got list"):
        learned({"a": [1]})


@pytest.mark.parametrize(
    ("low", "high"),
    [(5.0, 5.0), (0.0, 0.0), (-1e99, 1e99), (0.0, 1e-299), (1e20, 1e20)],
    ids=["constant", "zero", "wide", "tiny", "large-constant"],
)
def test_bounds_have_room_whatever_was_seen(low, high):
    lower, upper = Range(2, low, high).bounds()
    assert lower < low
    assert upper > high
    assert 1e-300 < upper - lower < 1e300


@pytest.mark.parametrize("value", [1.01, 3.0, -0.2, -2.5])
def test_widened_bounds_contain_the_value_with_room(value):
    low, high = widen_bounds(0.0, 1.0, value)
    assert low < value < high
    assert low <= 0.0
    assert high >= 1.0


@pytest.mark.parametrize("value", [1e9, -1e9])
def test_one_outlier_widens_bounds_four_times_at_most(value):
    low, high = widen_bounds(0.0, 1.0, value)
    assert high - low == pytest.approx(4.0)


def test_words_are_categories_of_the_feature():
    features = learned({"a": "red", "b": 1.0}, {"a": "green", "b": 2.0}, {"a": math.nan})
    assert features.described()[0] == Feature.of_categories("a", ("red", "green"))
    assert features.described()[1].categories == ()


@pytest.mark.parametrize(
    "values",
    [("red", 1.0), (1.0, "red"), ("red", np.float64(1.0))],
    ids=["word-first", "number-first", "numpy"],
)
def test_a_feature_of_words_and_numbers_is_read_as_numbers(values):
    features = learned(*({"a": value} for value in values))
    assert features.described()[0].categories == ()


def test_names_that_look_alike_are_numbered():
    assert [f.name for f in learned({1: 0.0, "1": 1.0}).described()] == ["x0", "x1"]
