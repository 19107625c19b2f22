"""Ring storage for experiences, and the seam where sampling distributions plug in.

A sampler is a NamedTuple (its type is the tag) with three kernels:

    sample(sampler, memory, size, rng)         -> the slot to replay next
    note_stored(sampler, slot)                 after an experience was written to a slot
    note_replayed(sampler, slot, surprise)     after it was learned from
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.core._arrays import copy_values
from ruleplay.core._jit import Family, kernel

sample = Family("sample")
note_stored = Family("note_stored")
note_replayed = Family("note_replayed")


class NoReplay(NamedTuple):
    """Tag and memory of an agent that learns from each experience once, as it comes."""


class Memory(NamedTuple):
    """The last `capacity` experiences, first in, first out."""

    states: NDArray[np.float32]  # (capacity, features)
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]
    next_states: NDArray[np.float32]  # (capacity, features); unwritten where terminal
    terminal: NDArray[np.uint8]  # 1: nothing follows, the payoff is the reward alone
    rng: NDArray[np.uint64]
    sampler: Any


def allocate_ring(capacity: int, n_features: int) -> tuple[NDArray[Any], ...]:
    """Reserve the arrays of an empty ring, in the order of `Memory`'s fields."""
    return (
        np.zeros((capacity, n_features), np.float32),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.float64),
        np.zeros((capacity, n_features), np.float32),
        np.zeros(capacity, np.uint8),
    )


@kernel
def store(memory, agent, state, action, reward, next_state, terminal):
    """Write an experience over the oldest one."""
    slot = agent.state.stored % memory.actions.shape[0]
    copy_values(state, memory.states[slot])
    memory.actions[slot] = action
    memory.rewards[slot] = reward
    memory.terminal[slot] = terminal
    if not terminal:
        copy_values(next_state, memory.next_states[slot])
    agent.state.stored += 1
    note_stored(memory.sampler, slot)
