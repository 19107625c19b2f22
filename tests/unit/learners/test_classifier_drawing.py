"""A model's rules are drawn from those of several populations that learned apart."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from ruleplay import Rule, XCSClassifier
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.settings import read_plan
from ruleplay.learners.common.drawing import draw_population, shrunk
from ruleplay.learners.common.plan_checks import DRAWN_FROM

X, Y = load_iris(return_X_y=True)
SURE = Rule({2: (None, 2.5)}, 0)


def small(**settings):
    usual = {"n_steps": 2000, "population_size": 200, "random_state": 3, "drawn_from": 4}
    return XCSClassifier(**usual | settings)


def test_a_drawn_population_is_as_large_as_one():
    model = small().fit(X, Y)
    alone = small(drawn_from=1).fit(X, Y)
    assert model.n_steps_ == 4 * 2000
    assert model.engine_.config.population_size == 200
    assert model.engine_.macroclassifiers <= 1.25 * alone.engine_.macroclassifiers
    assert model.score(X, Y) > 0.9
    model.engine_.check()


def test_how_populations_are_shared_out_does_not_matter():
    assert small(n_jobs=2).fit(X, Y).rules_.equals(small().fit(X, Y).rules_)


@pytest.mark.parametrize(
    ("settings", "populations"),
    [
        ({}, DRAWN_FROM),
        ({"n_steps": 2000}, 1),
        ({"epochs": 3}, 1),
        ({"early_stopping": True}, 1),
        ({"warm_start": True}, 1),
        ({"settle": False}, 1),
        ({"prediction": "linear"}, 1),
        ({"n_populations": 3}, 1),
        ({"n_steps": 2000, "drawn_from": 3}, 3),
    ],
    ids=str,
)
def test_rules_are_drawn_unless_something_else_is_asked_for(settings, populations):
    assert read_plan(XCSClassifier(**settings)).drawn_from == populations


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"drawn_from": 0}, r"drawn_from must be an integer in \[1, 10000\], got 0"),
        ({"n_populations": 2}, "n_populations must be 1 with drawn_from > 1, got 2"),
        ({"warm_start": True}, "warm_start must be False with drawn_from > 1, got True"),
        ({"early_stopping": True}, "early_stopping must be False with drawn_from > 1, got True"),
    ],
    ids=str,
)
def test_what_contradicts_drawing_is_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        small(**settings).fit(X, Y)


def test_one_example_at_a_time_needs_one_population():
    with pytest.raises(ConfigError, match="partial_fit needs drawn_from=None or 1, got 4"):
        small().partial_fit(X, Y, classes=[0, 1, 2])
    grown = XCSClassifier(population_size=200, random_state=3)
    assert grown.partial_fit(X, Y, classes=[0, 1, 2]).n_steps_ == len(X)


def test_rows_are_judged_by_populations_that_have_not_seen_them():
    model = small(drawn_from=6, oob_score=True).fit(X, Y)
    assert 0.85 < model.oob_score_ <= 1.0
    assert np.isfinite(model.oob_decision_function_).any(axis=1).sum() > 120


def test_a_callback_sees_all_presentations_and_may_end_them():
    seen = []

    def stop_after_two(progress):
        seen.append((progress.step, progress.steps, progress.rules > 0))
        return len(seen) == 2

    model = small(callback=stop_after_two).fit(X, Y)
    assert seen == [(2000, 8000, True), (4000, 8000, True)]
    assert model.n_steps_ == 4000
    assert model.score(X, Y) > 0.9


def test_ending_early_says_nothing_of_what_was_not_finished(recwarn):
    model = small(n_jobs=2, callback=lambda progress: progress.step >= 4000).fit(X, Y)
    assert model.n_steps_ == 4000
    assert not recwarn.list


def test_protected_rules_are_drawn_for_certain():
    model = small(population_size=30, n_steps=5000, protected_rules=[SURE]).fit(X, Y)
    assert model.rules_by_hand()["in_model"].tolist() == [True]
    model.engine_.check()


def test_what_is_drawn_depends_on_the_seed_only():
    several = small(n_populations=4, drawn_from=None).fit(X, Y).engine_
    model = small(drawn_from=1).fit(X, Y).engine_
    drawn = [draw_population(several, model, 50, np.random.default_rng(seed)) for seed in (0, 0, 1)]
    keys = [one.to_bytes() for one in drawn]
    assert keys[0] == keys[1]
    assert keys[0] != keys[2]
    assert all(one.macroclassifiers == 50 for one in drawn)
    for one in drawn:
        one.check()


@pytest.mark.parametrize("most", [3, 7, 40, 100])
def test_numerosities_shrink_in_proportion_and_none_vanishes(most):
    shrinking = shrunk(np.array([1, 30, 10]), most)
    assert shrinking.sum() <= max(most, 3)
    assert (shrinking >= 1).all()
    assert (np.diff(shrinking[[0, 2, 1]]) >= 0).all()
