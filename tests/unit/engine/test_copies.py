"""A copy of anything public is sound, and goes on as its original does, bit by bit."""

import copy
import pickle

import numpy as np
import pytest

from property.samples import make_engine, train
from ruleplay import XCSAgent, XCSClassifier
from ruleplay.config import ReplayConfig
from ruleplay.rules import RuleSet, compact

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

SMALL = {"capacity": 20, "batch_size": 2, "warmup": 5}
KINDS = {
    "scalar": {},
    "replay": {"replay": ReplayConfig(**SMALL)},
    "linear": {"prediction": "linear", "replay": ReplayConfig(**SMALL)},
    "prioritized": {"replay": ReplayConfig(**SMALL, sampling="prioritized")},
    "stratified": {"replay": ReplayConfig(**SMALL, sampling="stratified")},
    "protected": {"replay": ReplayConfig(**SMALL, storage="protected")},
    "n-step": {"replay": ReplayConfig(**SMALL, return_steps=3)},
    "copy for targets": {"target_interval": 5},
    "splitting": {"split_refuted": 5, "replay": ReplayConfig(**SMALL)},
    "guided": {"exploration": "epsilon_greedy", "exploration_persistence": 3.0},
}
WAYS = {
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
}


def walk(engine, seed, steps=60):
    """Act for some steps; episodes end now and then."""
    rng = np.random.default_rng(seed)
    return [
        engine.step(rng.random(engine.n_features), rng.random(), terminated=t % 9 == 8)
        for t in range(steps)
    ]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_copied_engine_goes_on_bit_by_bit(kind, way):
    engine = make_engine(2, 2, population_size=30, **kind)
    walk(engine, 1)
    other = way(engine)
    other.check()
    assert walk(other, 2) == walk(engine, 2)
    other.check()
    assert other.to_bytes() == engine.to_bytes()


def test_copies_share_no_memory():
    engine = train(make_engine(), 50)
    before = engine.to_bytes()
    train(copy.copy(engine), 50, seed=2)
    assert engine.to_bytes() == before


def test_an_optimist_that_waits_for_its_problem_can_be_copied():
    engine = make_engine(initial_prediction="optimistic", exploration="epsilon_greedy")
    other = copy.deepcopy(engine)
    with pytest.raises(ValueError, match="largest return"):
        other.act([0.5, 0.5, 0.5])


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_copied_agent_goes_on_bit_by_bit(way):
    agent = XCSAgent("CartPole-v1", seed=3, population_size=60, replay_warmup=20).learn(120)
    other = way(agent)
    assert other.engine.to_bytes() == agent.engine.to_bytes()
    if way is not copy.copy:  # which shares the environment, as Python's copies do
        agent.learn(60), other.learn(60)
        other.engine.check()
        assert other.engine.to_bytes() == agent.engine.to_bytes()
        assert other.episode_returns == agent.episode_returns


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_copied_classifier_goes_on_bit_by_bit(way):
    rng = np.random.default_rng(0)
    X = rng.random((60, 2))
    y = X[:, 0] > 0.5
    model = XCSClassifier(population_size=60, n_steps=200, random_state=0).fit(X, y)
    other = way(model)
    if way is not copy.copy:  # which shares the engine
        for one in (model, other):
            one.partial_fit(X, y)
        assert other.engine_.to_bytes() == model.engine_.to_bytes()
    assert np.array_equal(other.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_rule_sets_and_compactions_can_be_copied(way):
    engine = train(make_engine(), 200)
    rows = np.random.default_rng(0).random((50, 3))
    made = compact(engine, observations=rows)
    for rules in (RuleSet.of(engine), made.ruleset):
        assert way(rules).to_json() == rules.to_json()
    assert str(way(made)) == str(made)
