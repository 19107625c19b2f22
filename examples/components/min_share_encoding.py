"""An encoding of intervals: the lower bound, and how much of the rest above it belongs to them."""

from typing import NamedTuple

import numpy as np

from ruleplay.kernels import Encoding, draw_uniform, inline_kernel


@inline_kernel
def clip_unit(value):
    """Return the value moved into [0, 1]."""
    return min(max(value, 0.0), 1.0)


@inline_kernel
def write_interval(alleles, k, low, high):
    """Write the alleles of feature k; after rounding the interval contains both ends."""
    alleles[2 * k] = low
    start = np.float64(alleles[2 * k])
    if start > low:  # rounding went up
        start = clip_unit(low - 1e-7)
        alleles[2 * k] = start
    room = 1.0 - start
    alleles[2 * k + 1] = clip_unit((high - start) / room + 1e-6) if room > 0.0 else 1.0


@Encoding.register("min_share")
class MinShare(NamedTuple):
    """Two alleles per feature: lower bound l, and share s with upper bound l + s (1 - l)."""

    @inline_kernel
    def express(self, alleles, bounds):
        """Write the lower, then the upper bounds."""
        n_features = alleles.shape[0] // 2
        for k in range(n_features):
            low, share = np.float64(alleles[2 * k]), np.float64(alleles[2 * k + 1])
            bounds[k] = low
            bounds[n_features + k] = 1.0 if share >= 1.0 else clip_unit(low + share * (1.0 - low))
            if bounds[n_features + k] < bounds[k]:
                bounds[n_features + k] = bounds[k]

    @inline_kernel
    def cover_alleles(self, alleles, state, params, rng):
        """Draw an interval around each feature, up to r_0 to either side."""
        for k in range(state.shape[0]):
            low = clip_unit(state[k] - draw_uniform(rng) * params.r_0)
            high = clip_unit(state[k] + draw_uniform(rng) * params.r_0)
            if np.isnan(state[k]):
                low, high = 0.0, 1.0
            write_interval(alleles, k, low, high)

    @inline_kernel
    def mutate_alleles(self, alleles, params, rng):
        """Move each allele with probability mu by up to m_0 either way."""
        for j in range(alleles.shape[0]):
            if draw_uniform(rng) < params.mu:
                moved = alleles[j] + (2.0 * draw_uniform(rng) - 1.0) * params.m_0
                alleles[j] = clip_unit(moved)

    @inline_kernel
    def set_interval(self, alleles, k, low, high):
        """Write an interval of feature k."""
        write_interval(alleles, k, low, high)
