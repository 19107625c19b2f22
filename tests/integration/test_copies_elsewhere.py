"""What is sent to another process goes on there bit by bit."""

import numpy as np
import pytest
from joblib import Parallel, delayed

from ruleplay import XCSClassifier
from ruleplay.config import XCSConfig
from ruleplay.engine import XCS
from ruleplay.envs import make_problem


@pytest.fixture
def go_on():
    """Return a function that learns on for a while and returns the engine as bytes.

    Defined in here, it is sent as a whole: other processes cannot import the tests.
    """

    def learn(engine):
        engine.run(make_problem("rmp3"), 200)
        engine.check()
        return engine.to_bytes()

    return learn


@pytest.fixture
def engine():
    problem = make_problem("rmp3")
    config = XCSConfig(population_size=60)
    engine = XCS(config, n_actions=2, low=problem.low, high=problem.high, seed=4)
    engine.run(problem, 300)
    return engine


def test_engines_go_on_in_processes_of_joblib(engine, go_on):
    elsewhere = Parallel(n_jobs=2)(delayed(go_on)(engine) for _ in range(3))
    assert set(elsewhere) == {go_on(engine)}


def test_engines_go_on_in_processes_of_dask(engine, go_on):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        elsewhere = client.submit(go_on, engine).result(timeout=120)
    assert elsewhere == go_on(engine)


def test_classifiers_predict_alike_in_processes_of_joblib():
    rows = np.random.default_rng(0).random((200, 3))
    model = XCSClassifier(population_size=60, n_steps=500, random_state=0)
    model.fit(rows, rows[:, 0] > 0.5)
    elsewhere = Parallel(n_jobs=2)(delayed(model.predict_proba)(rows) for _ in range(2))
    for probabilities in elsewhere:
        assert np.array_equal(probabilities, model.predict_proba(rows))
