"""Rules are read in the user's units, without what does not matter."""

import csv
import io
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from ruleplay.config import XCSConfig
from ruleplay.rules import (
    Feature,
    RuleSet,
    fixed,
    rules_records,
    rules_table,
    rules_text,
    value_digits,
)
from ruleplay.rules.wording import phrase, rule_sentence

pytestmark = pytest.mark.interpreted

NAMES = {"feature_names": ["speed", "angle"], "action_names": ["stop", "go"]}


@dataclass
class Population:
    """Three rules over speed in [0, 100] and angle in [-1, 1]."""

    config: XCSConfig = field(default_factory=XCSConfig)
    about: dict[str, Any] = field(default_factory=lambda: dict(NAMES))
    weights: Any = None
    low: Any = field(default_factory=lambda: np.array([0.0, -1.0]))
    high: Any = field(default_factory=lambda: np.array([100.0, 1.0]))
    n_actions: int = 2

    def export(self) -> dict[str, Any]:
        parts: dict[str, Any] = {
            "lower": np.array([[0.0, 0.25], [0.5, 0.0], [0.0, 0.0]], np.float32),
            "upper": np.array([[1.0, 0.75], [1.0, 0.5], [1.0, 1.0]], np.float32),
            "action": np.array([0, 1, 1]),
            "prediction": np.array([998.12, -1e-12, 500.0]),
            "error": np.array([3.21, 0.0, 499.0]),
            "fitness": np.array([0.2, 0.9, 0.001]),
            "numerosity": np.array([12, 4, 2]),
            "experience": np.array([1840, 77, 9000]),
            "volume": np.array([0.5, 0.25, 1.0]),
            "set_size": np.ones(3),
            "time_stamp": np.zeros(3, int),
        }
        if self.weights is not None:
            parts["weights"] = np.array(self.weights)
        return parts


def test_bounds_are_in_the_users_units():
    table = rules_table(Population()).set_index("experience")
    assert table.loc[1840, ["lower_angle", "upper_angle"]].tolist() == [-0.5, 0.5]
    assert table.loc[77, ["lower_speed", "upper_speed"]].tolist() == [50.0, 100.0]


def test_rules_come_by_fitness_times_numerosity():
    assert rules_table(Population())["experience"].tolist() == [77, 1840, 9000]


def test_table_has_the_promised_columns():
    assert list(rules_table(Population())) == [
        "lower_speed",
        "upper_speed",
        "lower_angle",
        "upper_angle",
        "action",
        "prediction",
        "error",
        "fitness",
        "numerosity",
        "experience",
        "generality",
    ]


def test_text_leaves_out_what_does_not_matter():
    assert rules_text(Population()).splitlines() == [
        "IF speed ≥ 50 AND angle ≤ 0.00 THEN go (value 0.0, error 0.0, seen 77 times)",
        "IF -0.50 ≤ angle ≤ 0.50 THEN stop (value 998.1, error 3.2, seen 1840 times)",
        "IF anything THEN go (value 500.0, error 499.0, seen 9000 times)",
    ]


def test_text_shows_as_many_rules_as_asked_for():
    assert len(rules_text(Population(), top=1).splitlines()) == 1


def test_records_hold_only_the_features_that_matter():
    conditions = [record["condition"] for record in rules_records(Population())]
    assert conditions == [
        {"speed": [50.0, 100.0], "angle": [-1.0, 0.0]},
        {"angle": [-0.5, 0.5]},
        {},
    ]


LINEAR = XCSConfig(prediction="linear")


def test_linear_model_is_shown_in_the_users_units():
    weights = [[1.0, 10.0, -4.0]] * 3  # of scaled features
    row = rules_table(Population(config=LINEAR, weights=weights)).set_index("experience").loc[1840]
    at = row["intercept"] + row["slope_speed"] * 50.0 + row["slope_angle"] * 0.0
    assert row["prediction"] == pytest.approx(1.0 + 10.0 * 0.5 - 4.0 * 0.5)
    assert at == pytest.approx(row["prediction"])


def test_linear_prediction_respects_its_limit():
    config = XCSConfig(prediction="linear", prediction_limit=20.0)
    table = rules_table(Population(config=config, weights=[[1000.0, 0.0, 0.0]] * 3))
    assert table["prediction"].tolist() == [20.0] * 3


def test_linear_text_says_where_the_prediction_holds():
    assert "value 1.0 at the centre" in rules_text(
        Population(config=LINEAR, weights=[[1.0, 0.0, 0.0]] * 3)
    )


@pytest.mark.parametrize(
    "about",
    [
        {},
        {"feature_names": ["one"], "action_names": "ab"},
        {"feature_names": ["same", "same"], "action_names": [1, 2]},
        {"feature_names": ["", "x"], "action_names": ["", "b"]},
    ],
    ids=["none", "too-few", "not-distinct", "empty"],
)
def test_names_that_do_not_fit_are_replaced(about):
    rules = RuleSet.of(Population(about=about))
    assert (rules.feature_names, rules.outcome_names) == (("x0", "x1"), ("0", "1"))


def test_reading_changes_nothing():
    population = Population()
    before = population.export()
    rules_table(population)
    for name, array in population.export().items():
        np.testing.assert_array_equal(array, before[name])


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(-1e-9, 1, "0.0"), (998.06, 1, "998.1"), (1234.5, 0, "1234")],
    ids=["no-negative-zero", "rounded", "whole"],
)
def test_numbers_have_fixed_decimals(value, digits, text):
    assert fixed(value, digits) == text


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        ((0.5, 1.49), "row = 1"),
        ((0.2, 2.9), "1 ≤ row ≤ 2"),
        ((0.0, 1.7), "row ≤ 1"),
        ((2.0, 3.0), "row ≥ 2"),
        ((0.0, 3.0), ""),
        ((1.2, 1.8), "row between whole numbers"),
    ],
    ids=["one", "several", "from-first", "to-last", "all", "none"],
)
def test_whole_numbers_read_as_such(bounds, text):
    assert phrase(Feature("row", 0.0, 3.0, whole=True), *bounds) == text


@pytest.mark.parametrize(
    ("about", "whole"),
    [
        ({}, (False, False)),
        ({"whole_features": [True, False]}, (True, False)),
        ({"whole_features": [True]}, (False, False)),
        ({"whole_features": [1, True]}, (False, False)),
        ({"whole_features": "no"}, (False, False)),
    ],
    ids=["unknown", "stated", "too-few", "no-flags", "no-list"],
)
def test_what_a_model_says_about_whole_numbers(about, whole):
    features = RuleSet.of(Population(about=about)).features
    assert tuple(feature.whole for feature in features) == whole


def test_whole_numbers_are_in_sentences():
    text = rules_text(Population(about={**NAMES, "whole_features": [True, False]}))
    assert text.startswith("IF speed ≥ 50 AND angle ≤ 0.00 THEN go")


@pytest.mark.parametrize(
    ("threshold", "scale", "digits"),
    [(10.0, 1.0, 1), (0.01, 1.0, 2), (0.01, 1e-3, 4), (1e6, 1.0, 0), (10.0, 0.0, 1)],
    ids=["threshold", "size", "small-payoffs", "coarse", "all-zero"],
)
def test_values_have_the_decimals_that_matter(threshold, scale, digits):
    population = Population(
        config=replace(LINEAR, error_threshold=threshold), weights=[[998.0 * scale, 0.0, 0.0]] * 3
    )
    assert value_digits(RuleSet.of(population)) == digits


def test_a_rule_seen_once_is_seen_one_time():
    record = {"if": "anything", "then": "go", "prediction": 1.0, "error": 0.0, "experience": 1}
    assert rule_sentence(record, 1) == "IF anything THEN go (value 1.0, error 0.0, seen 1 time)"


ODD = {"feature_names": ["sky\nred", "\x1b[31m"], "action_names": ["New\xa0York", "=1+1"]}


def test_odd_names_stay_and_are_shown_harmless():
    population = Population(about=ODD)
    rules = RuleSet.of(population)
    assert rules.feature_names == ("sky\nred", "\x1b[31m")
    assert rules.outcome_names == ("New\xa0York", "=1+1")
    assert "sky\nred" in rules_records(population)[0]["condition"]
    lines = rules_text(population).split("\n")
    assert len(lines) == 3
    assert all(line.startswith("IF ") for line in lines)
    assert r"sky\nred" in "".join(lines)
    assert "\x1b" not in "".join(lines)
    assert "THEN New\xa0York" in "".join(lines)


def test_a_name_is_no_formula_in_a_spreadsheet():
    lines = io.StringIO(RuleSet.of(Population(about=ODD)).to_csv())
    cells = [row["action"] for row in csv.DictReader(lines)]
    assert set(cells) == {"New\xa0York", "'=1+1"}
