"""A classifier says where no rule speaks, and answers only where it is sure enough."""

import numpy as np
import pytest

from ruleplay import XCSClassifier
from ruleplay.errors import ConfigError

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.random((150, 2)) * 0.3, 0.7 + RNG.random((150, 2)) * 0.3])
NAMES = np.where(X.sum(axis=1) + RNG.normal(0.0, 0.3, 300) < 1.0, "low", "high")
CORNER = [[0.0, 1.0]]  # far from all rows


@pytest.fixture(scope="module")
def model():
    settings = {"n_steps": 3000, "population_size": 200, "cover_spread": 0.1, "mutation_step": 0.05}
    return XCSClassifier(random_state=0, ga_threshold=1000, **settings).fit(X, NAMES)


def test_rows_far_from_all_rules_are_not_covered(model):
    assert model.covered(X).all()
    assert not model.covered(CORNER).any()
    np.testing.assert_allclose(model.shares(model.numbers(CORNER))[0], model.class_prior_)


def test_answers_are_given_where_they_are_probable_enough(model):
    probability = model.predict_proba(X).max(axis=1)
    sure = probability >= np.median(probability)
    answers = model.predict_or_abstain(X, at_least=np.median(probability))
    assert 0 < sure.sum() < len(X)
    assert answers.dtype == object
    np.testing.assert_array_equal(answers[sure], model.predict(X)[sure])
    assert all(answer is None for answer in answers[~sure])


def test_where_no_rule_speaks_there_is_no_answer(model):
    assert model.predict_or_abstain(CORNER, at_least=0.0).tolist() == [None]
    np.testing.assert_array_equal(model.predict_or_abstain(X, at_least=0.0), model.predict(X))


@pytest.mark.parametrize("odd", [-0.1, 1.5, float("nan"), "much", None])
def test_odd_shares_are_refused(model, odd):
    with pytest.raises(ConfigError, match=r"at_least must lie in \[0, 1\]"):
        model.predict_or_abstain(X, at_least=odd)
