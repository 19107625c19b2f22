"""The replay memory, and the seams where ways to store and to sample plug in.

A storage is a NamedTuple (its type is the tag) with one kernel:

    choose_slot(storage, stored, capacity, rng)   -> where a new experience goes, or -1

`stored` counts all experiences there ever were. While there are empty slots they are
taken in order. A sampler is a NamedTuple (its type is the tag) with three kernels:

    sample(sampler, memory, size, rng)         -> the slot to replay next
    note_stored(sampler, slot)                 after an experience was written to a slot
    note_replayed(sampler, slot, surprise)     after it was learned from
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.core._arrays import copy_values
from ruleplay.core._jit import Family, inline_kernel, kernel
from ruleplay.core.families import note_payoff
from ruleplay.replay.returns import OneStep, annotate

choose_slot = Family("choose_slot")
sample = Family("sample")
note_stored = Family("note_stored")
note_replayed = Family("note_replayed")


class NoReplay(NamedTuple):
    """Tag and memory of an agent that learns from each experience once, as it comes."""


class Fifo(NamedTuple):
    """Tag of storage first in, first out: a new experience replaces the oldest one."""


@choose_slot.member(Fifo)
@inline_kernel
def choose_oldest(storage, stored, capacity, rng):
    """Return the slot that was written longest ago."""
    return stored % capacity


class Memory(NamedTuple):
    """At most `capacity` experiences."""

    states: NDArray[np.float32]  # (capacity, features)
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]
    next_states: NDArray[np.float32]  # (capacity, features); unwritten where terminal
    terminal: NDArray[np.uint8]  # 1: nothing follows; more flags in `ruleplay.replay.returns`
    rng: NDArray[np.uint64]
    sampler: Any
    storage: Any = Fifo()
    backup: Any = OneStep()


def allocate_ring(capacity: int, n_features: int) -> tuple[NDArray[Any], ...]:
    """Reserve the arrays of an empty memory, in the order of `Memory`'s fields."""
    return (
        np.zeros((capacity, n_features), np.float32),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.float64),
        np.zeros((capacity, n_features), np.float32),
        np.zeros(capacity, np.uint8),
    )


@kernel
def store(memory, agent, state, action, reward, next_state, terminal):
    """Write an experience where the storage says, if at all; return its slot or -1."""
    capacity, stored = memory.actions.shape[0], agent.state.stored
    slot = choose_slot(memory.storage, stored, capacity, memory.rng)
    if slot < 0:
        agent.state.stored += 1
        return slot
    flags = annotate(memory.backup, memory, agent, state)
    agent.state.stored += 1
    copy_values(state, memory.states[slot])
    memory.actions[slot] = action
    memory.rewards[slot] = reward
    memory.terminal[slot] = flags | terminal
    if not terminal:
        copy_values(next_state, memory.next_states[slot])
    note_stored(memory.sampler, slot)
    note_payoff(agent.traits.discovery, agent, slot, np.nan)
    return slot
