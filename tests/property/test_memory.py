"""The replay memory holds the newest experiences, and only these are replayed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import agent_of, make_engine, quick
from ruleplay.config import ReplayConfig
from ruleplay.replay.memory import store
from ruleplay.replay.uniform import sample_uniformly

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


def make_memory(capacity):
    engine = make_engine(2, replay=ReplayConfig(capacity=capacity, batch_size=1, warmup=0))
    return engine, engine.state.memory


@given(capacity=st.integers(1, 12), stored=st.integers(1, 40))
@quick(60)
def test_the_ring_never_returns_an_evicted_experience(capacity, stored):
    engine, memory = make_memory(capacity)
    agent = agent_of(engine)
    kept = []
    for number in range(stored):
        state = np.array([number / 40, 0.5], np.float32)
        terminal = number % 3 == 0
        following = np.array([0.25, number / 40], np.float32)
        store(memory, agent, state, number % 2, float(number), following, terminal)
        kept = [*kept, number][-capacity:]
        size = min(number + 1, capacity)
        for _ in range(8):
            slot = sample_uniformly(memory.sampler, memory, size, memory.rng)
            drawn = int(memory.rewards[slot])
            assert drawn in kept
            assert memory.states[slot][0] == np.float32(drawn / 40)
            assert memory.actions[slot] == drawn % 2
            assert memory.terminal[slot] == (drawn % 3 == 0)
            assert memory.terminal[slot] or memory.next_states[slot][1] == np.float32(drawn / 40)
    assert sorted(memory.rewards[: len(kept)].tolist()) == kept
    engine.check()


def test_every_slot_is_sampled():
    _, memory = make_memory(7)
    drawn = {sample_uniformly(memory.sampler, memory, 7, memory.rng) for _ in range(200)}
    assert drawn == set(range(7))


@given(warmup=st.integers(0, 12), batch=st.integers(1, 4), newest=st.booleans())
@quick(20)
def test_replays_begin_after_the_warmup_and_number_a_batch_each(warmup, batch, newest):
    replay = ReplayConfig(capacity=30, batch_size=batch, warmup=warmup, include_newest=newest)
    engine = make_engine(1, 1, replay=replay, ga_threshold=10**6, cover_spread=1.0)
    for step in range(1, 16):
        engine.learn([0.5], 0, 1.0)
        # All experiences are alike, so every replay reaches every rule that matches them.
        assert engine.export()["experience"].max() == batch * max(0, step - warmup)
        assert engine.learning_steps == step
    assert int(engine.state.arrays.state["stored"][0]) == 15


def test_the_newest_experience_is_replayed_at_once_if_so_configured():
    replay = ReplayConfig(capacity=1000, batch_size=1, warmup=0, include_newest=True)
    engine = make_engine(1, 1, replay=replay, ga_threshold=10**6, learning_rate=1.0)
    engine.act([0.5])
    for reward in (3.0, 8.0, 1.0):
        engine.learn([0.5], 0, reward)
        assert engine.export()["prediction"].tolist() == [reward]
