"""Acrobot: swing the tip of a two-link pendulum above a line, with a motor between the links.

The dynamics are those of Gymnasium's Acrobot-v1 (after Sutton, 1996, with the equations of the
book of Sutton and Barto), in float64; a step is one of the classical Runge-Kutta method.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.envs._options import whole
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem
from ruleplay.envs.teletransport import StartBox, choose_start, draw_start

SECONDS = 0.2
GRAVITY = 9.8
FASTEST = (4 * math.pi, 9 * math.pi)  # angular velocities
HEIGHT = 1.0  # of the line above the pivot; links have length and mass 1, centred mass
_INERTIA = 1.0


@inline_kernel
def observe(state, observation):
    """Write cosine and sine of both angles, then the velocities."""
    observation[0], observation[1] = math.cos(state[0]), math.sin(state[0])
    observation[2], observation[3] = math.cos(state[1]), math.sin(state[1])
    observation[4], observation[5] = state[2], state[3]


@kernel
def begin_acrobot(problem, observation, rng):
    """Draw the first state."""
    draw_start(problem.start, problem.state, rng)
    observe(problem.state, observation)


@kernel
def derive(state, torque, slope):
    """Write the time derivative of a state under a torque."""
    first, second, spin_1, spin_2 = state[0], state[1], state[2], state[3]
    d1 = 0.25 + (1.0 + 0.25 + math.cos(second)) + 2.0 * _INERTIA
    d2 = 0.25 + 0.5 * math.cos(second) + _INERTIA
    phi_2 = 0.5 * GRAVITY * math.cos(first + second - math.pi / 2.0)
    phi_1 = -0.5 * (spin_2 * spin_2) * math.sin(second)
    phi_1 += -spin_2 * spin_1 * math.sin(second)
    phi_1 += 1.5 * GRAVITY * math.cos(first - math.pi / 2.0) + phi_2
    push = torque + d2 / d1 * phi_1 - 0.5 * (spin_1 * spin_1) * math.sin(second) - phi_2
    acceleration = push / (0.25 + _INERTIA - d2 * d2 / d1)
    slope[0], slope[1] = spin_1, spin_2
    slope[2] = -(d2 * acceleration + phi_1) / d1
    slope[3] = acceleration


@kernel
def integrate(state, torque, slopes):
    """Advance a state by one step of the classical Runge-Kutta method, in place."""
    middle = slopes[4]
    derive(state, torque, slopes[0])
    for stage in range(1, 4):
        share = SECONDS if stage == 3 else 0.5 * SECONDS
        for k in range(4):
            middle[k] = state[k] + share * slopes[stage - 1, k]
        derive(middle, torque, slopes[stage])
    for k in range(4):
        rise = slopes[0, k] + 2.0 * slopes[1, k] + 2.0 * slopes[2, k] + slopes[3, k]
        state[k] += SECONDS / 6.0 * rise


@inline_kernel
def wrap(angle):
    """Return the angle in [-pi, pi]."""
    while angle > math.pi:
        angle -= 2.0 * math.pi
    while angle < -math.pi:
        angle += 2.0 * math.pi
    return angle


@kernel
def step_acrobot(problem, action, observation, rng):
    """Apply a torque of -1, 0 or 1 for a fifth of a second; the tip above the line ends it."""
    state = problem.state
    integrate(state, action - 1.0, problem.slopes)
    state[0], state[1] = wrap(state[0]), wrap(state[1])
    state[2] = min(max(state[2], -FASTEST[0]), FASTEST[0])
    state[3] = min(max(state[3], -FASTEST[1]), FASTEST[1])
    observe(state, observation)
    arrived = -math.cos(state[0]) - math.cos(state[1] + state[0]) > HEIGHT
    return 0.0 if arrived else -1.0, arrived


@Dynamics.register("acrobot", reset_problem=begin_acrobot, step_problem=step_acrobot)
class Acrobot(NamedTuple):
    """State: the angle of the first link, that of the second to it, and their velocities."""

    start: StartBox
    state: NDArray[np.float64]
    slopes: NDArray[np.float64]  # (5, 4): working space of the integration


@register_problem("acrobot")
def make_acrobot(*, time_limit: int = 500, teletransport: bool = False) -> Problem:
    """Build Acrobot; it pays -1 a step until the tip is above the line."""
    high = np.array([1.0, 1.0, 1.0, 1.0, *FASTEST])
    everywhere = [(-bound, bound) for bound in (math.pi, math.pi, *FASTEST)]
    start = choose_start([(-0.1, 0.1)] * 4, everywhere, teletransport)
    return Problem(
        name="acrobot",
        dynamics=Acrobot(start, np.zeros(4), np.zeros((5, 4))),
        low=-high,
        high=high,
        n_actions=3,
        single_step=False,
        time_limit=whole("time_limit", time_limit, 1),
        divergence_threshold=None,
        largest_return=0.0,
        largest_reward=0.0,
        feature_names=("cos_1", "sin_1", "cos_2", "sin_2", "velocity_1", "velocity_2"),
        action_names=("clockwise", "idle", "anticlockwise"),
    )
