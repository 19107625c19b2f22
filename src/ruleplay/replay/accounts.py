"""What samplers and storages write down beside the experiences.

Those that keep accounts are NamedTuples of arrays with these methods:

    reserve(...)                         make them, empty
    slots(), whole()                     what a file has to hold: entries per slot, other arrays
    restore(memory, size, params)        derive the rest from these
    adopt(other, slots, memory, params)  the experiences in these slots of another are the first
    faults(memory, stored, params)       what does not hold, in sentences

`memory` is the one they belong to, `params` the agent's parameter record.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.config import ReplayConfig
from ruleplay.core.grid import count_table_size
from ruleplay.replay.interpolation import Interpolated
from ruleplay.replay.memory import Fifo, Memory, NoReplay, Pure, allocate_memory
from ruleplay.replay.prioritized import Prioritized
from ruleplay.replay.protected import Protected
from ruleplay.replay.reservoir import Reservoir
from ruleplay.replay.returns import MultiStep, OneStep
from ruleplay.replay.stratified import Stratified, most_cells
from ruleplay.replay.uniform import Uniform

SLOTS = 5  # arrays of a memory that have an entry per slot
RING = 6  # the same, and its random state


def strata(replay: ReplayConfig, n_features: int, n_actions: int) -> tuple[int, bool]:
    """Return how many cells stratified sampling knows, and whether each has its own number."""
    limit = most_cells(replay.capacity)
    return count_table_size(replay.strata_grid, n_features, n_actions, limit)


def reserve_memory(
    replay: ReplayConfig | None, n_features: int, n_actions: int, rng: NDArray[np.uint64]
) -> Memory | NoReplay:
    """Return an empty memory as configured."""
    if replay is None:
        return NoReplay()
    return allocate_memory(
        replay.capacity,
        n_features,
        rng=rng,
        sampler=_reserve_sampler(replay, n_features, n_actions),
        storage=_reserve_storage(replay),
        backup=OneStep() if replay.return_steps == 1 else MultiStep(),
        mixing=Pure() if replay.interpolation == 0.0 else Interpolated(),
    )


def _reserve_sampler(replay: ReplayConfig, n_features: int, n_actions: int) -> Any:
    if replay.sampling == "prioritized":
        return Prioritized.reserve(replay.capacity)
    if replay.sampling == "stratified":
        return Stratified.reserve(replay.capacity, strata(replay, n_features, n_actions)[0])
    return Uniform()


def _reserve_storage(replay: ReplayConfig) -> Any:
    if replay.storage == "protected":
        return Protected.reserve(replay.capacity, replay.protected_share)
    return Reservoir() if replay.storage == "reservoir" else Fifo()


def accounts_of(memory: Memory | NoReplay) -> tuple[Any, ...]:
    """Return sampler and storage of a memory, those of them that keep accounts."""
    if isinstance(memory, NoReplay):
        return ()
    return tuple(part for part in (memory.sampler, memory.storage) if part)


def bytes_per_experience(replay: ReplayConfig, n_features: int) -> int:
    """Return how much room an experience takes, accounts included, at most."""
    size = 8 * n_features + 17
    size += {"prioritized": 64, "stratified": 160}.get(replay.sampling, 0)
    return size + (32 if replay.storage == "protected" else 0)
