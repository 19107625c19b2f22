"""Ternary symbols: a bit of the state must be 0, must be 1, or does not matter (#)."""

from typing import Any, NamedTuple, Self

import numpy as np

from ruleplay.compiler.jit import inline_kernel
from ruleplay.contrib.symbols.settings import FREE_SHARE
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import Encoding

ANY = 0.5  # the first allele of a feature that does not matter; else it is the bit itself


@inline_kernel
def express_ternary(own, alleles, bounds):
    """Write the half of [0, 1] that a bit lies in, or all of it."""
    n_features = alleles.shape[0] // 2
    for k in range(n_features):
        symbol = alleles[2 * k]
        bounds[k] = 0.5 if symbol > ANY else 0.0
        bounds[n_features + k] = 0.5 if symbol < ANY else 1.0


@inline_kernel
def cover_ternary(own, alleles, state, params, rng):
    """Take over each bit, or let it not matter with probability P_#; a missing one does not."""
    for k in range(state.shape[0]):
        free = draw_uniform(rng) < own.free_share
        bit = 1.0 if state[k] >= 0.5 else 0.0
        alleles[2 * k] = ANY if free or np.isnan(state[k]) else bit
        alleles[2 * k + 1] = 0.0


@inline_kernel
def mutate_ternary(own, alleles, params, rng):
    """Let a symbol with probability mu no longer matter, or, if it did not, be a bit."""
    for k in range(alleles.shape[0] // 2):
        if draw_uniform(rng) < params.mu:
            bit = 1.0 if draw_uniform(rng) < 0.5 else 0.0
            alleles[2 * k] = bit if alleles[2 * k] == ANY else ANY


@inline_kernel
def set_ternary(own, alleles, k, low, high):
    """Write the narrowest symbol that contains an interval."""
    alleles[2 * k] = 1.0 if low >= 0.5 else (0.0 if high <= 0.5 else ANY)
    alleles[2 * k + 1] = 0.0


@Encoding.register(
    "ternary",
    settings=FREE_SHARE,
    express=express_ternary,
    cover_alleles=cover_ternary,
    mutate_alleles=mutate_ternary,
    set_interval=set_ternary,
)
class Ternary(NamedTuple):
    """Bits, as the first classifier systems have them."""

    free_share: float

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> Self:
        """Return the encoding with its share of free bits."""
        return cls(float(settings.free_share))
