"""Sets of rules vote or decide in order, can be read, and cannot be changed."""

from pathlib import Path

import numpy as np
import pytest

from ruleplay.config import XCSConfig
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.rules import RuleSet, explain
from unit.rules.rule_samples import INF, grid, rule, rule_set, slow_down

pytestmark = pytest.mark.interpreted


def test_votes_count_by_fitness():
    rules = rule_set(
        rule(action=1, prediction=10.0, fitness=0.3), rule(action=1, prediction=20.0, fitness=0.1)
    )
    values = rules.values([[50.0, 0.0]])
    assert values[0, 1] == pytest.approx(12.5)
    assert np.isnan(values[0, 0])


def test_rules_without_fitness_count_alike():
    rules = rule_set(
        rule(action=0, prediction=10.0, fitness=0.0), rule(action=0, prediction=30.0, fitness=0.0)
    )
    assert rules.values([[0.0, 0.0]])[0, 0] == 20.0


def test_bounds_belong_to_a_rule():
    rules = rule_set(rule(speed=(10.0, 20.0)))
    inside = rules.matches([[9.999, 0], [10.0, 0], [20.0, 0], [20.001, 0]])
    assert inside[:, 0].tolist() == [False, True, True, False]


def test_the_action_of_largest_value_is_taken():
    actions = slow_down().actions([[10.0, 0.5], [40.0, 0.5], [40.0, -0.5], [80.0, -0.5]])
    assert actions.tolist() == [1, 0, 1, 0]


def test_the_first_of_equal_actions_is_taken():
    rules = rule_set(rule(action=1, prediction=5.0), rule(action=0, prediction=5.0))
    assert rules.actions([[1.0, 0.0]]).tolist() == [0]


def test_the_default_action_is_taken_where_no_rule_matches():
    rules = rule_set(rule(speed=(50.0, INF)), default_action=1)
    assert rules.actions([[49.0, 0.0], [51.0, 0.0]]).tolist() == [1, 0]


def test_the_first_rule_of_a_list_decides():
    rules = rule_set(
        rule(speed=(50.0, INF), action=0, prediction=1.0),
        rule(angle=(0.0, INF), action=1, prediction=99.0),
        ordered=True,
        default_action=0,
    )
    rows = [[60.0, 0.5], [40.0, 0.5], [40.0, -0.5]]
    assert rules.actions(rows).tolist() == [0, 1, 0]
    np.testing.assert_array_equal(
        rules.values(rows), [[1.0, np.nan], [np.nan, 99.0], [np.nan, np.nan]]
    )


def test_an_empty_list_takes_the_default_action():
    empty = rule_set(ordered=True, default_action=1)
    assert empty.actions(grid(3)).tolist() == [1] * 9
    assert empty.text() == "ALWAYS go"


def test_many_observations_are_the_same_as_few(monkeypatch):
    rules, rows = slow_down(), grid()
    whole = rules.values(rows)
    monkeypatch.setattr("ruleplay.rules.ruleset.BLOCK", 7)
    np.testing.assert_array_equal(rules.values(rows), whole)


def test_a_list_reads_in_its_order():
    rules = rule_set(
        rule(speed=(50.0, INF), action=0, prediction=1.0, fitness=0.1),
        rule(angle=(0.25, 0.75), action=1, prediction=99.0, fitness=0.9),
        ordered=True,
        default_action=1,
    )
    assert rules.text().splitlines() == [
        "IF speed ≥ 50 THEN stop (value 1.0, error 1.0, seen 10 times)",
        "ELSE IF 0.25 ≤ angle ≤ 0.75 THEN go (value 99.0, error 1.0, seen 10 times)",
        "ELSE go",
    ]
    start, *rest = rules.text(top=1).splitlines()
    assert start.startswith("IF speed ≥ 50 THEN stop (")
    assert rest == ["ELSE ... (1 more rule)"]
    assert rules.text(top=2) == rules.text()


def test_the_table_is_in_the_users_units():
    table = slow_down().table()
    assert table.loc[0, ["lower_speed", "upper_speed"]].tolist() == [0.0, 60.0]
    assert table["action"].tolist() == ["go", "stop", "stop", "stop", "stop"]
    assert table.loc[0, "generality"] == pytest.approx(0.6)


def test_csv_has_a_line_per_rule():
    lines = slow_down().to_csv().splitlines()
    assert lines[0].startswith("lower_speed,upper_speed,lower_angle")
    assert len(lines) == 1 + 5


def test_some_rules_can_be_taken():
    rules = slow_down()
    some = rules.take([4, 0])
    assert some.fitness.tolist() == [0.7, 0.9]
    assert (some.features, some.outcomes) == (rules.features, rules.outcomes)


def test_the_strongest_rules_keep_their_order():
    assert slow_down().strongest(2).fitness.tolist() == [0.9, 0.8]


def test_nothing_can_be_changed():
    rules = slow_down()
    with pytest.raises(ValueError, match="read-only"):
        rules.fitness[0] = 1.0
    with pytest.raises(AttributeError):
        rules.ordered = True


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([1.0, 2.0], r"must have shape \(rows, 2\)"),
        ([[1.0, 2.0, 3.0]], r"must have shape \(rows, 2\)"),
        ([[1.0, np.nan]], r"observations\[0, 1\] must be finite, got nan"),
        ([["a", "b"]], "must be an array of numbers"),
    ],
    ids=["one-row", "too-many-features", "missing", "words"],
)
def test_wrong_observations_are_refused(rows, message):
    with pytest.raises(ConfigError, match=message):
        slow_down().values(rows)


@pytest.mark.parametrize(
    ("taken", "default"),
    [(None, 0), ([1, 5, 2], 1), ([1, 5], 0), (["a", 0, 3], 2)],
    ids=["unknown", "agent", "wrong-length", "damaged"],
)
def test_the_default_action_is_what_an_agent_did_most(taken, default):
    about = {} if taken is None else {"actions_taken": taken}
    engine = XCS(XCSConfig(), n_actions=3, low=[0.0], high=[1.0], about=about)
    assert RuleSet.of(engine).default_action == default
    assert RuleSet.of(engine, default_action=2).default_action == 2


def test_a_set_is_taken_as_it_is():
    rules = slow_down()
    assert RuleSet.of(rules) is rules
    assert RuleSet.of(rules, default_action=1).default_action == 1


ODD_COUNTS = [-1, 1.5, float("nan"), True, "2", [2], np.zeros(0)]


@pytest.mark.parametrize("top", ODD_COUNTS, ids=repr)
def test_an_odd_number_of_rules_is_refused(top):
    rules = slow_down()
    for show in (rules.text, rules.strongest, explain(rules, [50.0, 0.0]).text):
        with pytest.raises(ConfigError, match="top must be an integer in"):
            show(top)


@pytest.mark.parametrize(
    "places", [[5], [-1], [0.5], [True, False], ["a"], 0, [[0], [1, 2]], [[0]], None], ids=repr
)
def test_places_without_a_rule_are_refused(places):
    with pytest.raises(ConfigError, match="places must be"):
        slow_down().take(places)


def test_no_places_are_no_rules():
    assert len(slow_down().take([])) == 0


@pytest.mark.parametrize("source", [None, 3, b"{}", ["{}"], {}], ids=repr)
def test_rules_are_read_from_text_or_a_path_only(source):
    with pytest.raises(ConfigError, match="rules must be JSON text or a Path"):
        RuleSet.from_json(source)


def test_a_path_that_no_file_can_have_is_refused():
    with pytest.raises(ModelFileError, match="null"):
        RuleSet.from_json(Path("a\0b"))


def test_a_rule_about_classes_that_is_often_wrong_is_not_strong():
    unsure = rule(prediction=444.0, error=480.0, fitness=0.9, numerosity=4)
    sure = rule(prediction=980.0, error=20.0, fitness=0.1, numerosity=2)
    lost = rule(prediction=500.0, error=600.0, fitness=1.0)
    about_classes = rule_set(unsure, sure, lost, against_below=500.0)
    assert about_classes.strength == pytest.approx([3.6 * 0.04, 0.2 * 0.96, 0.0])
    assert about_classes.order.tolist() == [1, 0, 2]
    assert rule_set(unsure, sure, lost).order.tolist() == [0, 2, 1]
