"""Random numbers: the only draws, on an explicit state of four 64-bit words.

xoshiro256++ (Blackman and Vigna, public domain): small enough to live in registers,
and a plain array that can be saved, restored and passed to any kernel.
"""

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel

State = NDArray[np.uint64]

_R23, _R41 = np.uint64(23), np.uint64(41)
_R17, _R45, _R19 = np.uint64(17), np.uint64(45), np.uint64(19)
_R11 = np.uint64(11)
_TO_UNIT = 1.0 / 9007199254740992.0  # 2^-53


def spawn_states(seed: int, streams: int) -> list[State]:
    """Derive independent generator states from one seed, one per stream."""
    children = np.random.SeedSequence(seed).spawn(streams)
    return [child.generate_state(4, np.uint64).astype(np.uint64) for child in children]


@inline_kernel
def draw_uniform(rng):
    """Draw a float uniformly from [0, 1) with 53 random bits."""
    s0, s1, s2, s3 = rng[0], rng[1], rng[2], rng[3]
    total = s0 + s3
    result = ((total << _R23) | (total >> _R41)) + s0
    s2 ^= s0
    s3 ^= s1
    rng[0] = s0 ^ s3
    rng[1] = s1 ^ s2
    rng[2] = s2 ^ (s1 << _R17)
    rng[3] = (s3 << _R45) | (s3 >> _R19)
    return (result >> _R11) * _TO_UNIT


@inline_kernel
def draw_below(count, rng):
    """Draw an integer uniformly from 0 to count - 1."""
    return int(draw_uniform(rng) * count)
