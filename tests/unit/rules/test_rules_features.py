"""Features know their values: numbers, whole numbers, categories, and missing ones."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.rules import Feature, RuleSet
from ruleplay.rules.features import plain_label
from ruleplay.rules.thresholds import tidied
from ruleplay.rules.wording import set_phrase
from unit.rules.rule_samples import INF, rule, rule_set

pytestmark = pytest.mark.interpreted

SIZE = Feature.of_categories("size", ("small", "large", "huge"))
WEIGHT = Feature("weight", 0.0, 10.0)


def sized(*bounds, **changes):
    """Return rules about sizes, their bounds given as places."""
    rules = [rule(speed=pair, action=1, prediction=1.0) for pair in bounds]
    return rule_set(*rules, features=(SIZE, WEIGHT), missing_values="match", **changes)


@pytest.mark.parametrize(
    ("feature", "value", "number"),
    [(SIZE, "large", 1.0), (SIZE, "tiny", math.nan), (SIZE, None, math.nan), (WEIGHT, 3, 3.0)],
    ids=["category", "unknown", "missing", "number"],
)
def test_a_value_is_a_number_to_rules(feature, value, number):
    np.testing.assert_equal(feature.number(value), number)


@pytest.mark.parametrize(
    ("feature", "number", "value", "words"),
    [
        (SIZE, 2.0, "huge", "huge"),
        (SIZE, 99.0, "huge", "huge"),
        (SIZE, math.nan, None, "missing"),
        (WEIGHT, 2.5, 2.5, "2.5"),
    ],
    ids=["category", "beyond", "missing", "number"],
)
def test_a_number_is_a_value_to_people(feature, number, value, words):
    assert feature.value(number) == value
    assert feature.say(number) == words


def test_typed_categories_are_names():
    assert SIZE.read("large") == 1.0
    assert math.isnan(SIZE.read("?"))
    with pytest.raises(
        ConfigError, match=r"size must be one of small, large, huge, or \?, got '1'"
    ):
        SIZE.read("1")


@pytest.mark.parametrize(
    ("bounds", "places", "words"),
    [
        ((0.5, 1.5), (1.0, 1.0), "size in {large}"),
        ((-INF, 1.0), (-INF, 1.0), "size in {small, large}"),
        ((0.2, 9.0), (1.0, INF), "size in {large, huge}"),
        ((0.0, 2.0), (-INF, INF), "anything"),
        ((1.2, 1.8), (1.0, 0.0), "size in {}"),
        ((2.5, INF), (1.0, 0.0), "size in {}"),
    ],
    ids=["one", "first", "last", "all", "between", "beyond"],
)
def test_bounds_of_categories_are_the_places_inside(bounds, places, words):
    rules = sized(bounds)
    assert (rules.lower[0, 0], rules.upper[0, 0]) == places
    assert rules.records()[0]["if"] == words
    inside = rules.matches([[k, 0.0] for k in (0.0, 1.0, 2.0, math.nan)])[:, 0].tolist()
    members = rules.table()["in_size"][0]
    assert inside == [*(category in members for category in SIZE.categories), True]
    assert rules.table()["generality"][0] == pytest.approx(len(members) / 3)


def test_what_is_not_allowed_is_named_if_that_is_much_shorter():
    letters, many = Feature.of_categories("x", "abcdef"), Feature.of_categories("x", range(21))
    cases = [
        (letters, "abcde", "x not in {f}"),
        (letters, "abcd", "x in {a, b, c, d}"),
        (SIZE, ("small", "huge"), "size in {small, huge}"),
        (many, range(11), "x not in {11, 12, 13, 14, 15, 16, 17, 18, 19, 20}"),
        (many, range(10), "x in {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}"),
        (letters, "", "x in {}"),
        (letters, "abcdef", ""),
    ]
    for feature, members, words in cases:
        assert set_phrase(feature, tuple(members)) == words


def test_any_set_of_categories_is_allowed():
    rules = sized((-INF, INF), (-INF, INF), allowed=np.array([[True, False, True], [False] * 3]))
    assert [record["if"] for record in rules.records()] == ["size in {small, huge}", "size in {}"]
    inside = rules.matches([[k, 0.0] for k in (0.0, 1.0, 2.0, math.nan)])
    np.testing.assert_array_equal(inside, [[1, 0], [0, 0], [1, 0], [1, 1]])
    assert rules.members(0, 0) == ("small", "huge")
    assert rules.limits(0, 0)
    assert not rules.limits(0, 1)
    again = RuleSet.from_json(rules.to_json())
    np.testing.assert_array_equal(again.allowed, rules.allowed)
    space = {}
    exec(rules.to_python(), space)
    wanted = [rules.labels[action] for action in rules.actions(rules.encode([["large", 1.0]]))]
    assert [space["decide"](["large", 1.0])] == wanted


def test_rows_are_encoded_by_position_or_name():
    rules = sized((0.0, 1.0))
    rows = [["huge", 1.0], ["tiny", None]]
    expected = [[2.0, 1.0], [math.nan, math.nan]]
    np.testing.assert_array_equal(rules.encode(rows), expected)
    frame = pd.DataFrame(rows, columns=["size", "weight"]).assign(more=1)[
        ["more", "weight", "size"]
    ]
    np.testing.assert_array_equal(rules.encode(frame), expected)
    with pytest.raises(ConfigError, match=r"rows must have shape \(rows, 2\), got \(1, 3\)"):
        rules.encode([["huge", 1.0, 2.0]])


@pytest.mark.parametrize(
    ("value", "plain"),
    [(np.int64(3), 3), (np.str_("a"), "a"), (True, True), (math.inf, "inf"), (1 + 2j, "(1+2j)")],
    ids=["numpy", "numpy-text", "truth", "infinity", "other"],
)
def test_labels_become_plain(value, plain):
    assert plain_label(value) == plain
    assert type(plain_label(value)) is type(plain)


def test_shown_bounds_have_no_more_decimals_than_states_tell_apart():
    low, high = np.array([0.0]), np.array([100.0])
    shown = tidied(np.array([[49.9999985], [33.3333347], [0.0], [100.0]]), low, high)
    assert shown[:, 0].tolist() == [50.0, 33.33333, 0.0, 100.0]


def test_a_rule_that_predicts_little_speaks_against_its_class():
    rules = rule_set(rule(prediction=10.0), rule(action=1, prediction=900.0), against_below=500.0)
    assert [record["then"] for record in rules.records()] == ["not stop", "go"]
    assert [record["action"] for record in rules.records()] == ["stop", "go"]
    listed = rules.take([0, 1], ordered=True)
    assert [record["then"] for record in listed.records()] == ["stop", "go"]


def changed(**parts):
    document = json.loads(sized((1.0, 1.0), against_below=500.0).to_json())
    return json.dumps(document | parts)


def test_a_file_with_categories_can_be_read():
    assert RuleSet.from_json(changed()).records()[0]["if"] == "size in {large}"


NAMED = {"name": "size", "categories": ["small", "large", "huge"]}
NUMBER = {"name": "weight", "low": 0.0, "high": 1.0, "whole": False}
RULE = {"then": "go", "prediction": 1, "error": 1, "fitness": 1, "numerosity": 1, "experience": 1}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"features": [NAMED | {"categories": []}, NUMBER]}, "the categories of 'size' must be"),
        ({"features": [NAMED | {"categories": ["a", "a"]}, NUMBER]}, "must be different texts"),
        ({"features": [NAMED | {"categories": [None]}, NUMBER]}, "texts, numbers or truth values"),
        ({"classes": ["stop"]}, "classes must be 2, one for each action"),
        ({"classes": None}, "against_below must be given with classes, and only with them"),
        ({"against_below": "low"}, "against_below must be a number"),
        ({"scaling": [[0.0], [1.0]]}, "scaling must be two times 2 numbers"),
        ({"scaling": [[0.0, 0.0]]}, "rules:"),
        ({"rules": [{"if": {"size": [0, 1]}, **RULE}]}, "'size' must be {\"in\""),
        ({"rules": [{"if": {"size": {"in": ["tiny"]}}, **RULE}]}, "of its categories"),
    ],
    ids=str,
)
def test_odd_categories_and_classes_are_refused_in_a_sentence(parts, message):
    with pytest.raises(ModelFileError, match=message):
        RuleSet.from_json(changed(**parts))
