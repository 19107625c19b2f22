"""Uniform sampling: every stored experience has the same chance, with replacement."""

from typing import NamedTuple

from ruleplay.core._jit import inline_kernel
from ruleplay.core._rng import draw_below
from ruleplay.core.weight import FULL
from ruleplay.core.xcs import learn
from ruleplay.replay.memory import note_stored, sample, study, weigh


class Uniform(NamedTuple):
    """Tag of uniform sampling."""


@sample.member(Uniform)
@inline_kernel
def sample_uniformly(sampler, memory, size, rng):
    """Draw a slot uniformly from the first `size` ones."""
    return draw_below(size, rng)


@note_stored.member(Uniform)
@inline_kernel
def ignore_stored(sampler, memory, slot, params):
    """Do nothing: uniform sampling keeps no account."""


@weigh.member(Uniform)
@inline_kernel
def weigh_fully(sampler, agent, slot):
    """Let the experience count in full."""
    return FULL


@study.member(Uniform)
@inline_kernel
def study_plainly(sampler, agent, slot, state, action, target, weight):
    """Learn from the experience; nothing is noted."""
    learn(agent, state, action, target)
