"""Uniform sampling: every stored experience has the same chance, with replacement."""

from typing import NamedTuple

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.rng import draw_below
from ruleplay.core.components.seams import Sampler


@inline_kernel
def sample_uniformly(sampler, memory, size, rng):
    """Draw a slot uniformly from the first `size` ones."""
    return draw_below(size, rng)


@Sampler.register("uniform", sample=sample_uniformly)
class Uniform(NamedTuple):
    """Uniform sampling."""
