"""Majority-on: are more than half of the bits ones?

With fewer relevant bits than there are it is also known as count ones: the others do not matter.
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
def draw_majority(problem, observation, rng):
    """Draw all bits and note whether most of the relevant ones are 1."""
    draw_bits(observation, rng)
    ones = count_ones(observation, problem.relevant)
    problem.answer[0] = 1 if 2 * ones > problem.relevant else 0


@Dynamics.register("majority", reset_problem=draw_majority, step_problem=judge_answer)
class Majority(NamedTuple):
    """Bits, of which the first `relevant` are counted."""

    relevant: int
    answer: NDArray[np.int64]


@register_problem("majority")
def make_majority(*, bits: int = 7, relevant: int | None = None) -> Problem:
    """Build majority-on of the first `relevant` bits, by default of all."""
    bits = whole("bits", bits, 1, 10_000)
    relevant = bits if relevant is None else whole("relevant", relevant, 1, bits)
    dynamics = Majority(relevant, np.zeros(1, dtype=np.int64))
    return boolean_problem("majority", dynamics, bit_names(bits))
