"""What samplers and storages write down beside the experiences.

Those that keep accounts are components with fields. All that an engine does with these follows
from their shapes: an array with an entry per slot goes where its experiences go, any other is
copied as it is, and a file holds both. A component that knows better has these methods:

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
from ruleplay.config.options import switched_component
from ruleplay.core.components.registry import Sizes, reserve
from ruleplay.core.components.seams import Mixing, Returns, Sampler, Storage
from ruleplay.replay.memory import Memory, NoReplay, allocate_memory

SLOTS = 5  # arrays of a memory that have an entry per slot
RING = 6  # the same, and its random state


def reserve_memory(
    replay: ReplayConfig | None, sizes: Sizes, rng: NDArray[np.uint64]
) -> Memory | NoReplay:
    """Return an empty memory as configured."""
    if replay is None:
        return NoReplay()
    returns = Returns.find("one_step" if replay.return_steps == 1 else "n_step")
    mixing = Mixing.find(switched_component(replay, Mixing) or "pure")
    return allocate_memory(
        replay.capacity,
        sizes.n_features,
        rng=rng,
        sampler=reserve(Sampler.find(replay.sampling), sizes, replay),
        storage=reserve(Storage.find(replay.storage), sizes, replay),
        backup=reserve(returns, sizes, replay),
        mixing=reserve(mixing, sizes, replay),
    )


class ComponentState:
    """The accounts of one component of a memory."""

    def __init__(self, component: Any, memory: Memory) -> None:
        self._component, self._memory = component, memory

    def slots(self) -> list[NDArray[Any]]:
        """Return the arrays with an entry per slot that a file has to hold."""
        if hasattr(self._component, "slots"):
            return list(self._component.slots())
        return [array for array in self._arrays() if self._is_per_slot(array)]

    def whole(self) -> list[NDArray[Any]]:
        """Return the other arrays that a file has to hold."""
        if hasattr(self._component, "whole"):
            return list(self._component.whole())
        return [array for array in self._arrays() if not self._is_per_slot(array)]

    def restore(self, size: int, params: Any) -> None:
        """Derive from what a file held of `size` experiences what it did not hold."""
        if hasattr(self._component, "restore"):
            self._component.restore(self._memory, size, params)

    def adopt(self, other: "ComponentState", slots: NDArray[np.int64], params: Any) -> None:
        """Take over what another has noted of the experiences that now are in the first slots."""
        if hasattr(self._component, "adopt"):
            self._component.adopt(other._component, slots, self._memory, params)
            return
        for array, before in zip(self._arrays(), other._arrays(), strict=True):
            if self._is_per_slot(array):
                array[: len(slots)] = before[slots]
            else:
                array[:] = before

    def faults(self, stored: int, params: Any) -> list[str]:
        """Return a sentence for each thing that does not hold of the accounts."""
        if hasattr(self._component, "faults"):
            return list(self._component.faults(self._memory, stored, params))
        odd = [name for name, array in self._named() if not _is_finite(array)]
        return [f"{name} of {type(self._component).__name__} must be finite" for name in odd]

    def _named(self) -> list[tuple[str, NDArray[Any]]]:
        parts = zip(self._component._fields, self._component, strict=True)
        return [(name, part) for name, part in parts if isinstance(part, np.ndarray)]

    def _arrays(self) -> list[NDArray[Any]]:
        return [array for _, array in self._named()]

    def _is_per_slot(self, array: NDArray[Any]) -> bool:
        return len(array) == len(self._memory.actions)


def _is_finite(array: NDArray[Any]) -> bool:
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


def component_states(memory: Memory | NoReplay) -> list[ComponentState]:
    """Return the accounts of a memory's sampler, storage and returns, of those that keep any."""
    if isinstance(memory, NoReplay):
        return []
    ways = (memory.sampler, memory.storage, memory.backup)
    return [ComponentState(way, memory) for way in ways if way]


def bytes_per_experience(replay: ReplayConfig, n_features: int) -> int:
    """Return how much room an experience takes, accounts included, at most."""
    size = 8 * n_features + 17
    size += {"uniform": 0, "prioritized": 64, "stratified": 160}.get(replay.sampling, 160)
    return size + {"fifo": 0, "reservoir": 0}.get(replay.storage, 32)
