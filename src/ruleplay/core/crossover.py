"""How two offspring exchange alleles."""

from typing import NamedTuple

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.rng import draw_below, draw_uniform
from ruleplay.core.components.seams import Crossover


@inline_kernel
def cross_uniformly(tag, first, second, rng):
    """Exchange each allele with probability one half."""
    for j in range(first.shape[0]):
        if draw_uniform(rng) < 0.5:
            first[j], second[j] = second[j], first[j]


@inline_kernel
def cross_between_two_points(tag, first, second, rng):
    """Exchange the alleles between two cuts, each drawn among all places for a cut."""
    one = draw_below(first.shape[0] + 1, rng)
    other = draw_below(first.shape[0] + 1, rng)
    for j in range(min(one, other), max(one, other)):
        first[j], second[j] = second[j], first[j]


@Crossover.register("uniform", cross=cross_uniformly)
class Uniform(NamedTuple):
    """Uniform crossover."""


@Crossover.register("two_point", cross=cross_between_two_points)
class TwoPoint(NamedTuple):
    """Two-point crossover."""
