"""Rules that people write come in as they wrote them, or are refused in a sentence."""

import contextlib
import json
import math
from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

import ruleplay
from ruleplay.errors import ConfigError
from ruleplay.rules import Feature, Outcome, Rule, RuleSet, read_rules
from ruleplay.rules.by_hand.from_set import set_of_rules
from ruleplay.rules.by_hand.from_tree import largest_on_the_left
from unit.rules.rule_samples import INF, rule, rule_set

pytestmark = pytest.mark.uncompiled

PLAN = ("Basic", "Pro", "Team")
FEATURES = (Feature("age", 0.0, 100.0), Feature.of_categories("plan", PLAN))
CLASSES = (Outcome("stays", "stays"), Outcome("leaves", "leaves"))
WRITTEN = (
    Rule({"age": (40, None), "plan": {"Basic", "Pro"}}, "leaves"),
    Rule({"age": (None, 25.5)}, "stays"),
    Rule("any", "stays"),
)


def test_a_rule_says_what_it_means():
    assert [str(one) for one in WRITTEN] == [
        "IF age ≥ 40 AND plan in {Basic, Pro} THEN leaves",
        "IF age ≤ 25.5 THEN stays",
        "IF anything THEN stays",
    ]
    assert str(Rule({0: (1, 2), "b": (None, None)}, 3)) == "IF 1 ≤ 0 ≤ 2 AND any b THEN 3"


def test_equal_rules_are_equal_and_can_be_copied():
    assert Rule({"a": [1, 2]}, "x") == Rule({"a": (1.0, np.float64(2))}, np.str_("x"))
    assert Rule({"a": {"in": ["u", "v"]}}, 1) == Rule({"a": {"v", "u"}}, np.int64(1))
    assert clone(WRITTEN, safe=False) == WRITTEN == deepcopy(WRITTEN)


def test_plain_values_come_back():
    text = json.dumps([one.plain() for one in WRITTEN])
    assert read_rules(text) == WRITTEN
    assert read_rules(json.loads(text)) == WRITTEN
    assert read_rules({"rules": json.loads(text)}) == WRITTEN
    assert read_rules(list(WRITTEN)) == WRITTEN


def test_files_are_read_by_their_suffix(tmp_path):
    (tmp_path / "rules.json").write_text(json.dumps([one.plain() for one in WRITTEN]))
    assert ruleplay.read_rules(tmp_path / "rules.json") == WRITTEN
    lines = [
        "class,lower_age,upper_age,in_plan",
        'leaves,40,,"[""Basic"", ""Pro""]"',
        "stays,,25.5,",
    ]
    for separator, name in ((",", "rules.csv"), (";", "other.csv")):
        text = "\n".join([*lines, "stays,,,", ",,,", ""])
        text = text.replace(",", separator).replace('""; ""', '"", ""')
        (tmp_path / name).write_text("\ufeff" + text.replace("; ", ", "), encoding="utf-8")
        assert read_rules(str(tmp_path / name)) == WRITTEN


def test_frames_are_read_row_by_row():
    frame = pd.DataFrame(
        {
            "lower_age": [40.0, math.nan, math.nan],
            "upper_age": [math.nan, 25.5, math.nan],
            "in_plan": [("Basic", "Pro"), None, math.nan],
            "class": ["leaves", "stays", "stays"],
            "prediction": [1.0, 2.0, 3.0],
            "origin": ["learned", "by hand", "learned"],
        }
    )
    assert read_rules(frame) == WRITTEN


def sample_set(**changes):
    """Return a set whose names spreadsheets would compute."""
    return RuleSet(
        lower=np.array([[25.0, 0.0], [-INF, 0.0]]),
        upper=np.array([[INF, 2.0], [60.5, 2.0]]),
        allowed=np.array([[True, False, True], [True, True, True]]),
        action=np.array([1, 0]),
        prediction=np.array([900.0, 800.0]),
        error=np.ones(2),
        fitness=np.array([0.5, 0.25]),
        numerosity=np.ones(2, np.int64),
        experience=np.ones(2, np.int64),
        features=(Feature("=age", 0.0, 100.0), Feature.of_categories("plan", PLAN)),
        outcomes=(Outcome("0", 0), Outcome("1", 1)),
        against_below=500.0,
        **changes,
    )


def test_what_a_set_exports_is_read_back(tmp_path):
    rules = sample_set()
    wanted = (
        Rule({"=age": (25, None), "plan": {"Basic", "Team"}}, 1),
        Rule({"=age": (None, 60.5)}, 0),
    )
    assert read_rules(rules) == wanted
    assert read_rules(rules.to_json()) == wanted
    (tmp_path / "rules.csv").write_text(rules.to_csv(), encoding="utf-8")
    for source in (rules.table(), tmp_path / "rules.csv"):
        bound = set_of_rules(read_rules(source), rules.features, rules.outcomes)
        np.testing.assert_array_equal(bound.lower, rules.lower)
        np.testing.assert_array_equal(bound.upper, rules.upper)
        np.testing.assert_array_equal(bound.allowed, rules.allowed)
        np.testing.assert_array_equal(bound.action, rules.action)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("with_names", [True, False])
def test_the_rules_of_a_tree_decide_as_it_does(load, with_names):
    data = load(as_frame=True)
    rows = data.data if with_names else data.data.to_numpy()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(rows, data.target)
    rules = read_rules(tree)
    assert len(rules) == tree.get_n_leaves()
    ends = zip(data.data.min(), data.data.max(), strict=True)
    features = tuple(
        Feature(name, *map(float, end)) for name, end in zip(data.data.columns, ends, strict=True)
    )
    outcomes = tuple(Outcome(str(k), k) for k in tree.classes_)
    bound = set_of_rules(rules, features, outcomes)
    assert (bound.matches(data.data).sum(axis=1) == 1).all()
    np.testing.assert_array_equal(bound.actions(data.data), tree.predict(rows))
    near = data.data.to_numpy()[:, tree.tree_.feature[0]] * 0 + tree.tree_.threshold[0]
    odd = data.data.to_numpy().copy()
    odd[:, tree.tree_.feature[0]] = np.nextafter(
        near, np.where(np.arange(len(near)) % 2, 1e9, -1e9)
    )
    asked = pd.DataFrame(odd, columns=data.data.columns) if with_names else odd
    np.testing.assert_array_equal(bound.actions(odd), tree.predict(asked))


@given(st.floats(-1e30, 1e30))
def test_a_tree_sends_left_what_float32_rounds_to_its_threshold_or_less(threshold):
    last = largest_on_the_left(threshold)
    assert np.float32(last) <= threshold < np.float32(np.nextafter(last, np.inf))


def test_a_tree_must_have_been_fitted_for_one_target():
    with pytest.raises(ConfigError, match="must be fitted"):
        read_rules(DecisionTreeClassifier())
    rows = np.arange(8.0).reshape(4, 2)
    with pytest.raises(ConfigError, match="one output, got 2"):
        read_rules(DecisionTreeClassifier().fit(rows, np.array([[0, 1], [1, 0], [0, 0], [1, 1]])))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{", "not JSON"),
        ("[1]", r"rules\[0\]: must be .*got 1"),
        ("{}", "must have \"rules\""),
        ('{"rules": 3}', "must be a list, got 3"),
        ('[{"then": "a"}]', r"rules\[0\]: 'if' is missing"),
        ('[{"if": {}, "then": "a"}, {"if": {}}]', r"rules\[1\]: 'then' is missing"),
        ('[{"if": {}, "then": "a", "thn": 1}]', "unknown part of a rule: 'thn'; did you mean"),
        ('[{"if": 3, "then": "a"}]', "conditions must be a mapping of features, or 'any', got 3"),
        ('[{"if": {"x": 3}, "then": "a"}]', "feature 'x': a condition must be .*got 3"),
        ('[{"if": {"x": [1]}, "then": "a"}]', "feature 'x': a condition must be"),
        ('[{"if": {"x": ["1", 2]}, "then": "a"}]', "feature 'x': a bound must be a number or None"),
        ('[{"if": {"x": [true, 2]}, "then": "a"}]', "feature 'x': a bound must be a number"),
        ('[{"if": {"x": [NaN, 2]}, "then": "a"}]', "feature 'x': a bound must be a number"),
        ('[{"if": {"x": [3, 2]}, "then": "a"}]', r"feature 'x': .*must not exceed.*got \[3, 2\]"),
        ('[{"if": {"x": {"in": []}}, "then": "a"}]', "feature 'x': .*one category at least"),
        ('[{"if": {"x": {"in": "red"}}, "then": "a"}]', "feature 'x': a condition must be"),
        ('[{"if": {"x": {"in": [[]]}}, "then": "a"}]', "feature 'x': a category must be text"),
        ('[{"if": {"x": {"out": []}}, "then": "a"}]', "feature 'x': a condition must be"),
        ('[{"if": {"": [1, 2]}, "then": "a"}]', "a feature must be a name or a number"),
        ('[{"if": {}, "then": null}]', "the class must be text or a number, got None"),
        ('[{"if": {}, "then": ["a"]}]', "the class must be text or a number"),
        ('[{"if": {"x": [1, 2], "x": [3, 4]}, "then": "a"}]', "'x' must stand once only"),
        (3, "rules must be a list, got 3"),
        (None, "rules must be a list, got None"),
        ([Rule({}, 1), 2], r"rules\[1\]: must be"),
        ("nowhere/rules.json", "nowhere/rules.json: No such file"),
        (pd.DataFrame({"lower_x": [1.0]}), "the column 'class' is missing"),
        (pd.DataFrame({"class": ["a"], "lwer_x": [1.0]}), "unknown column: 'lwer_x'"),
        (pd.DataFrame({"class": ["a", None]}), r"rules\[1\]: 'class' must not be empty"),
        (
            pd.DataFrame({"class": ["a"], "lower_x": ["3,5"]}),
            r"rules\[0\]: 'lower_x' must be a number or empty, got '3,5'",
        ),
        (
            pd.DataFrame({"class": ["a"], "lower_x": [3.0], "upper_x": [2.0]}),
            r"rules\[0\]: feature 'x': the lower bound",
        ),
        (pd.DataFrame({"class": ["a"], "in_x": ["red"]}), r"rules\[0\]: 'in_x' must be a list"),
        (pd.DataFrame({"class": ["a"], "in_x": ["[red"]}), r"rules\[0\]: not JSON"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(source, message):
    with pytest.raises(ConfigError, match=message):
        read_rules(source)


def test_what_is_wrong_in_a_file_is_said_with_its_name(tmp_path):
    (tmp_path / "a.csv").write_text("class,lower_x\na\n")
    with pytest.raises(ConfigError, match=r"a\.csv: rules\[0\]: 2 fields are expected, got 1"):
        read_rules(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("")
    with pytest.raises(ConfigError, match=r"b\.csv: the column 'class' is missing"):
        read_rules(tmp_path / "b.csv")
    (tmp_path / "c.ruleplay").write_text("nothing")
    with pytest.raises(ConfigError, match=r"c\.ruleplay"):
        read_rules(tmp_path / "c.ruleplay")


NUMBERS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text())
VALUES = st.recursive(
    NUMBERS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
RECORDS = st.fixed_dictionaries(
    {"if": st.dictionaries(st.text(), VALUES, max_size=2) | VALUES, "then": VALUES}
)


@given(st.lists(RECORDS | VALUES, max_size=3))
def test_any_values_are_rules_or_are_refused(records):
    with contextlib.suppress(ConfigError):
        rules = read_rules(records)
        assert read_rules(json.dumps([one.plain() for one in rules])) == rules


@pytest.mark.parametrize(
    ("conditions", "label", "message"),
    [
        ({"agee": (1, 2)}, "stays", r"rules\[0\]: unknown feature: 'agee'; did you mean 'age'"),
        ({2: (1, 2)}, "stays", r"rules\[0\]: the number of a feature must lie in \[0, 1\], got 2"),
        ({"age": (200, 300)}, "stays", r"feature 'age': .*range \[0, 100\], got \[200, 300\]"),
        ({"age": {"old"}}, "stays", r"feature 'age': its values are numbers.*\['old'\]"),
        ({"plan": (0, 1)}, "stays", r"feature 'plan': its values are categories.*\[0.0, 1.0\]"),
        ({"plan": {"Gold"}}, "stays", "unknown category of 'plan': 'Gold'; known are 'Basic'"),
        ({}, "goes", "unknown class: 'goes'"),
    ],
)
def test_rules_must_fit_the_features_and_classes(conditions, label, message):
    with pytest.raises(ConfigError, match=message):
        set_of_rules([Rule(conditions, label)], FEATURES, CLASSES)


def test_rules_are_bound_by_name_and_by_number():
    by_name = set_of_rules(WRITTEN, FEATURES, CLASSES)
    numbers = [Rule({0: (40, 100), "1": {"Pro", "Basic"}}, "leaves"), *WRITTEN[1:]]
    by_number = set_of_rules(numbers, FEATURES, CLASSES)
    assert by_name.to_json() == by_number.to_json()
    assert (
        by_name.text()
        .splitlines()[0]
        .startswith("IF age ≥ 40 AND plan in {Basic, Pro} THEN leaves")
    )


def test_a_person_s_rules_are_marked_in_every_form():
    rules = rule_set(
        rule(), rule(speed=(50, INF)), rule(angle=(0, INF)), origin=np.array([0, 1, 2])
    )
    assert [line.partition("times")[2] for line in rules.text().splitlines()] == [
        ")",
        ", by hand)",
        ", by hand, protected)",
    ]
    words = ["learned", "by hand", "protected"]
    assert [record["origin"] for record in rules.records()] == words
    assert rules.table()["origin"].tolist() == words
    assert "(by hand, protected)" in rules._repr_html_()
    back = RuleSet.from_json(rules.to_json())
    np.testing.assert_array_equal(back.origin, [0, 1, 2])
    assert back.take([2, 0]).origin.tolist() == [2, 0]


def test_rules_that_were_all_learned_are_written_as_before():
    rules = rule_set(rule())
    assert "origin" not in rules.to_json()
    assert "origin" not in rules.table()
    assert "origin" not in rules.records()[0]


def test_an_unknown_origin_is_refused():
    text = rule_set(rule(), origin=np.array([1])).to_json().replace("by hand", "by magic")
    with pytest.raises(ValueError, match="origin must be one of 'learned', 'by hand', 'protected'"):
        RuleSet.from_json(text)
