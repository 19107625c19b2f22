"""The checkerboard: which of two colours has the field a point lies in? [StoneBull2003]."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.envs._options import whole
from ruleplay.envs.classification import judge_answer, single_step_problem
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem


@kernel
def draw_point(problem, observation, rng):
    """Draw a point uniformly and note its colour: 0 in the corner at the origin."""
    steps = 0
    for k in range(observation.shape[0]):
        observation[k] = draw_uniform(rng)
        steps += int(observation[k] * problem.divisions)
    problem.answer[0] = steps % 2


@Dynamics.register("checkerboard", reset_problem=draw_point, step_problem=judge_answer)
class Checkerboard(NamedTuple):
    """A unit cube with `divisions` fields along each side, coloured in turn."""

    divisions: int
    answer: NDArray[np.int64]


@register_problem("checkerboard")
def make_checkerboard(*, dimensions: int = 2, divisions: int = 5) -> Problem:
    """Build the checkerboard with `divisions` fields along each of its `dimensions`."""
    dimensions = whole("dimensions", dimensions, 1, 1000)
    divisions = whole("divisions", divisions, 2, 1_000_000)
    dynamics = Checkerboard(divisions, np.zeros(1, dtype=np.int64))
    names = [f"x{k}" for k in range(dimensions)]
    return single_step_problem("checkerboard", dynamics, names, ("black", "white"))
