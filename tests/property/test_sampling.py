"""Accounts of samplers and storages agree with plain lists and dictionaries; draws are fair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from oracle.replay import Transition
from oracle.sampling import ByRegion, Keeper
from property.samples import make_engine, quick
from ruleplay.config import ReplayConfig
from ruleplay.contrib.interpolation import NONE, draw_neighbour, mix_states, squared_distance
from ruleplay.contrib.pair_table import EMPTY, allocate_table, drop, find_row, put
from ruleplay.replay.component_state import component_states
from ruleplay.replay.memory import sample, store
from ruleplay.replay.prioritized import note_priority
from ruleplay.replay.sum_tree import (
    allocate_tree,
    fill_tree,
    find_value,
    leaf_values,
    set_value,
    smallest_of,
    total_of,
)
from ruleplay.replay.uniform import Uniform

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


# --- the sum tree -----------------------------------------------------------------------------

settings_of_leaves = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 9)), min_size=1)


@given(count=st.integers(13, 20), changes=settings_of_leaves)
@quick(60)
def test_a_sum_tree_finds_by_prefix_sums(count, changes):
    tree, values = allocate_tree(count), np.zeros(count)
    for k, value in changes:
        set_value(tree, k, float(value))
        values[k] = value
    assert total_of(tree) == values.sum()
    assert smallest_of(tree) == values[values > 0].min()
    assert leaf_values(tree)[:count].tolist() == values.tolist()
    ends = np.cumsum(values)
    for mass in np.arange(0.0, values.sum(), 0.5):
        assert find_value(tree, mass) == np.searchsorted(ends, mass, side="right")
    last = int(values.nonzero()[0][-1])
    assert find_value(tree, values.sum()) == find_value(tree, 1e9) == last


@given(st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=33))
@quick(40)
def test_a_sum_tree_follows_from_its_leaves_to_the_last_bit(values):
    one, other = allocate_tree(len(values)), allocate_tree(len(values))
    for k in reversed(range(len(values))):
        set_value(one, k, 1.0)
        set_value(one, k, values[k])
    fill_tree(other, np.array(values))
    assert np.array_equal(one, other)


# --- the hash table ---------------------------------------------------------------------------


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=120))
@quick(60)
def test_a_pair_table_is_a_dictionary(changes):
    table, known = allocate_table(41), {}
    for number, (enters, key) in enumerate(changes):
        if enters:
            put(table, 1000 * key, number)
            known[1000 * key] = number
        elif 1000 * key in known:
            drop(table, 1000 * key)
            del known[1000 * key]
        assert {int(k): int(v) for k, v in table if k != EMPTY} == known
        for one in known:
            assert table[find_row(table, one), 0] == one


# --- memories ---------------------------------------------------------------------------------


def make_memory(n_features=2, **settings):
    """Return an engine, its memory with all accounts, and its agent."""
    replay = ReplayConfig(**{"batch_size": 1, "warmup": 0, **settings})
    engine = make_engine(n_features, replay=replay)
    return engine, engine.state.memory, engine.state.agent


def faults(engine):
    """Return what does not hold of a memory's accounts."""
    memory, agent = engine.state.memory, engine.state.agent
    stored = int(agent.state["stored"])
    return [text for one in component_states(memory) for text in one.faults(stored, agent.params)]


experiences = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 1), st.sampled_from([0.0, 0.0, 0.0, 1.0])),
    min_size=1,
    max_size=60,
)


def write(memory, agent, x, action, reward, terminal=False):
    state = np.array([x / 6, 0.4], np.float32)
    slot = store(memory, agent, state, action, reward, state, terminal)
    return slot, Transition(state.tolist(), action, reward, state.tolist(), terminal)


@given(capacity=st.integers(1, 12), grid=st.integers(1, 5), lived=experiences)
@quick(60)
def test_strata_are_a_dictionary_of_lists(capacity, grid, lived):
    engine, memory, agent = make_memory(capacity=capacity, sampling="stratified", strata_grid=grid)
    oracle, sampler = ByRegion(grid), memory.sampler
    for one in lived:
        oracle.note_stored(*write(memory, agent, *one))
        assert faults(engine) == []
        opened = sampler.opened[: sampler.open[0]]
        lists = [
            [int(sampler.table[find_row(sampler.table, cell * capacity + k), 1]) for k in range(n)]
            for cell, n in zip(opened, sampler.counts[opened], strict=True)
        ]
        assert lists == [oracle.cells[cell] for cell in oracle.visited]


@given(capacity=st.integers(2, 12), share=st.sampled_from([0.01, 0.3, 0.99]), lived=experiences)
@quick(60)
def test_a_full_memory_overwrites_the_oldest_that_is_not_protected(capacity, share, lived):
    settings = {"capacity": capacity, "storage": "protected", "protected_share": share}
    engine, memory, agent = make_memory(**settings)
    oracle = Keeper(engine.replay, 1.0)
    for x, action, reward in lived:
        slot, transition = write(memory, agent, x, action, reward, terminal=x == 6)
        oracle.store(transition)
        assert slot == oracle.last_slot
        assert faults(engine) == []
    size = len(oracle.slots)
    assert memory.rewards[:size].tolist() == [one.reward for one in oracle.slots]


def test_a_memory_of_rewarding_experiences_is_first_in_first_out():
    _, memory, agent = make_memory(capacity=10, storage="protected")
    for number in range(34):
        assert write(memory, agent, 0, 0, 1.0 + number)[0] == number % 10


# --- draws ------------------------------------------------------------------------------------


def frequencies(memory, size, draws=4000):
    drawn = [sample(memory.sampler, memory, size, memory.rng) for _ in range(draws)]
    return np.bincount(drawn, minlength=size)


def test_experiences_are_drawn_in_proportion_to_their_priority():
    _, memory, agent = make_memory(capacity=7, sampling="prioritized", priority_exponent=0.5)
    for number in range(6):
        slot, _ = write(memory, agent, 0, 0, 0.0)
        note_priority(memory.sampler, slot, 100.0 * number, agent.params)
    expected = np.sqrt(100.0 * np.arange(6) + agent.params["eps_0"])
    found = frequencies(memory, 6)
    assert chisquare(found, 4000 * expected / expected.sum()).pvalue > 0.001
    assert memory.sampler.top[0] == expected[-1]
    slot, _ = write(memory, agent, 0, 0, 0.0)
    assert leaf_values(memory.sampler.tree)[slot] == expected[-1]


@pytest.mark.parametrize("surprise", [np.inf, np.nan, 1e300])
def test_a_surprise_beyond_all_numbers_is_a_large_one(surprise):
    engine, memory, agent = make_memory(capacity=3, sampling="prioritized")
    slot, _ = write(memory, agent, 0, 0, 0.0)
    note_priority(memory.sampler, slot, surprise, agent.params)
    assert faults(engine) == []
    assert sample(memory.sampler, memory, 1, memory.rng) == 0


def test_cells_are_drawn_alike_and_so_are_the_experiences_of_each():
    _, memory, agent = make_memory(capacity=12, sampling="stratified", strata_grid=3)
    for x in (0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 6, 6):
        write(memory, agent, x, 0, 0.0)
    write(memory, agent, 6, 1, 0.0)  # instead of the first
    expected = 1000 * np.repeat([1.0, 1 / 7, 1 / 2], [1, 7, 4])
    assert chisquare(frequencies(memory, 12), expected).pvalue > 0.001


def test_many_features_are_hashed_into_as_many_cells_as_the_memory_can_use():
    engine, memory, agent = make_memory(40, capacity=50, sampling="stratified")
    rng = np.random.default_rng(0)
    for _ in range(120):
        state = rng.random(40).astype(np.float32)
        store(memory, agent, state, int(rng.integers(2)), 0.0, state, True)
    assert len(memory.sampler.counts) == 1024
    assert memory.sampler.open[0] > 45
    engine.check()


def test_neighbours_are_near_and_of_the_same_kind():
    _, memory, agent = make_memory(capacity=60)
    memory = memory._replace(sampler=Uniform())
    rng, found = np.random.default_rng(1), 0
    for x in rng.integers(0, 7, 60):
        write(memory, agent, int(x), int(rng.integers(2)), 0.0, terminal=bool(rng.integers(2)))
    for slot in range(60):
        other = draw_neighbour(memory, slot, 60, 0.2**2, memory.rng)
        if other != NONE:
            found += 1
            assert other != slot
            assert memory.actions[other] == memory.actions[slot]
            assert memory.terminal[other] == memory.terminal[slot]
            assert abs(memory.states[other, 0] - memory.states[slot, 0]) < 0.2
    assert found > 20


def test_states_are_mixed_in_double_precision_and_rounded_once():
    rng = np.random.default_rng(2)
    for one, other in rng.random((50, 2, 3)).astype(np.float32):
        share, mixed = rng.random(), np.zeros(3, np.float32)
        mix_states(one, other, share, mixed)
        wide, end = one.astype(np.float64), other.astype(np.float64)
        assert np.array_equal(mixed, (wide + share * (end - wide)).astype(np.float32))
        gaps = (wide - end).tolist()
        expected = (gaps[0] * gaps[0] + gaps[1] * gaps[1]) + gaps[2] * gaps[2]
        assert squared_distance(one, other) == expected
