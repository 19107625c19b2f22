"""Even parity: is the number of ones among some of the bits even?

No rule that leaves one of the relevant bits open is better than chance.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.envs._options import whole
from ruleplay.envs.boolean.bits import bit_names, boolean_problem, count_ones, draw_bits
from ruleplay.envs.classification import judge_answer
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem


@kernel
def draw_parity(problem, observation, rng):
    """Draw all bits and note whether the relevant ones hold an even number of ones."""
    draw_bits(observation, rng)
    problem.answer[0] = 1 - count_ones(observation, problem.relevant) % 2


@Dynamics.register("parity", reset_problem=draw_parity, step_problem=judge_answer)
class Parity(NamedTuple):
    """Bits, of which the first `relevant` are counted."""

    relevant: int
    answer: NDArray[np.int64]


@register_problem("parity")
def make_parity(*, bits: int = 10, relevant: int = 4) -> Problem:
    """Build the even parity of the first `relevant` of some bits."""
    bits = whole("bits", bits, 1, 10_000)
    relevant = whole("relevant", relevant, 1, bits)
    dynamics = Parity(relevant, np.zeros(1, dtype=np.int64))
    return boolean_problem("parity", dynamics, bit_names(bits))
