"""Features matter as much as rules demand of them."""

import numpy as np
import pytest

from ruleplay.errors import ConfigError
from ruleplay.rules import draw_importance
from unit.rules.rule_samples import INF, named, rule, rule_set, slow_down

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]


def test_what_rules_demand_counts_by_fitness_and_numerosity():
    rules = rule_set(
        rule(speed=(0.0, 25.0), fitness=0.5, numerosity=2),  # three quarters are left out
        rule(angle=(0.0, 1.0), fitness=0.25),  # one half
    )
    assert rules.importance().tolist() == pytest.approx([0.75 / 0.875, 0.125 / 0.875])


def test_rules_that_are_not_accurate_do_not_count_beside_accurate_ones():
    exact, wrong = rule(speed=(0.0, 25.0), error=9.9), rule(angle=(0.0, 1.0), error=10.0)
    assert rule_set(exact, wrong).importance().tolist() == [1.0, 0.0]
    assert rule_set(wrong).importance().tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("fitness", "shares"),
    [(1.0, [1.0, 0.0]), (0.9, [0.2308, 0.7692]), (0.0, [0.0, 1.0])],
    ids=["a-quarter-of-the-weight", "less", "none"],
)
def test_a_few_accurate_rules_do_not_stand_for_all(fitness, shares):
    exact = rule(speed=(0.0, 50.0), error=0.0, fitness=fitness)
    wrong = [rule(angle=(0.0, 1.0), error=300.0) for _ in range(3)]
    assert rule_set(exact, *wrong).importance().tolist() == pytest.approx(shares, abs=1e-4)


def test_where_nothing_is_demanded_nothing_matters():
    assert rule_set(rule()).importance().tolist() == [0.0, 0.0]
    assert rule_set().importance().tolist() == [0.0, 0.0]


def test_bars_are_drawn_from_the_most_important_feature_on(tmp_path):
    rules = rule_set(rule(speed=(0.0, 75.0)), rule(angle=(0.5, INF)))
    figure = draw_importance(rules, path=tmp_path / "importance.svg")
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.get_yticklabels()] == ["angle", "speed"]
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([0.75, 0.25])
    assert (tmp_path / "importance.svg").stat().st_size > 1000


def test_other_values_can_be_drawn():
    figure = draw_importance(slow_down(), [0.1, 0.3], spread=[0.01, 0.02], top=1)
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.get_yticklabels()] == ["angle"]
    assert axes.get_title() == "the 1 most important of 2 features"


def test_odd_names_are_drawn_as_they_are():
    rules = slow_down().take(range(5), features=named("$\\alpha^_", "x" * 300))
    figure = draw_importance(rules)
    figure.savefig("/dev/null", format="png")
    shown = {text.get_text() for text in figure.axes[0].get_yticklabels()}
    assert shown == {"$\\alpha^_", "x" * 39 + "…"}


@pytest.mark.parametrize("values", [[1.0], [1.0, np.nan], [[1.0, 2.0]]], ids=repr)
def test_wrong_values_are_refused(values):
    with pytest.raises(ConfigError, match="values must be 2 finite numbers, one for each feature"):
        draw_importance(slow_down(), values)
