"""Long calls come in pieces, and one thread at a time changes an engine."""

import threading

import numpy as np
import pytest

from property.samples import make_engine, train
from ruleplay.engine.calling import Turns, in_pieces
from ruleplay.envs import make_problem
from ruleplay.errors import BusyError

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]


@pytest.mark.parametrize("total", [0, 1, 15, 16, 17, 1000])
def test_pieces_cover_everything_once(total):
    pieces = list(in_pieces(total))
    assert [k for first, last in pieces for k in range(first, last)] == list(range(total))


def test_pieces_grow_while_they_are_quick():
    sizes = [last - first for first, last in in_pieces(10_000)]
    assert sizes[0] == 16
    assert len(sizes) < 30


def in_thread(call):
    """Call something in another thread; return what it raised."""
    raised = []

    def run():
        try:
            call()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return raised


def changes(engine):
    row = np.full(engine.n_features, 0.5)
    return {
        "step": lambda: engine.step(row),
        "act": lambda: engine.act(row),
        "learn": lambda: engine.learn(row, 0, 1.0),
        "learn_batch": lambda: engine.learn_batch([row], [0], [1.0]),
        "run": lambda: engine.run(make_problem("rmp3"), 5),
        "save": lambda: engine.to_bytes(),
        "check": lambda: engine.check(),
        "start_episode": lambda: engine.start_episode(),
    }


@pytest.mark.parametrize("name", list(changes(make_engine())))
def test_a_second_thread_is_refused_and_changes_nothing(name):
    engine = train(make_engine(), 30)
    before = engine.to_bytes()
    with engine._turns:
        (error,) = in_thread(changes(engine)[name])
    assert isinstance(error, BusyError)
    assert "another thread" in str(error)
    assert engine.to_bytes() == before
    assert in_thread(changes(engine)[name]) == []


def test_a_second_thread_may_predict():
    engine = train(make_engine(), 30)
    with engine._turns:
        assert in_thread(lambda: engine.predict([[0.1, 0.2, 0.3]])) == []


def test_a_turn_that_an_interrupt_left_behind_is_taken_again():
    turns = Turns()
    turns.__enter__()
    with turns:
        pass
    assert in_thread(turns.__enter__) == []
    with turns:
        pass
