"""What a regressor is given is checked; odd targets are learned, or refused in words."""

import numpy as np
import pytest

from ruleplay import XCSRegressor
from ruleplay.errors import ConfigError
from ruleplay.learners.common.labelled_rows import LabelledRows
from ruleplay.learners.regressor.deviations import Deviations, means_and_deviations
from ruleplay.learners.regressor.presentation import explained_share
from ruleplay.learners.regressor.targets import Targets, target_names
from ruleplay.learners.regressor.trials import Judged, Trials

pytestmark = pytest.mark.uncompiled

ROWS = np.random.default_rng(0).random((30, 2))


def tiny(**settings):
    usual = {"n_steps": 60, "population_size": 20, "random_state": 0}
    return XCSRegressor(**usual | settings)


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (["dear"] * 30, "y must hold numbers, got the text 'dear'"),
        (np.array(["3.5"] * 30), "y must hold numbers, got the text"),
        ([1.0] * 29 + [np.nan], "y contains NaN"),
        ([1.0] * 29 + [np.inf], "y contains infinity"),
        ([1.0] * 29 + [1e300], r"y must lie in \[-1e\+100, 1e\+100\], got 1e\+300"),
        ([1.0] * 29, "inconsistent numbers of samples"),
    ],
    ids=["text", "numbers-as-text", "missing", "infinite", "huge", "too-few"],
)
def test_odd_targets_are_refused_in_words(targets, message):
    with pytest.raises(ValueError, match=message):
        tiny().fit(ROWS, targets)


@pytest.mark.parametrize("value", [0.0, -7.25, 1e90, 1e-90])
def test_a_constant_target_is_predicted(value):
    model = tiny().fit(ROWS, np.full(30, value))
    np.testing.assert_array_equal(model.predict(ROWS), np.full(30, value))
    _, deviation = model.predict(ROWS, return_std=True)
    assert np.isfinite(deviation).all()
    assert "THEN y = " in model.rules_text(1)


def test_one_row_is_learned():
    model = tiny().fit([[1.0, 2.0]], [3.0])
    assert model.predict([[5.0, 5.0]]).tolist() == [3.0]


def test_targets_of_any_size_are_learned_alike():
    y = ROWS[:, 0] + ROWS[:, 1]
    one = tiny().fit(ROWS, y).predict(ROWS)
    for size in (1e-60, 1e60):
        np.testing.assert_allclose(tiny().fit(ROWS, size * y).predict(ROWS), size * one, rtol=1e-6)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"error_threshold": 0.0}, r"error_threshold \(eps_0\) must be None or lie in \(0, inf\)"),
        ({"error_threshold": "much"}, r"error_threshold \(eps_0\) must be a number"),
        ({"prediction": "cubic"}, "prediction must be one of"),
        ({"n_steps": 5, "epochs": 5}, "n_steps or epochs must be None"),
        ({"calibrate": 1}, "calibrate must be True or False"),
        ({"oob_score": True}, "oob_score must be False with n_populations=1"),
        ({"population_size": 0}, r"population_size \(N_max\) must"),
    ],
)
def test_odd_parameters_are_refused_in_words(settings, message):
    with pytest.raises(ConfigError, match=message):
        tiny(**settings).fit(ROWS, ROWS[:, 0])


@pytest.mark.parametrize("share", [0.05, 0.4])
def test_the_tolerance_is_that_of_least_error_on_unseen_rows(share, monkeypatch):
    targets = ROWS[:, 0]

    def judge(trials, threshold):
        error = abs(threshold / targets.std() - share)
        return Judged(np.full((15, 1), error), np.ones((15, 1)), np.ones(15))

    monkeypatch.setattr(Trials, "judge", judge)
    found = tiny().fit(ROWS, targets).error_threshold_
    assert found == pytest.approx(share * targets.std())


def test_an_odd_coverage_is_refused():
    with pytest.raises(ConfigError, match=r"coverage must lie in \(0, 1\), got 90"):
        tiny().fit(ROWS, ROWS[:, 0]).interval(ROWS, coverage=90)


def test_the_number_of_targets_stays():
    model = tiny().partial_fit(ROWS, ROWS)
    with pytest.raises(ConfigError, match="y must have 2 targets, got 1"):
        model.partial_fit(ROWS, ROWS[:, 0])


def test_payoffs_are_a_targets_own_values_or_those_of_several_in_one_scale():
    values, ones = np.array([[1.0, 100.0], [3.0, 300.0]]), np.ones(2)
    alone = Targets.of(("y",), values[:, :1], ones)
    assert alone.payoffs(values[:, :1]).tolist() == [[1.0], [3.0]]
    both = Targets.of(("y0", "y1"), values, ones)
    assert both.payoffs(values).tolist() == [[-1.0, -1.0], [1.0, 1.0]]
    odd = np.array([[np.nan, 9.0], [0.5, np.nan]])
    assert both.values(odd).tolist() == [[2.0, 300.0], [2.5, 200.0]]


def test_targets_are_called_as_their_frame_says():
    pandas = pytest.importorskip("pandas")
    assert target_names(pandas.Series([1.0], name="price"), 1) == ("price",)
    assert target_names(pandas.DataFrame({"a": [1.0], "b": [2.0]}), 2) == ("a", "b")


def test_intervals_reach_as_far_as_unseen_rows_were_off():
    rng = np.random.default_rng(0)
    stated = rng.uniform(0.5, 2.0, 5000)
    found = Deviations.found(3.0 * stated * rng.normal(size=5000), stated, np.ones(5000))
    assert found.factor == pytest.approx(3.0, rel=0.05)
    assert found.reach(0.9) == pytest.approx(3.0 * 1.645, rel=0.05)
    assert Deviations.stated().reach(0.9) == pytest.approx(1.645, abs=1e-3)
    few = Deviations.found(np.ones(5), np.ones(5), np.ones(5))
    assert few == Deviations.stated()


def test_a_mixture_has_the_variance_of_errors_and_of_disagreement():
    votes, values, errors = np.array([1.0, 3.0]), np.array([2.0, 4.0]), np.array([0.5, 1.0])
    sums = [votes.sum(), votes @ values, votes @ (values**2 + errors**2)]
    mean, deviation = means_and_deviations(np.array([[sums]]), np.zeros(1))
    assert mean == pytest.approx(3.5)
    variance = np.average(errors**2, weights=votes) + np.average((values - 3.5) ** 2, weights=votes)
    assert deviation == pytest.approx(np.sqrt(variance))


def test_what_does_not_vary_is_explained_if_it_is_met():
    test = LabelledRows(np.zeros((2, 1)), np.full((2, 1), 4.0), np.ones(2))
    assert explained_share(np.full((2, 1), 4.0), test) == 1.0
    assert explained_share(np.full((2, 1), 3.0), test) == 0.0
