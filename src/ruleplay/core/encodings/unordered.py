"""Unordered bounds: two alleles per dimension, the smaller one is the lower bound."""

from typing import NamedTuple

import numpy as np

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.core.components.seams import Encoding


@inline_kernel
def clip_unit(value):
    """Return the value moved into [0, 1]."""
    return min(max(value, 0.0), 1.0)


@inline_kernel
def express_unordered(tag, alleles, bounds):
    """Write the lower, then the upper bounds that the alleles stand for."""
    n_features = alleles.shape[0] // 2
    for k in range(n_features):
        first, second = alleles[2 * k], alleles[2 * k + 1]
        bounds[k] = min(first, second)
        bounds[n_features + k] = max(first, second)


@inline_kernel
def cover_unordered(tag, alleles, state, params, rng):
    """Draw an interval around each feature, up to r_0 to either side, in random order.

    Around a missing value it is the whole one.
    """
    for k in range(state.shape[0]):
        low = clip_unit(state[k] - draw_uniform(rng) * params.r_0)
        high = clip_unit(state[k] + draw_uniform(rng) * params.r_0)
        if np.isnan(state[k]):
            low, high = 0.0, 1.0
        if draw_uniform(rng) < 0.5:
            alleles[2 * k], alleles[2 * k + 1] = low, high
        else:
            alleles[2 * k], alleles[2 * k + 1] = high, low


@inline_kernel
def mutate_unordered(tag, alleles, params, rng):
    """Move each allele with probability mu by up to m_0 either way, within [0, 1]."""
    for j in range(alleles.shape[0]):
        if draw_uniform(rng) < params.mu:
            alleles[j] = clip_unit(alleles[j] + (2.0 * draw_uniform(rng) - 1.0) * params.m_0)


@inline_kernel
def set_unordered(tag, alleles, k, low, high):
    """Write an interval's bounds; the alleles keep their order."""
    if alleles[2 * k] <= alleles[2 * k + 1]:
        alleles[2 * k], alleles[2 * k + 1] = low, high
    else:
        alleles[2 * k], alleles[2 * k + 1] = high, low


@Encoding.register(
    "unordered",
    express=express_unordered,
    cover_alleles=cover_unordered,
    mutate_alleles=mutate_unordered,
    set_interval=set_unordered,
)
class Unordered(NamedTuple):
    """The unordered-bound representation (UBR)."""
