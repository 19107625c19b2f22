"""Populations and folds that learn on a Dask cluster give what threads give."""

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score

from ruleplay import XCSClassifier

distributed = pytest.importorskip("distributed")

X, Y = load_iris(return_X_y=True)


@pytest.fixture(scope="module", autouse=True)
def cluster():
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
        ) as made,
        distributed.Client(made) as client,
    ):
        yield client


def small(**settings):
    return XCSClassifier(n_steps=2000, population_size=200, random_state=3, **settings)


def test_populations_learn_the_same_rules_on_a_cluster():
    here = small(n_populations=3, oob_score=True).fit(X, Y)
    with parallel_config("dask"):
        there = small(n_populations=3, oob_score=True).fit(X, Y)
    assert there.rules_.equals(here.rules_)
    np.testing.assert_array_equal(there.oob_decision_function_, here.oob_decision_function_)


def test_folds_score_the_same_on_a_cluster():
    with parallel_config("dask"):
        there = cross_val_score(small(), X, Y, cv=3)
    np.testing.assert_array_equal(there, cross_val_score(small(), X, Y, cv=3))
