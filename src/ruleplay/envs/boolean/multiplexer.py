"""The boolean multiplexer: address bits choose the data bit that is the answer [Wilson1995]."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.envs.boolean.bits import boolean_problem, draw_bits
from ruleplay.envs.classification import judge_answer
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem
from ruleplay.envs.real_multiplexer import addressed_bit, count_address_bits, multiplexer_names


@kernel
def draw_multiplexer(problem, observation, rng):
    """Draw all bits and note the addressed one."""
    draw_bits(observation, rng)
    problem.answer[0] = addressed_bit(observation, problem.address_bits)


@Dynamics.register("mux", reset_problem=draw_multiplexer, step_problem=judge_answer)
class Multiplexer(NamedTuple):
    """Bits, the first `address_bits` of which name one of the others."""

    address_bits: int
    answer: NDArray[np.int64]


@register_problem("mux")
def make_multiplexer(*, bits: int = 6) -> Problem:
    """Build the multiplexer of `bits` = k + 2^k bits."""
    address_bits = count_address_bits(bits)
    dynamics = Multiplexer(address_bits, np.zeros(1, dtype=np.int64))
    return boolean_problem(f"mux{bits}", dynamics, multiplexer_names(address_bits))
