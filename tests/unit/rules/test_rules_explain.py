"""A decision is explained by the rules that made it."""

import numpy as np
import pytest

from ruleplay.errors import ConfigError
from ruleplay.rules import explain
from unit.rules.rule_samples import INF, grid, rule, rule_set, slow_down

pytestmark = pytest.mark.interpreted


def test_those_who_vote_are_named_with_their_weight():
    reasons = explain(slow_down(), [80.0, 0.5])
    assert reasons.action == 0
    assert reasons.votes["action"].tolist() == ["stop"] * 3
    np.testing.assert_allclose(reasons.votes["share"], [0.8 / 1.4, 0.5 / 1.4, 0.1 / 1.4])
    assert reasons.votes["if"].tolist() == ["speed ≥ 30 AND angle ≥ 0.00", *["speed ≥ 60"] * 2]


def test_shares_and_values_make_up_the_decision():
    rules = slow_down()
    for row in grid(9):
        reasons = explain(rules, row)
        for action, votes in reasons.votes.groupby("action"):
            value = reasons.values[rules.outcome_names.index(action)]
            assert votes["share"].sum() == pytest.approx(1.0)
            assert (votes["share"] * votes["value"]).sum() == pytest.approx(value)
        assert reasons.action == rules.actions([row])[0]


def test_the_best_action_comes_first():
    reasons = explain(slow_down(), [40.0, 0.5])
    assert reasons.votes["action"].tolist() == ["stop", "go"]
    assert str(reasons).splitlines() == [
        "speed 40, angle 0.50: stop",
        "  stop: value 90.0 from 1 rule",
        "    100 %  value 90.0, error 1.0, seen 10 times: IF speed ≥ 30 AND angle ≥ 0.00",
        "  go: value 80.0 from 1 rule",
        "    100 %  value 80.0, error 1.0, seen 10 times: IF speed ≤ 60",
    ]


def test_only_the_strongest_are_shown():
    rules = rule_set(*(rule(action=0, prediction=k, fitness=0.1 * (k + 1)) for k in range(4)))
    assert explain(rules, [1.0, 0.0]).text(top=1).splitlines()[2:] == [
        "     40 %  value 3.0, error 1.0, seen 10 times: IF anything",
        "     60 %  3 more",
    ]


def test_the_first_rule_of_a_list_explains_all():
    rules = rule_set(
        rule(angle=(0.5, INF), action=1, prediction=3.0),
        rule(action=0, prediction=9.0),
        ordered=True,
    )
    reasons = explain(rules, [1.0, 0.75])
    assert reasons.action == 1
    assert reasons.votes["if"].tolist() == ["angle ≥ 0.50"]


def test_the_default_action_needs_no_rule():
    reasons = explain(rule_set(rule(speed=(50.0, INF)), default_action=1), [1.0, 0.0])
    assert reasons.is_default
    assert len(reasons.votes) == 0
    assert str(reasons) == "speed 1, angle 0.00: go, the default action, because no rule matches"


def test_missing_features_are_named():
    rules = rule_set(rule(speed=(50.0, INF)), missing_values="match")
    reasons = explain(rules, [np.nan, 0.0])
    assert str(reasons).startswith("speed missing, angle 0.00: stop\n")


def test_linear_rules_show_what_they_predict_here():
    weights = np.array([[1.0, 10.0, 0.0]])
    reasons = explain(rule_set(rule(), weights=weights), [50.0, 0.0])
    assert reasons.votes["value"].tolist() == [6.0]


def test_an_observation_of_another_size_is_refused():
    with pytest.raises(ConfigError, match=r"observation must have shape \(2,\), got \(3,\)"):
        explain(slow_down(), [1.0, 2.0, 3.0])
