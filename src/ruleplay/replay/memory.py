"""The replay memory, and the seams where ways to store and to sample plug in.

The newest experience, if replay is to include it, is not drawn: `weigh` is asked about `UNDRAWN`,
and nothing is noted of it if it was not stored either. Samplers and storages keep their accounts,
if any, in arrays of their own: see `ruleplay.replay.component_state`.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.copying import copy_values
from ruleplay.core.components.families import note_payoff
from ruleplay.core.components.seams import Mixing, Sampler, Storage
from ruleplay.core.state.arrays import SLOT, Array, allocate
from ruleplay.replay.returns import OneStep, annotate

choose_slot, note_kept = Storage.choose_slot, Storage.note_kept
sample, note_stored, weigh = Sampler.sample, Sampler.note_stored, Sampler.weigh
wants_surprise, note_surprise = Sampler.wants_surprise, Sampler.note_surprise
present = Mixing.present


UNDRAWN = -1  # instead of the slot of an experience that was not drawn


class NoReplay(NamedTuple):
    """Tag and memory of an agent that learns from each experience once, as it comes."""


@Mixing.register("pure")
class Pure(NamedTuple):
    """Experiences that are replayed as they were."""

    @inline_kernel
    def present(self, memory, agent, slot, target):
        """Return an experience's state and payoff."""
        return memory.states[slot], target


@inline_kernel
def choose_oldest(storage, stored, capacity, rng):
    """Return the slot that was written longest ago."""
    return stored % capacity


@Storage.register("fifo", choose_slot=choose_oldest)
class Fifo(NamedTuple):
    """Storage first in, first out: a new experience replaces the oldest one."""


class Memory(NamedTuple):
    """At most `capacity` experiences."""

    states: Annotated[NDArray[np.float32], Array("f4", (SLOT, "features"), "seen", saved=True)]
    actions: Annotated[NDArray[np.int64], Array("i8", (SLOT,), "done", saved=True)]
    rewards: Annotated[NDArray[np.float64], Array("f8", (SLOT,), "paid", saved=True)]
    next_states: Annotated[
        NDArray[np.float32],
        Array("f4", (SLOT, "features"), "seen then; unwritten where terminal", saved=True),
    ]
    terminal: Annotated[
        NDArray[np.uint8],
        Array("u1", (SLOT,), "1: nothing follows; more in `replay.returns`", saved=True),
    ]
    rng: Annotated[NDArray[np.uint64], Array("u8", (4,), "its random state", saved=True)]
    sampler: Any
    storage: Any = Fifo()
    backup: Any = OneStep()
    mixing: Any = Pure()


def allocate_memory(capacity: int, n_features: int, **others: Any) -> Memory:
    """Reserve an empty memory; its random state and its ways are given."""
    return allocate(Memory, {SLOT: capacity, "features": n_features}, **others)


@kernel
def store(memory, agent, state, action, reward, next_state, terminal):
    """Write an experience where the storage says, if at all; return its slot or -1."""
    capacity, stored = memory.actions.shape[0], agent.state.stored
    agent.state.reward_size = max(agent.state.reward_size, abs(reward))
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
    note_kept(memory.storage, memory, stored, slot, agent.params)
    note_stored(memory.sampler, memory, slot, agent.params)
    note_payoff(agent.traits.discovery, agent, slot, np.nan)
    return slot
