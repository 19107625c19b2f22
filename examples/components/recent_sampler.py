"""A sampler with a setting and a memory of its own: replay recent experiences, the rare ones more.

It draws two of the newest experiences and replays the one that was replayed less often.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.kernels import Sampler, draw_below, inline_kernel, setting

SETTINGS = {"window": setting(1000, at_least=1, doc="How many of the newest are drawn from.")}


@inline_kernel
def draw_recent(sampler, size, rng):
    """Draw one of the newest slots of a memory that is overwritten from its beginning on."""
    return (sampler.newest[0] + size - draw_below(min(sampler.window, size), rng)) % size


@Sampler.register("recent", settings=SETTINGS)
class Recent(NamedTuple):
    """Fields are what kernels find in `self`; arrays are saved and copied with the engine."""

    window: int
    newest: NDArray[np.int64]  # (1,): the slot that was written last
    replays: NDArray[np.int64]  # (capacity,): how often each experience was replayed

    @classmethod
    def reserve(cls, sizes, settings):
        """Make the fields for a memory of some size."""
        return cls(settings.window, np.zeros(1, np.int64), np.zeros(sizes.capacity, np.int64))

    @inline_kernel
    def sample(self, memory, size, rng):
        """Return the slot to replay next."""
        one, other = draw_recent(self, size, rng), draw_recent(self, size, rng)
        slot = one if self.replays[one] <= self.replays[other] else other
        self.replays[slot] += 1
        return slot

    @inline_kernel
    def note_stored(self, memory, slot, params):
        """Forget about the experience that was in a slot before."""
        self.newest[0] = slot
        self.replays[slot] = 0
