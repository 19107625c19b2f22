"""Rules as JSON and as Python: exact, readable, and nothing is believed that is wrong."""

import json

import numpy as np
import pytest

from ruleplay.errors import ModelFileError
from ruleplay.rules import RuleSet
from unit.rules.rule_samples import INF, actions, grid, named, rule, rule_set, slow_down

pytestmark = pytest.mark.interpreted


def decision_list(**changes):
    return rule_set(
        rule(speed=(50.0, INF), action=0, prediction=1.0),
        rule(speed=(10.0, 20.5), angle=(-INF, 0.25), action=1, prediction=2.0),
        ordered=True,
        default_action=1,
        **changes,
    )


def function_of(source):
    space = {}
    exec(compile(source, "rules.py", "exec"), space)
    return space["decide"]


def test_a_list_becomes_readable_python():
    source = decision_list().to_python()
    assert "    if speed >= 50.0:\n        return 0\n" in source
    assert "    if 10.0 <= speed <= 20.5 and angle <= 0.25:\n        return 1\n" in source
    assert source.endswith("    return 1  # go\n")
    assert "import" not in source


@pytest.mark.parametrize("missing", ["error", "match"])
def test_a_list_in_python_takes_the_same_actions(missing):
    rules, rows = decision_list(missing_values=missing), grid()
    if missing == "match":
        rows[::3, 0] = np.nan
        rows[::4, 1] = np.nan
    decide = function_of(rules.to_python())
    assert [decide(row) for row in rows.tolist()] == rules.actions(rows).tolist()


@pytest.mark.parametrize(
    "names",
    [
        ("if", "observation"),
        ("a b", "a-b"),
        ('"""', "\\"),
        ("ä", "x_0_"),
        ("1", "2"),
    ],
    ids=["keyword", "same-word", "quotes", "no-ascii", "numbers"],
)
def test_any_names_make_valid_python(names):
    for rules in (decision_list(), slow_down()):
        changes = {"features": named(*names), "outcomes": actions('"', "'''")}
        renamed = rules.take(range(len(rules)), **changes)
        decide = function_of(renamed.to_python())
        assert [decide(row) for row in grid(7).tolist()] == rules.actions(grid(7)).tolist()


@pytest.mark.parametrize("end", ["\n", "\r", "\x0c", "\u2028", "\0"], ids=ascii)
def test_no_name_becomes_code(end):
    name = f"x{end}raise SystemExit #"
    for rules in (decision_list(), slow_down()):
        changes = {"features": named(name, "y"), "outcomes": actions(name, "b")}
        renamed = rules.take(range(len(rules)), **changes)
        decide = function_of(renamed.to_python())
        assert [decide(row) for row in grid(7).tolist()] == rules.actions(grid(7)).tolist()


def test_json_keeps_odd_names_and_is_harmless_itself():
    odd = {
        "features": named("a\x1b\x9b", "b\u202e"),
        "outcomes": actions("New\xa0York", "\n"),
    }
    text = decision_list(**odd).to_json()
    again = RuleSet.from_json(text)
    assert {"features": again.features, "outcomes": again.outcomes} == odd
    assert not set("\x1b\x9b\u202e") & set(text)


def test_python_refuses_observations_of_another_size():
    for rules in (decision_list(), slow_down()):
        with pytest.raises(ValueError, match=r"feature|unpack"):
            function_of(rules.to_python())([1.0, 2.0, 3.0])


def test_an_empty_vote_in_python_takes_the_default_action():
    assert function_of(rule_set(default_action=1).to_python())([0.0, 0.0]) == 1


def test_infinite_predictions_survive():
    rules = rule_set(rule(action=1, prediction=INF), rule(action=0, prediction=1.0))
    again = RuleSet.from_json(rules.to_json())
    assert again.prediction.tolist() == [INF, 1.0]
    assert function_of(rules.to_python())([0.0, 0.0]) == 1


def test_json_of_a_list_comes_back(tmp_path):
    rules = decision_list(features=named("speed", "angle", whole=True))
    path = tmp_path / "rules.json"
    path.write_text(rules.to_json(), encoding="utf-8")
    again = RuleSet.from_json(path)
    assert again.ordered
    assert again.features == rules.features
    assert again.to_json() == rules.to_json()
    assert again.actions(grid()).tolist() == rules.actions(grid()).tolist()


def test_json_reads_well():
    document = json.loads(decision_list().to_json())
    assert document["rules"][0]["if"] == {"speed": [50.0, None]}
    assert document["rules"][0]["then"] == "stop"
    assert document["default_action"] == "go"


def changed(path, value):
    """Return rules as JSON with one part replaced, or removed if the value is Ellipsis."""
    document = json.loads(slow_down().to_json())
    *way, last = path
    part = document
    for key in way:
        part = part[key]
    if value is ...:
        del part[last]
    else:
        part[last] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["format"], "other", "not a file of rules"),
        (["version"], 4, "version 4 is not supported, only 1, 2, 3"),
        (["version"], True, "version True is not supported"),
        (["rules"], ..., "'rules' is missing"),
        (["rules"], 3, "rules must be a list"),
        (["decides"], "dice", "decides must be one of 'vote', 'first', got 'dice'"),
        (["features", 0, "name"], "angle", "features must have different names"),
        (["features", 0, "low"], 200.0, "low 200 and high 100"),
        (["features", 0, "low"], None, "low must be a number"),
        (["features", 0, "whole"], 1, "whole must be one of True, False, got 1"),
        (["actions"], [], "actions must have different names"),
        (["default_action"], "fly", "default_action must be one of stop, go, got 'fly'"),
        (["error_threshold"], 0.0, r"error_threshold must be a number in \(0, inf\), got 0.0"),
        (["rules", 0, "then"], 1, "then must be one of stop, go, got 1"),
        (["rules", 0, "if"], {"height": [0, 1]}, "the unknown feature 'height'"),
        (["rules", 0, "if"], {"speed": [0]}, r"the interval of 'speed' must be \[lower, upper\]"),
        (["rules", 0, "if"], {"speed": ["0", 1]}, "a bound of 'speed' must be a number"),
        (["rules", 0, "if"], [], "a rule's condition must be an object"),
        (["rules", 0, "prediction"], True, "prediction must be a number"),
        (["rules", 0, "fitness"], "nan", "fitness must be a number"),
        (["rules", 0, "numerosity"], -1, "numerosity must be an integer"),
        (["rules", 0, "weights"], [1, 2, 3], "all rules of a vote, and none of a list"),
        (["rules", 0], 7, "rules:"),
    ],
)
def test_wrong_rules_are_refused_in_a_sentence(path, value, message):
    with pytest.raises(ModelFileError, match=message):
        RuleSet.from_json(changed(path, value))


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "[" * 100_000], ids=repr)
def test_what_is_no_rules_is_refused(text):
    with pytest.raises(ModelFileError, match=r"not JSON|not a file of rules"):
        RuleSet.from_json(text)


def test_files_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(ModelFileError, match="No such file"):
        RuleSet.from_json(tmp_path / "none.json")
    (tmp_path / "latin.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ModelFileError, match="not UTF-8"):
        RuleSet.from_json(tmp_path / "latin.json")
