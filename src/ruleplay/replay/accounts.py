"""What samplers and storages write down beside the experiences.

Those that keep accounts are NamedTuples of arrays with these methods:

    reserve(...)                       make them, empty
    slots(), whole()                   what a file has to hold: entries per slot, other arrays
    restore(ring, size, params)        derive the rest from these
    adopt(other, slots, ring, params)  the experiences in these slots of another are the first
    faults(ring, stored, params)       what does not hold, in sentences

`ring` are the arrays of the memory, `params` the agent's parameter record.
"""

from typing import Any

from ruleplay.config import ReplayConfig
from ruleplay.core._jit import Family, inline_kernel
from ruleplay.core.grid import count_table_size
from ruleplay.replay.memory import Fifo
from ruleplay.replay.prioritized import Prioritized
from ruleplay.replay.protected import Protected
from ruleplay.replay.reservoir import Reservoir
from ruleplay.replay.stratified import Stratified, most_cells
from ruleplay.replay.uniform import Uniform

SLOTS = 5  # arrays of a memory that have an entry per slot, the last one for flags
FLAGS = 4
RING = 6  # arrays of a memory without accounts; those of sampler and storage follow

equip = Family("equip")  # (tag, arrays behind the ring) -> sampler or storage with its accounts


@equip.member(Uniform)
@equip.member(Fifo)
@equip.member(Reservoir)
@inline_kernel
def equip_nothing(tag, arrays):
    """Return the tag: there are no accounts."""
    return tag


@equip.member(Prioritized)
@inline_kernel
def equip_prioritized(tag, arrays):
    """Return the sampler with its accounts."""
    return Prioritized(*arrays[0])


@equip.member(Stratified)
@inline_kernel
def equip_stratified(tag, arrays):
    """Return the sampler with its accounts."""
    return Stratified(*arrays[0])


@equip.member(Protected)
@inline_kernel
def equip_protected(tag, arrays):
    """Return the storage with its accounts."""
    return Protected(*arrays[1])


def strata(replay: ReplayConfig, n_features: int, n_actions: int) -> tuple[int, bool]:
    """Return how many cells stratified sampling knows, and whether each has its own number."""
    limit = most_cells(replay.capacity)
    return count_table_size(replay.strata_grid, n_features, n_actions, limit)


def reserve_accounts(replay: ReplayConfig, n_features: int, n_actions: int) -> tuple[Any, Any]:
    """Return sampler and storage, each with its accounts or as an empty tuple."""
    sampler: Any = ()
    if replay.sampling == "prioritized":
        sampler = Prioritized.reserve(replay.capacity)
    elif replay.sampling == "stratified":
        sampler = Stratified.reserve(replay.capacity, strata(replay, n_features, n_actions)[0])
    storage: Any = ()
    if replay.storage == "protected":
        storage = Protected.reserve(replay.capacity, replay.protected_share)
    return sampler, storage


def bytes_per_experience(replay: ReplayConfig, n_features: int) -> int:
    """Return how much room an experience takes, accounts included, at most."""
    size = 8 * n_features + 17
    size += {"prioritized": 64, "stratified": 160}.get(replay.sampling, 0)
    return size + (32 if replay.storage == "protected" else 0)
