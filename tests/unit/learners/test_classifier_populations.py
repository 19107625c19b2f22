"""Several populations learn apart and vote as one; rules settle when learning ends."""

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_iris

from ruleplay import XCSClassifier
from ruleplay.errors import ConfigError

X, Y = load_iris(return_X_y=True)


def small(**settings):
    usual = {"n_steps": 2000, "population_size": 200, "random_state": 3, "settle": True}
    return XCSClassifier(**usual | settings)


def test_populations_become_one_that_has_the_rules_of_all():
    model = small(n_populations=3).fit(X, Y)
    assert model.engine_.config.population_size == 600
    assert model.engine_.macroclassifiers > 250
    assert model.n_steps_ == 6000
    assert model.score(X, Y) > 0.9
    model.engine_.check()


def test_how_they_are_shared_out_does_not_matter():
    alone = small(n_populations=3).fit(X, Y)
    for settings in ({"n_jobs": 2}, {"n_jobs": -1}):
        shared = small(n_populations=3, **settings).fit(X, Y)
        assert shared.rules_.equals(alone.rules_)
    with parallel_config("loky", n_jobs=2):
        assert small(n_populations=3).fit(X, Y).rules_.equals(alone.rules_)


def test_a_row_of_weight_two_is_two_rows():
    weights = np.tile([1.0, 2.0, 0.0], 50)
    weighted = small(n_populations=2).fit(X, Y, sample_weight=weights)
    doubled = np.repeat(np.arange(150), weights.astype(int))
    repeated = small(n_populations=2).fit(X[doubled], Y[doubled])
    assert weighted.rules_.equals(repeated.rules_)


def test_a_saved_one_goes_on_voting(tmp_path):
    model = small(n_populations=2).fit(X, Y)
    model.save(tmp_path / "several.ruleplay")
    again = XCSClassifier.load(tmp_path / "several.ruleplay")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.n_populations == 2


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_populations": 0}, r"n_populations must be an integer in \[1, 10000\], got 0"),
        ({"n_populations": 2, "warm_start": True}, "warm_start must be False"),
        ({"n_populations": 2, "early_stopping": True}, "early_stopping must be False"),
        ({"n_populations": 2, "callback": print}, "callback must be None"),
        ({"oob_score": True}, "oob_score must be False with n_populations=1, got True"),
        ({"settle": "maybe"}, "settle must be True or False, got 'maybe'"),
    ],
)
def test_what_cannot_be_is_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        small(**settings).fit(X, Y)


def test_one_example_at_a_time_needs_one_population():
    with pytest.raises(ConfigError, match="partial_fit needs n_populations=1, got 2"):
        small(n_populations=2).partial_fit(X, Y, classes=[0, 1, 2])


def test_settled_rules_predict_the_share_of_their_rows():
    rules = small().fit(X, Y).ruleset_
    checked = 0
    for k in range(len(rules)):
        inside = ((rules.lower[k] <= X) & (rules.upper[k] >= X)).all(axis=1)
        if np.isclose(X, rules.lower[k]).any() or np.isclose(X, rules.upper[k]).any():
            continue  # rounding decides
        right = (Y[inside] == rules.action[k]).sum()
        share = (right + 1 / 3) / (inside.sum() + 1)
        assert rules.prediction[k] == pytest.approx(1000.0 * share)
        checked += 1
    assert checked > 50


def test_without_settling_rules_stay_as_they_were():
    left, settled = small(settle=False).fit(X, Y), small().fit(X, Y)
    np.testing.assert_array_equal(
        left.engine_.state.arrays.population.alleles,
        settled.engine_.state.arrays.population.alleles,
    )
    assert not left.rules_.equals(settled.rules_)
    linear = small(prediction="linear")
    unsettled = clone(linear).set_params(settle=False)
    assert linear.fit(X, Y).rules_.equals(unsettled.fit(X, Y).rules_)


def test_each_row_is_judged_by_those_that_have_not_seen_it():
    model = small(n_populations=6, oob_score=True).fit(X, Y)
    shares = model.oob_decision_function_
    known = ~np.isnan(shares).any(axis=1)
    assert shares.shape == (150, 3)
    assert 120 < known.sum() < 150  # a row is in all six samples with a chance of 6 %
    np.testing.assert_allclose(shares[known].sum(axis=1), 1.0)
    assert model.oob_score_ == (shares[known].argmax(axis=1) == Y[known]).mean()
    assert 0.85 < model.oob_score_ <= 1.0
    assert model.rules_.equals(small(n_populations=6).fit(X, Y).rules_)


def test_noise_cannot_be_known_out_of_bag():
    labels = np.random.default_rng(0).integers(0, 2, 150)
    model = small(n_populations=6, oob_score=True).fit(X, labels)
    assert 0.4 < model.oob_score_ < 0.6


def test_rows_of_no_weight_have_no_score_and_equal_rows_the_same():
    weights = np.tile([1.0, 2.0, 0.0], 50)
    model = small(n_populations=6, oob_score=True).fit(X, Y, sample_weight=weights)
    assert np.isnan(model.oob_decision_function_[weights == 0.0]).all()
    doubled = np.repeat(np.arange(150), weights.astype(int))
    repeated = small(n_populations=6, oob_score=True).fit(X[doubled], Y[doubled])
    assert repeated.oob_score_ == pytest.approx(model.oob_score_)
    np.testing.assert_array_equal(
        repeated.oob_decision_function_, model.oob_decision_function_[doubled]
    )


def test_a_file_keeps_the_score(tmp_path):
    model = small(n_populations=3, oob_score=True).fit(X, Y)
    model.save(tmp_path / "several.ruleplay")
    assert XCSClassifier.load(tmp_path / "several.ruleplay").oob_score_ == model.oob_score_
