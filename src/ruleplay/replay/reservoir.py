"""Reservoir: each experience ever seen has the same chance to be in the memory.

Once the memory is full, experience number n (from 0) is kept with probability N / (n + 1)
and takes the place of one drawn uniformly (algorithm R of Vitter, 1985).
"""

from typing import NamedTuple

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.rng import draw_below
from ruleplay.core.components.seams import Storage


@inline_kernel
def choose_by_lot(storage, stored, capacity, rng):
    """Return the next empty slot, then any of the first stored + 1; none beyond the memory."""
    if stored < capacity:
        return stored
    slot = draw_below(stored + 1, rng)
    return slot if slot < capacity else -1


@Storage.register("reservoir", choose_slot=choose_by_lot)
class Reservoir(NamedTuple):
    """Reservoir storage."""
