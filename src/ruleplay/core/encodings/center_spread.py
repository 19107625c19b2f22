"""Centre and spread: the alleles of a dimension are an interval's middle and half-width."""

from typing import NamedTuple

import numpy as np

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.core.components.seams import Encoding
from ruleplay.core.encodings.unordered import clip_unit, mutate_unordered

_WIDER = 1.0 + 2.0**-23  # makes up for what rounding to float32 may take away


@inline_kernel
def express_center_spread(tag, alleles, bounds):
    """Write the lower, then the upper bounds, cut to [0, 1]."""
    n_features = alleles.shape[0] // 2
    for k in range(n_features):
        center, spread = np.float64(alleles[2 * k]), np.float64(alleles[2 * k + 1])
        bounds[k] = clip_unit(center - spread)
        bounds[n_features + k] = clip_unit(center + spread)


@inline_kernel
def cover_center_spread(tag, alleles, state, params, rng):
    """Centre an interval on each feature, its spread up to r_0; the whole on a missing one."""
    for k in range(state.shape[0]):
        spread = draw_uniform(rng) * params.r_0
        if np.isnan(state[k]):
            alleles[2 * k], alleles[2 * k + 1] = 0.5, 0.5
        else:
            alleles[2 * k], alleles[2 * k + 1] = state[k], spread


@inline_kernel
def set_center_spread(tag, alleles, k, low, high):
    """Write an interval's middle and half-width, which after rounding cover all of it."""
    alleles[2 * k] = 0.5 * (low + high)
    center = np.float64(alleles[2 * k])
    spread = max(center - low, high - center)
    alleles[2 * k + 1] = spread
    if np.float64(alleles[2 * k + 1]) < spread:
        alleles[2 * k + 1] = spread * _WIDER


@Encoding.register(
    "center_spread",
    express=express_center_spread,
    cover_alleles=cover_center_spread,
    mutate_alleles=mutate_unordered,
    set_interval=set_center_spread,
)
class CenterSpread(NamedTuple):
    """The centre-spread representation (CSR)."""
