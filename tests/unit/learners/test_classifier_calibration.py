"""Probabilities are calibrated by rows that rules have not learned from; classes stay."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import log_loss

from ruleplay import XCSClassifier
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.calibration import find_power, halves
from ruleplay.learners.common.class_shares import sharpen
from ruleplay.learners.common.labelled_rows import LabelledRows

RNG = np.random.default_rng(0)
X = RNG.random((400, 4))
Y = np.where(RNG.random(400) < 0.3, RNG.integers(0, 2, 400), X[:, 0] > 0.5)  # 15 % are wrong
ROWS, LABELS, NEW_ROWS, NEW_LABELS = X[:200], Y[:200], X[200:], Y[200:]


def noisy(**settings):
    usual = {"n_steps": 10_000, "population_size": 300, "random_state": 1}
    return XCSClassifier(**usual | settings).fit(ROWS, LABELS)


def test_noise_makes_probabilities_humbler_and_better():
    model, plain = noisy(), noisy(calibrate=False)
    assert model.share_power_ < 0.9
    assert plain.share_power_ == 1.0
    assert model.rules_.equals(plain.rules_)
    np.testing.assert_array_equal(model.predict(NEW_ROWS), plain.predict(NEW_ROWS))
    losses = [log_loss(NEW_LABELS, one.predict_proba(NEW_ROWS)) for one in (model, plain)]
    assert losses[0] < losses[1]


def test_the_same_seed_gives_the_same_power():
    assert noisy().share_power_ == noisy().share_power_


def test_several_populations_can_only_become_surer():
    assert noisy(n_populations=3).share_power_ == 1.0
    several = XCSClassifier(n_populations=3, n_steps=3000, population_size=300, random_state=1)
    several.fit(ROWS, ROWS[:, 0] > 0.5)
    plain = clone(several).set_params(calibrate=False).fit(ROWS, ROWS[:, 0] > 0.5)
    assert several.share_power_ > 1.0 == plain.share_power_
    assert several.rules_.equals(plain.rules_)


def test_a_row_of_weight_two_is_two_rows():
    weights = np.tile([1.0, 2.0], 100)
    small = XCSClassifier(n_steps=2000, population_size=200, random_state=3)
    weighted = small.fit(ROWS, LABELS, sample_weight=weights).share_power_
    doubled = np.repeat(np.arange(200), weights.astype(int))[::-1]
    assert small.fit(ROWS[doubled], LABELS[doubled]).share_power_ == weighted


def test_a_saved_one_keeps_its_power(tmp_path):
    model = noisy()
    model.save(tmp_path / "noisy.ruleplay")
    again = XCSClassifier.load(tmp_path / "noisy.ruleplay")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.share_power_ == model.share_power_ != 1.0


def test_single_rows_leave_shares_as_they_are():
    model = XCSClassifier(n_steps=50, random_state=0).fit([[0.0]], ["only"])
    assert model.share_power_ == 1.0
    first = XCSClassifier(random_state=0).partial_fit(ROWS, LABELS, classes=[0, 1])
    assert first.share_power_ == 1.0


def test_sharpened_shares_keep_their_order_and_sum():
    shares = np.array([[0.5, 0.3, 0.2], [1.0, 0.0, 0.0]])
    for power in (0.3, 1.0, 4.0):
        changed = sharpen(shares, power)
        np.testing.assert_allclose(changed.sum(axis=1), 1.0)
        assert changed[0, 0] > changed[0, 1] > changed[0, 2]
    assert sharpen(shares, 1.0) is shares


def test_the_power_makes_mean_probabilities_those_of_the_rows():
    truth = RNG.random(20_000)
    answers = (RNG.random(20_000) < truth).astype(int)
    shares = np.column_stack([1.0 - truth, truth])
    labelled = LabelledRows(np.zeros((20_000, 1)), answers, np.ones(20_000))
    assert find_power(shares, labelled) == pytest.approx(1.0, abs=0.05)
    assert find_power(sharpen(shares, 2.0), labelled) == pytest.approx(0.5, abs=0.03)
    assert find_power(np.full((20_000, 2), np.nan), labelled) == 1.0


def test_halves_have_half_of_every_class():
    answers = np.repeat([0, 1, 2], [10, 6, 1])
    rows = np.arange(17.0)[:, np.newaxis]
    one, other = halves(LabelledRows(rows, answers, np.ones(17)), np.random.default_rng(0))
    assert sorted([*one.rows[:, 0], *other.rows[:, 0]]) == list(range(17))
    assert np.bincount(one.answers, minlength=3).tolist() == [5, 3, 1]
    assert np.bincount(other.answers, minlength=3).tolist() == [5, 3, 0]


def test_rows_that_stand_for_many_are_in_both_halves():
    rows, weights = np.arange(5.0)[:, np.newaxis], np.array([1.0, 1.0, 1.0, 1.0, 7.0])
    parts = halves(LabelledRows(rows, np.zeros(5, int), weights), np.random.default_rng(0))
    assert sorted(part.weights[part.rows[:, 0] == 4.0][0] for part in parts) == [3.0, 4.0]
    assert sum(part.weights.sum() for part in parts) == 11.0


def test_cells_of_a_small_table_do_not_contradict_each_other():
    cells = RNG.integers(0, 3, (1500, 2)).astype(float)
    labels = RNG.random(1500) < 0.2 + 0.3 * cells[:, 0]
    model = XCSClassifier(n_steps=10_000, population_size=300, random_state=1).fit(cells, labels)
    assert 0.7 < model.share_power_ < 1.4


def test_time_for_calibration_is_part_of_the_limit():
    model = noisy(n_steps=10**9, max_seconds=0.5)
    assert 0 < model.n_steps_ < 10**9


def test_odd_settings_are_refused():
    with pytest.raises(ConfigError, match="calibrate must be True or False, got 'yes'"):
        noisy(calibrate="yes")
