"""Functions of two numbers: what papers about XCSF have rules approximate.

There is one action, and it pays the function's value: what rules predict is the function.
"""

import math
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.config import unknown_name
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem
from ruleplay.errors import ConfigError

SINE, SINE_IN_SINE, CROSSED_RIDGE, RINGS = range(4)


class Known(NamedTuple):
    """A function over a square: its number, the square's side, its least and its largest value."""

    number: int
    low: float
    high: float
    least: float
    largest: float


FUNCTIONS = {
    "sine": Known(SINE, 0.0, 1.0, -1.0, 1.0),
    "sine-in-sine": Known(SINE_IN_SINE, 0.0, 1.0, -1.0, 1.0),
    "crossed-ridge": Known(CROSSED_RIDGE, -1.0, 1.0, 0.0, 1.25),
    "rings": Known(RINGS, -1.0, 1.0, -1.0, 1.0),
}


@kernel
def value_at(number, x, y):
    """Return the value of a function, given by its number, at a point."""
    if number == SINE:
        return math.sin(2.0 * math.pi * (x + y))
    if number == SINE_IN_SINE:
        return math.sin(4.0 * math.pi * (x + math.sin(math.pi * y)))
    if number == CROSSED_RIDGE:
        hill = 1.25 * math.exp(-5.0 * (x * x + y * y))
        return max(math.exp(-10.0 * x * x), math.exp(-50.0 * y * y), hill)
    return math.sin(3.0 * math.pi * math.sqrt(x * x + y * y))


@kernel
def draw_place(problem, observation, rng):
    """Draw a point of the square uniformly, and note the function's value there."""
    for k in range(2):
        observation[k] = problem.low + (problem.high - problem.low) * draw_uniform(rng)
    problem.value[0] = value_at(problem.number, observation[0], observation[1])


@kernel
def pay_value(problem, action, observation, rng):
    """Pay the function's value, and end the episode."""
    return problem.value[0], True


@Dynamics.register("function", reset_problem=draw_place, step_problem=pay_value)
class Surface(NamedTuple):
    """A function over the square [low, high]²."""

    number: int
    low: float
    high: float
    value: NDArray[np.float64]


@register_problem("function")
def make_function(*, function: str = "crossed-ridge") -> Problem:
    """Build the problem of predicting a function: sine, sine-in-sine, crossed-ridge or rings."""
    if not isinstance(function, str) or function not in FUNCTIONS:
        raise ConfigError(unknown_name("function", str(function), list(FUNCTIONS)))
    chosen = FUNCTIONS[function]
    return Problem(
        name="function",
        dynamics=Surface(chosen.number, chosen.low, chosen.high, np.zeros(1)),
        low=np.full(2, chosen.low),
        high=np.full(2, chosen.high),
        n_actions=1,
        single_step=True,
        time_limit=0,
        divergence_threshold=None,
        largest_return=chosen.largest,
        largest_reward=chosen.largest,
        least_reward=chosen.least,
        feature_names=("x", "y"),
        action_names=("value",),
        function=partial(values_at, chosen.number),
    )


def values_at(number: int, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values of a function, given by its number, at points, (points, 2)."""
    return np.array([value_at(number, x, y) for x, y in points.tolist()])
