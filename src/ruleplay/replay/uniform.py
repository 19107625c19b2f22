"""Uniform sampling: every stored experience has the same chance, with replacement."""

from typing import NamedTuple

from ruleplay.core._jit import inline_kernel
from ruleplay.core._rng import draw_below
from ruleplay.replay.memory import note_replayed, note_stored, sample


class Uniform(NamedTuple):
    """Tag of uniform sampling."""


@sample.member(Uniform)
@inline_kernel
def sample_uniformly(sampler, memory, size, rng):
    """Draw a slot uniformly from the first `size` ones."""
    return draw_below(size, rng)


@note_stored.member(Uniform)
@inline_kernel
def ignore_stored(sampler, slot):
    """Do nothing: uniform sampling keeps no account."""


@note_replayed.member(Uniform)
@inline_kernel
def ignore_replayed(sampler, slot, surprise):
    """Do nothing: uniform sampling keeps no account."""
