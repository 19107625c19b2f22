"""The real multiplexer: address bits choose the data bit that is the answer [Wilson2000]."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.envs._options import whole
from ruleplay.envs.classification import judge_answer, single_step_problem
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem
from ruleplay.errors import ConfigError

LEGAL_BITS = tuple(k + 2**k for k in range(1, 13))


@kernel
def draw_string(problem, observation, rng):
    """Draw every number uniformly and note the addressed bit; a number above 0.5 is a 1."""
    for k in range(observation.shape[0]):
        observation[k] = draw_uniform(rng)
    address = 0
    for k in range(problem.address_bits):
        address = 2 * address + (1 if observation[k] > 0.5 else 0)
    problem.answer[0] = 1 if observation[problem.address_bits + address] > 0.5 else 0


@Dynamics.register("rmp", reset_problem=draw_string, step_problem=judge_answer)
class RealMultiplexer(NamedTuple):
    """Numbers in [0, 1), the first `address_bits` of which name one of the others."""

    address_bits: int
    answer: NDArray[np.int64]


@register_problem("rmp")
def make_real_multiplexer(*, bits: int = 6) -> Problem:
    """Build the real multiplexer of `bits` = k + 2^k numbers."""
    if whole("bits", bits, 1) not in LEGAL_BITS:
        legal = ", ".join(map(str, LEGAL_BITS))
        raise ConfigError(f"bits must be k + 2^k for a k from 1 to 12 ({legal}), got {bits!r}")
    address_bits = LEGAL_BITS.index(bits) + 1
    names = [f"address_{k}" for k in range(address_bits)]
    names += [f"data_{k}" for k in range(bits - address_bits)]
    dynamics = RealMultiplexer(address_bits, np.zeros(1, dtype=np.int64))
    return single_step_problem(f"rmp{bits}", dynamics, names, ("0", "1"))
