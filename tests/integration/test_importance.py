"""On the multiplexer, the features that choose among the others matter most."""

import numpy as np
import pytest
from sklearn.inspection import permutation_importance

from ruleplay import XCSClassifier


@pytest.fixture(scope="module")
def multiplexer():
    """Return rows of six numbers: two choose which of four others is the class."""
    rows = np.random.default_rng(0).random((2000, 6))
    bits = rows > 0.5
    chosen = 2 + 2 * bits[:, 0] + bits[:, 1]
    return rows, bits[np.arange(len(rows)), chosen].astype(int)


@pytest.fixture(scope="module")
def model(multiplexer):
    settings = {"replay": "uniform", "n_steps": 100_000, "mutation_step": 0.5}
    return XCSClassifier(**settings, random_state=0).fit(*multiplexer)


def test_the_address_comes_first(model):
    shares = model.feature_importances_
    assert shares.sum() == pytest.approx(1.0)
    # Of seeds 0 to 11, the least of the two is 1.5 to 3.2 times the largest of the others.
    assert shares[:2].min() > 1.3 * shares[2:].max()


def test_permutations_say_the_same(model, multiplexer):
    rows, labels = (part[:500] for part in multiplexer)
    found = permutation_importance(model, rows, labels, n_repeats=3, random_state=0)
    # Of the same seeds, 1.8 to 1.9 times.
    assert found.importances_mean[:2].min() > 1.3 * found.importances_mean[2:].max()


def test_what_matters_is_found_among_wrong_classes():
    random = np.random.default_rng(1)
    rows = random.random((1500, 6))
    above = rows[:, :2] > 0.5
    labels = (above[:, 0] ^ above[:, 1]) ^ (random.random(len(rows)) < 0.15)
    shares = XCSClassifier(random_state=1).fit(rows, labels).feature_importances_
    # Of seeds 0 to 11, the least of the two is 1.5 to 1.9 times the largest of the others.
    assert shares[:2].min() > 1.3 * shares[2:].max()


def test_an_estimator_without_rules_has_no_importances():
    assert not hasattr(XCSClassifier(), "feature_importances_")
