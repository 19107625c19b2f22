"""What a compiled problem can do: begin an episode, and answer an action.

A compiled problem is a component: a NamedTuple of numbers and arrays, with two kernels. Whatever
changes lives in the arrays. Time limits are the business of whoever counts the steps.

A run reaches both through addresses (`begin_problem`, `answer_action`): the loop that is
compiled for one problem serves all others.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from ruleplay.compiler.bundles import INTERPRETED, Bundle, BundleType, Far
from ruleplay.compiler.units import Table
from ruleplay.core.components.registry import Seam


class Dynamics(Seam, built_in={}, is_reserved=False):
    """What a problem does.

    `observation` (features,) is the caller's float64 buffer, written in the problem's own units.
    """

    def reset_problem(self, observation, rng):
        """Begin an episode and write its first observation."""

    def step_problem(self, action, observation, rng):
        """Answer an action, write the next observation; return (reward, terminated)."""


reset_problem, step_problem = Dynamics.reset_problem, Dynamics.step_problem

problem_units = Table(begin_problem=__name__, answer_action=__name__)
_OBSERVATION, _RANDOM_STATE = types.float64[::1], types.uint64[::1]
_ANSWER = types.Tuple((types.float64, types.boolean))


class Reachable(NamedTuple):
    """A compiled problem, and where its machine code is."""

    calls: NDArray[np.int64]
    dynamics: Any


class Opaque(NamedTuple):
    """How a `Reachable` looks to a loop, which is not to depend on what the problem is."""

    calls: NDArray[np.int64]


@problem_units.unit(_OBSERVATION, _RANDOM_STATE)
def begin_problem(problem, observation, rng):
    """Begin an episode of a reachable problem."""
    reset_problem(problem.dynamics, observation, rng)


@problem_units.unit(types.int64, _OBSERVATION, _RANDOM_STATE, returns=_ANSWER)
def answer_action(problem, action, observation, rng):
    """Let a reachable problem answer an action: the reward, and whether the episode is over."""
    reward, terminated = step_problem(problem.dynamics, action, observation, rng)
    return reward, terminated


def reach(dynamics: Any) -> Any:
    """Return a problem as loops take it; its machine code is compiled now, or found on disk."""
    problem = Reachable(problem_units.reserve(), dynamics)
    if INTERPRETED:
        return problem
    bundle = Bundle(problem)
    problem_units.fill(problem.calls, bundle.layout)
    return Far(bundle, BundleType(Opaque, [("calls", types.int64[::1])]))
