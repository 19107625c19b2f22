"""A regressor's rules are drawn from those of several populations that learned apart."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from ruleplay import XCSRegressor
from ruleplay.engine.refitting import RIDGE
from ruleplay.errors import ConfigError
from ruleplay.learners.common.plan_checks import DRAWN_FROM
from ruleplay.learners.regressor.settings import RIDGE_OF_MANY, read_plan

X, Y = (part[:200] for part in load_diabetes(return_X_y=True))


def small(**settings):
    usual = {"n_steps": 2000, "population_size": 200, "random_state": 3, "drawn_from": 4}
    return XCSRegressor(**usual | {"error_threshold": 40.0} | settings)


def test_a_drawn_population_is_as_large_as_one():
    model = small().fit(X, Y)
    alone = small(drawn_from=1).fit(X, Y)
    assert model.n_steps_ == 4 * 2000
    assert model.engine_.config.population_size == 200
    assert model.engine_.macroclassifiers <= 1.25 * alone.engine_.macroclassifiers
    assert model.score(X, Y) > 0.4
    model.engine_.check()


def test_how_populations_are_shared_out_does_not_matter():
    assert small(n_jobs=2).fit(X, Y).rules_.equals(small().fit(X, Y).rules_)


@pytest.mark.parametrize(
    ("settings", "populations"),
    [
        ({}, DRAWN_FROM),
        ({"prediction": "scalar"}, DRAWN_FROM),
        ({"n_steps": 2000}, 1),
        ({"epochs": 3}, 1),
        ({"early_stopping": True}, 1),
        ({"warm_start": True}, 1),
        ({"settle": False}, 1),
        ({"n_populations": 3}, 1),
        ({"n_steps": 2000, "drawn_from": 3}, 3),
    ],
    ids=str,
)
def test_rules_are_drawn_unless_something_else_is_asked_for(settings, populations):
    assert read_plan(XCSRegressor(**settings)).drawn_from == populations


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
        small().partial_fit(X, Y)
    model = small().fit(X, Y).set_params(drawn_from=None)
    assert model.partial_fit(X, Y).n_steps_ == len(X)


def test_rows_are_judged_by_populations_that_have_not_seen_them():
    model = small(drawn_from=6, oob_score=True).fit(X, Y)
    assert 0.3 < model.oob_score_ < model.score(X, Y)
    assert np.isfinite(model.oob_prediction_).sum() > 150
    assert model.deviations_[0].quantiles


def test_a_callback_sees_all_presentations_and_may_end_them():
    seen = []

    def stop_after_two(progress):
        seen.append((progress.step, progress.steps, progress.rules > 0))
        return len(seen) == 2

    model = small(callback=stop_after_two, calibrate=False).fit(X, Y)
    assert seen == [(2000, 8000, True), (4000, 8000, True)]
    assert model.n_steps_ == 4000
    assert model.score(X, Y) > 0.3


def test_a_limit_of_time_is_shared_by_all_populations():
    plan = read_plan(small(max_seconds=10.0))
    assert plan.seconds_of_each(1) == 2.5
    assert plan.seconds_of_each(2) == 5.0
    found = read_plan(small(max_seconds=10.0, error_threshold=None))
    assert found.seconds_of_each(4) == 5.0  # the other half finds the tolerance


def test_of_many_columns_one_population_learns_unless_something_else_is_asked_for():
    plan = read_plan(XCSRegressor())
    assert plan.for_width(30).drawn_from == DRAWN_FROM
    assert plan.for_width(31).drawn_from == 1
    assert plan.for_width(31).is_open
    for asked in ({"drawn_from": 10}, {"oob_score": True}):
        assert read_plan(XCSRegressor(**asked)).for_width(31).drawn_from == 10


def test_models_of_several_populations_are_fitted_more_freely():
    ridges = [read_plan(small(**one)).ridge for one in ({}, {"drawn_from": 1})]
    assert ridges == [RIDGE_OF_MANY, RIDGE]
    several = {"drawn_from": 1, "n_populations": 2}
    assert read_plan(small(**several)).ridge == RIDGE_OF_MANY < RIDGE


def test_several_targets_are_drawn_together(tmp_path):
    both = np.column_stack([Y, -Y])
    model = small(error_threshold=0.5).fit(X, both)
    assert model.predict(X).shape == (200, 2)
    model.save(tmp_path / "both.ruleplay")
    again = XCSRegressor.load(tmp_path / "both.ruleplay")
    assert np.array_equal(again.predict(X), model.predict(X))
    assert again.drawn_from == 4
