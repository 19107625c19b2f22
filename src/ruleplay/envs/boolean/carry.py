"""Carry: does the sum of two binary numbers need one digit more than they have?"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.envs._options import whole
from ruleplay.envs.boolean.bits import boolean_problem, draw_bits
from ruleplay.envs.classification import judge_answer
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem


@kernel
def draw_addends(problem, observation, rng):
    """Draw two numbers, the highest digit first, and note the carry of their sum."""
    draw_bits(observation, rng)
    carry = 0
    for k in range(problem.digits - 1, -1, -1):
        carry = (int(observation[k]) + int(observation[problem.digits + k]) + carry) // 2
    problem.answer[0] = carry


@Dynamics.register("carry", reset_problem=draw_addends, step_problem=judge_answer)
class Carry(NamedTuple):
    """Two binary numbers of `digits` digits, one after the other."""

    digits: int
    answer: NDArray[np.int64]


@register_problem("carry")
def make_carry(*, digits: int = 4) -> Problem:
    """Build the carry of the sum of two numbers of `digits` binary digits."""
    digits = whole("digits", digits, 1, 5000)
    dynamics = Carry(digits, np.zeros(1, dtype=np.int64))
    names = [f"{number}_{k}" for number in "ab" for k in reversed(range(digits))]
    return boolean_problem("carry", dynamics, names)
