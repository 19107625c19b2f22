"""Which experiences a full memory keeps, and what is left after forgetting."""

import numpy as np
import pytest

from property.samples import agent_of, make_engine, train
from ruleplay.config import ReplayConfig
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.replay.memory import store
from ruleplay.replay.reservoir import Reservoir, choose_by_lot

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

STATE = np.array([0.5], np.float32)


def fifo_engine(capacity=5, **changes):
    return make_engine(1, replay=ReplayConfig(capacity=capacity, batch_size=1, warmup=0), **changes)


def reservoir(capacity, **changes):
    return ReplayConfig(capacity=capacity, batch_size=1, warmup=0, storage="reservoir", **changes)


def fill(engine, memory, count):
    agent = agent_of(engine)
    for number in range(count):
        store(memory, agent, STATE, 0, float(number), STATE, True)


def test_a_reservoir_takes_the_first_experiences_without_a_draw():
    engine = make_engine(1, replay=reservoir(7))
    memory = engine.state.memory
    before = memory.rng.copy()
    fill(engine, memory, 7)
    assert memory.rewards.tolist() == list(range(7))
    assert np.array_equal(memory.rng, before)


def test_a_reservoir_gives_every_experience_the_same_chance():
    """Of 40 experiences 10 are kept; in 2000 trials each is kept 500 times, +-5 sigma (19.4)."""
    kept = np.zeros(40)
    rng = np.array([1, 2, 3, 4], np.uint64)
    for _ in range(2000):
        slots = np.arange(10)
        for number in range(10, 40):
            slot = choose_by_lot(Reservoir(), number, 10, rng)
            assert -1 <= slot < 10
            if slot >= 0:
                slots[slot] = number
        kept[slots] += 1
    assert kept.sum() == 20_000
    assert np.abs(kept - 500).max() < 97


def test_what_a_reservoir_does_not_keep_is_learned_from_once_as_the_newest():
    engine = make_engine(
        1, 1, replay=reservoir(1, include_newest=True), ga_threshold=10**6, cover_spread=1.0
    )
    for _ in range(20):
        engine.learn([0.5], 0, 1.0)
    assert engine.export()["experience"].max() == 20
    assert int(engine.state.arrays.state["stored"][0]) == 20


def test_the_default_storage_is_first_in_first_out():
    assert ReplayConfig().storage == "fifo"
    assert ReplayConfig.from_dict({"capacity": 10}) == ReplayConfig(capacity=10, storage="fifo")
    with pytest.raises(ConfigError, match="replay_storage must be one of 'fifo', 'reservoir'"):
        ReplayConfig(storage="lifo")


@pytest.mark.parametrize(
    ("stored", "keep", "left"),
    [
        (3, 2, [1, 2]),
        (3, 9, [0, 1, 2]),
        (5, 3, [2, 3, 4]),
        (13, 4, [9, 10, 11, 12]),
        (13, 5, [8, 9, 10, 11, 12]),
        (13, 0, []),
    ],
    ids=["not-full", "more-than-there-are", "just-full", "wrapped", "wrapped-all", "nothing"],
)
def test_forgetting_keeps_the_newest_experiences_in_order(stored, keep, left):
    engine = fifo_engine()
    memory = engine.state.memory
    fill(engine, memory, stored)
    engine.forget(keep)
    assert int(engine.state.arrays.state["stored"][0]) == len(left)
    assert memory.rewards[: len(left)].tolist() == left
    engine.check()


def test_after_forgetting_the_memory_fills_up_again(tmp_path):
    engine = train(fifo_engine(), 12)
    engine.forget(2)
    engine.save(tmp_path / "model")
    again = XCS.load(tmp_path / "model")
    for one in (engine, again):
        train(one, 30, seed=2)
        one.check()
    assert np.array_equal(engine.state.memory[2], again.state.memory[2])
    assert np.array_equal(engine.predict([[0.3]]), again.predict([[0.3]]))


def test_a_reservoir_can_only_be_emptied():
    engine = train(make_engine(1, replay=reservoir(5)), 12)
    with pytest.raises(ConfigError, match="keep must be 0 for storage 'reservoir', got 3"):
        engine.forget(3)
    engine.forget()
    engine.check()
    assert int(engine.state.arrays.state["stored"][0]) == 0


def test_without_a_memory_there_is_nothing_to_forget():
    engine = train(make_engine(1), 12)
    before = engine.export()
    engine.forget(3)
    assert all(np.array_equal(before[name], part) for name, part in engine.export().items())


def test_a_saved_reservoir_goes_on_bit_by_bit(tmp_path):
    engine = train(make_engine(2, replay=reservoir(6)), 40)
    engine.save(tmp_path / "model")
    again = XCS.load(tmp_path / "model")
    assert again.replay == engine.replay
    for one in (engine, again):
        train(one, 40, seed=3)
    assert np.array_equal(engine.state.memory[2], again.state.memory[2])
    assert np.array_equal(engine.state.memory.rng, again.state.memory.rng)
