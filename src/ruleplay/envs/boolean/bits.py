"""What all boolean problems share: random bits, and a description of the problem."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.envs.classification import single_step_problem
from ruleplay.envs.problem import Problem


@inline_kernel
def draw_bits(observation, rng):
    """Draw each bit, 0 or 1 with equal probability."""
    for k in range(observation.shape[0]):
        observation[k] = 1.0 if draw_uniform(rng) < 0.5 else 0.0


@inline_kernel
def count_ones(observation, relevant):
    """Count the ones among the first `relevant` bits."""
    ones = 0
    for k in range(relevant):
        ones += int(observation[k])
    return ones


def boolean_problem(name: str, dynamics: Any, feature_names: Sequence[str]) -> Problem:
    """Describe a function of bits whose value, 0 or 1, is the right answer."""
    problem = single_step_problem(name, dynamics, feature_names, ("0", "1"))
    return replace(problem, whole_numbers=True)


def bit_names(bits: int) -> list[str]:
    """Name the bits of a string that have no names of their own."""
    return [f"bit_{k}" for k in range(bits)]
