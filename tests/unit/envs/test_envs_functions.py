"""Functions are paid as they are: one action, and the value at the point that is seen."""

import math

import numpy as np
import pytest

from ruleplay.core.basics.rng import spawn_states
from ruleplay.envs import make_problem, reset_problem, step_problem
from ruleplay.envs.functions import FUNCTIONS
from ruleplay.errors import ConfigError

VALUES = {
    "sine": lambda x, y: math.sin(2 * math.pi * (x + y)),
    "sine-in-sine": lambda x, y: math.sin(4 * math.pi * (x + math.sin(math.pi * y))),
    "crossed-ridge": lambda x, y: max(
        math.exp(-10 * x**2), math.exp(-50 * y**2), 1.25 * math.exp(-5 * (x**2 + y**2))
    ),
    "rings": lambda x, y: math.sin(3 * math.pi * math.hypot(x, y)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_point_pays_the_value_of_the_function(name):
    problem, rng, seen = make_problem("function", function=name), spawn_states(0, 1)[0], []
    assert problem.is_quantity
    observation = np.zeros(2)
    for _ in range(2000):
        reset_problem(problem.dynamics, observation, rng)
        seen.append(observation.copy())
        value, is_over = step_problem(problem.dynamics, 0, observation, rng)
        assert is_over
        assert value == pytest.approx(VALUES[name](*seen[-1]), abs=1e-12)
        assert problem.least_reward <= value <= problem.largest_reward
    values = problem.function(np.array(seen[:9]))
    assert values == pytest.approx([VALUES[name](*point) for point in seen[:9]], abs=1e-12)
    assert (problem.low <= np.min(seen, axis=0)).all()
    assert (np.max(seen, axis=0) <= problem.high).all()
    assert np.ptp(seen, axis=0) == pytest.approx(problem.high - problem.low, rel=0.02)


def test_other_functions_are_refused():
    with pytest.raises(ConfigError, match=r"unknown function: 'sinus'; did you mean 'sine'"):
        make_problem("function", function="sinus")
