"""Protected storage: the newest rewarding experiences are not overwritten by common ones.

An experience is rewarding if its reward is not the usual one or if it ends an episode. The
newest Q rewarding experiences are protected. A full memory overwrites the oldest experience
that is not. If all are rewarding, that is the oldest one, as in a plain memory.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.config.fields import param
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import Storage
from ruleplay.errors import ConfigError
from ruleplay.replay.returns import TERMINAL

SETTINGS = {
    "protected_share": param(
        0.2, above=0.0, below=1.0, later=True, doc="Share of a memory that may be protected."
    ),
    "usual_reward": param(
        0.0, later=True, doc="Reward that protects no experience, unless it ends an episode."
    ),
}

# Every slot in use stands in one of three queues, each ordered by age.
COMMON, GUARDED, RELEASED = 0, 1, 2  # released: rewarding, but no longer protected


def most_protected(capacity: int, share: float) -> int:
    """Return Q, at least one and not all experiences."""
    return min(max(1, int(share * capacity)), capacity - 1)


@inline_kernel
def front(storage, kind):
    """Return the oldest slot of a queue."""
    return storage.queues[kind, storage.heads[kind]]


@inline_kernel
def leave(storage, kind):
    """Remove the oldest slot of a queue."""
    storage.heads[kind] = (storage.heads[kind] + 1) % storage.queues.shape[1]
    storage.lengths[kind] -= 1


@inline_kernel
def enqueue(storage, kind, slot):
    """Append a slot to a queue."""
    place = (storage.heads[kind] + storage.lengths[kind]) % storage.queues.shape[1]
    storage.queues[kind, place] = slot
    storage.lengths[kind] += 1


@kernel
def choose_unprotected(storage, stored, capacity, rng):
    """Return the next empty slot, then that of the oldest unprotected experience."""
    if stored < capacity:
        return stored
    kind = COMMON
    if storage.lengths[RELEASED] > 0:
        older = storage.stamps[front(storage, RELEASED)] < storage.stamps[front(storage, COMMON)]
        if storage.lengths[COMMON] == 0 or older:
            kind = RELEASED
    slot = front(storage, kind)
    leave(storage, kind)
    return slot


@kernel
def queue_up(storage, memory, stored, slot, params):
    """Let a new experience stand in its queue; protect the newest rewarding ones only."""
    storage.stamps[slot] = stored
    is_end = memory.terminal[slot] & TERMINAL != 0
    if not is_end and memory.rewards[slot] == storage.usual_reward:
        enqueue(storage, COMMON, slot)
        return
    enqueue(storage, GUARDED, slot)
    if storage.lengths[GUARDED] > storage.limit[0]:
        enqueue(storage, RELEASED, front(storage, GUARDED))
        leave(storage, GUARDED)


@Storage.register(
    "protected", settings=SETTINGS, choose_slot=choose_unprotected, note_kept=queue_up
)
class Protected(NamedTuple):
    """Protected storage, and its accounts."""

    stamps: Any = ()  # (capacity,): how many experiences came before the one in a slot
    queues: Any = ()  # (3, capacity): slots, each queue a ring
    heads: Any = ()  # (3,): where each queue begins
    lengths: Any = ()  # (3,)
    limit: Any = ()  # (1,): Q
    usual_reward: float = 0.0

    @staticmethod
    def check_settings(settings: Any) -> None:
        """Refuse a memory of which nothing could be overwritten."""
        if settings.capacity < 2:
            raise ConfigError(
                "replay_capacity (N) must be an integer in [2, inf) for "
                f"replay_storage = 'protected', got {settings.capacity}"
            )

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> "Protected":
        """Reserve accounts of an empty memory."""
        capacity, share = sizes.capacity, settings.protected_share
        return cls(
            stamps=np.zeros(capacity, np.int64),
            queues=np.zeros((3, capacity), np.int64),
            heads=np.zeros(3, np.int64),
            lengths=np.zeros(3, np.int64),
            limit=np.array([most_protected(capacity, share)]),
            usual_reward=settings.usual_reward,
        )

    def slots(self) -> tuple[NDArray[Any], ...]:
        """Return the accounts per slot from which, with the memory, the others follow."""
        return (self.stamps,)

    def whole(self) -> tuple[NDArray[Any], ...]:
        """Return the accounts that belong to no slot."""
        return ()

    def adopt(self, other: "Protected", slots: NDArray[np.int64], memory: Any, params: Any) -> None:
        """Take over the ages of the experiences that now are in the first slots."""
        self.stamps[: len(slots)] = other.stamps[slots]
        self.restore(memory, len(slots), params)

    def restore(self, memory: Any, size: int, params: Any) -> None:
        """Derive all accounts from those per slot."""
        self.heads[:] = 0
        for kind, slots in enumerate(self._sorted(memory, size)):
            self.queues[kind, : len(slots)] = slots
            self.lengths[kind] = len(slots)

    def faults(self, memory: Any, stored: int, params: Any) -> list[str]:
        """Return a sentence for each thing that does not hold of the accounts."""
        size = min(stored, len(memory.actions))
        ages = np.unique(self.stamps[:size])
        if len(ages) != size or (size and not 0 <= ages[0] <= ages[-1] == stored - 1):
            return ["ages of experiences must differ and be known"]
        right = all(
            np.array_equal(self._queue(kind), slots)
            for kind, slots in enumerate(self._sorted(memory, size))
        )
        return [] if right else ["queues must hold the experiences by kind and age"]

    def _queue(self, kind: int) -> Any:
        places = self.heads[kind] + np.arange(self.lengths[kind])
        return self.queues[kind, places % self.queues.shape[1]]

    def _sorted(self, memory: Any, size: int) -> list[Any]:
        """Return the slots of each kind, the oldest first."""
        by_age = np.argsort(self.stamps[:size], kind="stable")
        ends = (memory.terminal[by_age] & TERMINAL) != 0
        rewarding = ends | (memory.rewards[by_age] != self.usual_reward)
        split = max(0, int(rewarding.sum()) - int(self.limit[0]))
        guarded = by_age[rewarding]
        return [by_age[~rewarding], guarded[split:], guarded[:split]]
