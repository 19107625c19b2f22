"""What is prepared is compiled: calls and progress bars need not wait."""

from contextlib import contextmanager

import gymnasium
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from sklearn.datasets import load_iris

from ruleplay import XCS, ReplayConfig, XCSAgent, XCSClassifier, XCSConfig
from ruleplay.config import KeepConfig
from ruleplay.engine import entry_points
from ruleplay.errors import ConfigError

KEEP = KeepConfig(policy="validated", checkpoints=2, episodes=1)
SEEN, NEXT = [0.2, 0.3, 0.4], [0.1, 0.1, 0.1]
CALLS = {
    "step": lambda engine: engine.step(SEEN),
    "act": lambda engine: engine.act(SEEN),
    "predict": lambda engine: engine.predict([SEEN]),
    "learn": lambda engine: (engine.learn(SEEN, 0, 1.0), engine.learn(SEEN, 0, 1.0, NEXT)),
    "learn_decisions": lambda engine: engine.learn_batch([SEEN], [0], [1.0]),
    "learn_transitions": lambda engine: engine.learn_batch([SEEN], [0], [1.0], [NEXT]),
    "remember": lambda engine: engine.remember_batch([SEEN, NEXT], [0, 1], [0.0, 1.0]),
}


@pytest.fixture(autouse=True)
def forgetful():
    """Forget what other tests have compiled in this process."""
    for entry in (
        entry_points.act_entry,
        entry_points.learn_batch_entry,
        entry_points.learn_entry,
        entry_points.predict_entry,
        entry_points.remember_entry,
        entry_points.step_entry,
    ):
        entry.cache_clear()


@contextmanager
def compiling_nothing():
    def refuse(self, signature):
        raise AssertionError(f"{self} is compiled for {signature}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dispatcher, "compile", refuse)
        yield


@contextmanager
def strict_progress(wanted, total, first=0):
    """Stand in for a progress bar, under which nothing may be compiled."""
    with compiling_nothing():
        yield lambda done: None


def make():
    config = XCSConfig(population_size=50, exploration="epsilon_greedy")
    return XCS(config, ReplayConfig(capacity=30), n_actions=2, low=np.zeros(3), high=np.ones(3))


@pytest.mark.parametrize("call", CALLS)
def test_a_prepared_call_compiles_nothing(call):
    engine = make()
    engine.prepare(call)
    with compiling_nothing():
        CALLS[call](engine)


@pytest.mark.parametrize("call", CALLS)
def test_other_calls_compile(call):
    with compiling_nothing(), pytest.raises(AssertionError, match="is compiled for"):
        CALLS[call](make())


def locked(values, kind=float):
    array = np.array(values, kind)
    array.setflags(write=False)
    return array


READ_ONLY_CALLS = {
    "step": lambda engine: engine.step(locked(SEEN)),
    "act": lambda engine: engine.act(locked(SEEN)),
    "predict": lambda engine: engine.predict(locked([SEEN])),
    "learn": lambda engine: engine.learn(locked(SEEN), 0, 1.0, locked(NEXT)),
    "learn_transitions": lambda engine: engine.learn_batch(
        locked([SEEN]), locked([0], int), locked([1.0]), locked([NEXT]), locked([True], bool)
    ),
}


@pytest.mark.parametrize("call", READ_ONLY_CALLS)
def test_arrays_that_cannot_be_written_need_no_code_of_their_own(call):
    engine = make()
    engine.prepare(call)
    with compiling_nothing():
        READ_ONLY_CALLS[call](engine)


def test_preparing_changes_nothing():
    engine = make()
    before = engine.to_bytes()
    engine.prepare(*CALLS)
    assert engine.to_bytes() == before


def test_unknown_calls_are_refused():
    with pytest.raises(ConfigError, match="calls must be among those that can be prepared"):
        make().prepare("dance")


@pytest.mark.parametrize("several", [False, True])
def test_an_agent_compiles_before_the_bar_starts(several, monkeypatch):
    monkeypatch.setattr("ruleplay.learners.agent.agent.showing_progress", strict_progress)
    env = gymnasium.make_vec("CartPole-v1", 2) if several else "CartPole-v1"
    agent = XCSAgent(env, population_size=100, seed=1)
    agent.learn(100, progress_bar=True, keep=KEEP)
    assert agent.num_timesteps == 100


def test_a_classifier_compiles_before_the_bar_starts(monkeypatch):
    monkeypatch.setattr("ruleplay.learners.classifier.learning.showing_progress", strict_progress)
    model = XCSClassifier(n_steps=200, early_stopping=True, verbose=1, random_state=0)
    model.fit(*load_iris(return_X_y=True))
    assert model.n_steps_ > 0
