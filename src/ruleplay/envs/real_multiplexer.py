"""The real multiplexer: address bits choose the data bit that is the answer [Wilson2000]."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.envs._options import whole
from ruleplay.envs.classification import judge_answer, single_step_problem
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem
from ruleplay.errors import ConfigError

LEGAL_BITS = tuple(k + 2**k for k in range(1, 13))


@inline_kernel
def addressed_bit(observation, address_bits):
    """Return the data bit that the address names; a number above 0.5 is a 1."""
    address = 0
    for k in range(address_bits):
        address = 2 * address + (1 if observation[k] > 0.5 else 0)
    return 1 if observation[address_bits + address] > 0.5 else 0


@kernel
def draw_string(problem, observation, rng):
    """Draw every number uniformly and note the addressed bit."""
    for k in range(observation.shape[0]):
        observation[k] = draw_uniform(rng)
    problem.answer[0] = addressed_bit(observation, problem.address_bits)


@Dynamics.register("rmp", reset_problem=draw_string, step_problem=judge_answer)
class RealMultiplexer(NamedTuple):
    """Numbers in [0, 1), the first `address_bits` of which name one of the others."""

    address_bits: int
    answer: NDArray[np.int64]


def count_address_bits(bits: int) -> int:
    """Return k where `bits` = k + 2^k, or refuse a number of bits that no multiplexer has."""
    if whole("bits", bits, 1) not in LEGAL_BITS:
        legal = ", ".join(map(str, LEGAL_BITS))
        raise ConfigError(f"bits must be k + 2^k for a k from 1 to 12 ({legal}), got {bits!r}")
    return LEGAL_BITS.index(bits) + 1


def multiplexer_names(address_bits: int) -> list[str]:
    """Name the bits of a multiplexer."""
    names = [f"address_{k}" for k in range(address_bits)]
    return names + [f"data_{k}" for k in range(2**address_bits)]


@register_problem("rmp")
def make_real_multiplexer(*, bits: int = 6) -> Problem:
    """Build the real multiplexer of `bits` = k + 2^k numbers."""
    address_bits = count_address_bits(bits)
    dynamics = RealMultiplexer(address_bits, np.zeros(1, dtype=np.int64))
    return single_step_problem(f"rmp{bits}", dynamics, multiplexer_names(address_bits), ("0", "1"))
