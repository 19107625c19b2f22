"""A missing value satisfies every rule's condition on its feature."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from ruleplay.errors import ConfigError
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.common.labelled_rows import LabelledRows, merge_equal_rows

X, Y = load_iris(return_X_y=True)
GAPS = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)


def small(**settings):
    return XCSClassifier(**{"n_steps": 5000, "population_size": 400, "random_state": 0} | settings)


@pytest.mark.parametrize("settings", [{}, {"replay": "uniform"}], ids=["plain", "replay"])
def test_it_learns_from_rows_with_gaps(settings):
    # A fifth of all values is missing. Over 20 seeds: at least 0.926.
    assert small(**settings).fit(GAPS, Y).score(GAPS, Y) > 0.8


def test_a_missing_feature_matches_every_rule():
    model = small().fit(X, Y)
    table = model.rules_
    row = X[:1].copy()
    row[0, 2] = np.nan
    matches = np.ones(len(table), bool)
    for k in (0, 1, 3):
        matches &= (table[f"lower_x{k}"] <= row[0, k]) & (row[0, k] <= table[f"upper_x{k}"])
    expected = [
        np.average(group["prediction"], weights=group["fitness"])
        for _, group in table[matches].groupby("class")
    ]
    np.testing.assert_allclose(model.engine_.predict(row)[0], expected, rtol=1e-6)


def test_a_row_without_values_asks_all_rules():
    model = small().fit(X, Y)
    probabilities = model.predict_proba(np.full((1, 4), np.nan))
    assert probabilities.sum() == pytest.approx(1.0)
    assert (probabilities > 0).all()


@pytest.mark.parametrize(
    "rows",
    [np.where(np.isnan(GAPS), None, GAPS), pd.DataFrame(GAPS).convert_dtypes()],
    ids=["None", "pd.NA"],
)
def test_other_spellings_of_missing_are_the_same(rows):
    other, plain = small(n_steps=500).fit(rows, Y), small(n_steps=500).fit(GAPS, Y)
    assert other.rules_.equals(plain.rules_)
    np.testing.assert_array_equal(other.predict_proba(rows), plain.predict_proba(GAPS))


def test_a_feature_without_any_value_needs_bounds():
    rows = X.copy()
    rows[:, 1] = np.nan
    with pytest.raises(ConfigError, match="feature 1 must have at least one value"):
        small().fit(rows, Y)
    model = small(bounds=(0.0, 10.0)).fit(rows, Y)
    assert model.score(rows, Y) > 0.85  # over 20 seeds at least 0.933


def test_linear_models_allow_no_missing_values():
    model = small(prediction="linear", n_steps=100)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(GAPS, Y)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(X, Y).predict(GAPS)
    assert not model.__sklearn_tags__().input_tags.allow_nan
    assert small().__sklearn_tags__().input_tags.allow_nan


def test_infinity_is_never_allowed():
    with pytest.raises(ValueError, match="infinity"):
        small().fit(np.where(np.isnan(GAPS), np.inf, GAPS), Y)


def test_equal_rows_with_gaps_are_one():
    other_nan = np.array([0x7FF8000000000001], np.uint64).view(np.float64)[0]
    rows = np.array([[np.nan, 1.0], [other_nan, 1.0], [-np.nan, 1.0], [0.0, 1.0]])
    merged = merge_equal_rows(LabelledRows(rows, np.zeros(4, int), np.ones(4)))
    assert sorted(merged.weights) == [1.0, 3.0]


def test_a_whole_number_that_no_float_can_hold_is_refused_with_a_sentence():
    model = XCSClassifier(n_steps=10, random_state=0).fit([[0.0], [1.0]], [0, 1])
    for call in (model.predict, model.predict_proba):
        with pytest.raises(ConfigError, match="X must hold numbers below 1"):
            call([[10**400]])
    with pytest.raises(ConfigError, match="sample_weight must hold numbers"):
        model.fit([[0.0], [1.0]], [0, 1], sample_weight=[1, 10**400])
