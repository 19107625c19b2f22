"""CartPole: push a cart left or right so that the pole on it stays up [BartoSuttonAnderson1983].

The dynamics are those of Gymnasium's CartPole-v1, in float64. The paper scales the state
with bounds it does not print; ours are options, and an assumption.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.core.basics.copying import copy_values
from ruleplay.envs._options import choice, real, whole
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem
from ruleplay.envs.teletransport import StartBox, choose_start, draw_start

GRAVITY = 9.8
POLE_MASS = 0.1
TOTAL_MASS = POLE_MASS + 1.0
HALF_LENGTH = 0.5
POLE_MOMENT = POLE_MASS * HALF_LENGTH
FORCE = 10.0
SECONDS = 0.02
POSITION_LIMIT = 2.4
ANGLE_LIMIT = 12 * 2 * math.pi / 360

# No push on a track of this length makes the cart or the pole faster by more than this.
_VELOCITY_GAIN = 15.0
_ANGULAR_VELOCITY_GAIN = 8.0


@kernel
def begin_cartpole(problem, observation, rng):
    """Draw the first state."""
    draw_start(problem.start, problem.state, rng)
    copy_values(problem.state, observation)


@kernel
def step_cartpole(problem, action, observation, rng):
    """Push for one fiftieth of a second (Euler's method); pay 1 while the pole stays up."""
    x, velocity = problem.state[0], problem.state[1]
    angle, spin = problem.state[2], problem.state[3]
    force = FORCE if action == 1 else -FORCE
    cosine, sine = math.cos(angle), math.sin(angle)
    push = (force + POLE_MOMENT * (spin * spin) * sine) / TOTAL_MASS
    inertia = HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * (cosine * cosine) / TOTAL_MASS)
    angular_acceleration = (GRAVITY * sine - cosine * push) / inertia
    acceleration = push - POLE_MOMENT * angular_acceleration * cosine / TOTAL_MASS

    problem.state[0] = x + SECONDS * velocity
    problem.state[1] = velocity + SECONDS * acceleration
    problem.state[2] = angle + SECONDS * spin
    problem.state[3] = spin + SECONDS * angular_acceleration
    copy_values(problem.state, observation)

    fallen = abs(problem.state[0]) > POSITION_LIMIT or abs(problem.state[2]) > ANGLE_LIMIT
    return problem.fall_reward if fallen else 1.0, fallen


@Dynamics.register("cartpole", reset_problem=begin_cartpole, step_problem=step_cartpole)
class CartPole(NamedTuple):
    """State: the cart's position and velocity, the pole's angle and angular velocity."""

    fall_reward: float
    start: StartBox
    state: NDArray[np.float64]


@register_problem("cartpole")
def make_cartpole(
    *,
    reward: str = "paper",
    velocity_bound: float = 3.0,
    angular_velocity_bound: float = 3.5,
    time_limit: int = 200,
    teletransport: bool = False,
) -> Problem:
    """Build CartPole; the falling step pays 0 ("paper") or 1 ("standard").

    The two bounds scale the velocities, and limit them in teletransported starts.
    """
    standard = choice("reward", reward, ("paper", "standard")) == "standard"
    time_limit = whole("time_limit", time_limit, 1)
    fastest = real("velocity_bound", velocity_bound, 0.0, 100.0, above_low=True)
    spin = real("angular_velocity_bound", angular_velocity_bound, 0.0, 100.0, above_low=True)
    high = np.array([POSITION_LIMIT, fastest, ANGLE_LIMIT, spin])
    everywhere = [(-bound, bound) for bound in high]
    start = choose_start([(-0.05, 0.05)] * 4, everywhere, teletransport)
    return Problem(
        name="cartpole",
        dynamics=CartPole(1.0 if standard else 0.0, start, np.zeros(4)),
        low=-high,
        high=high,
        margin=_margin(fastest, spin),
        n_actions=2,
        single_step=False,
        time_limit=time_limit,
        divergence_threshold=70.0,
        largest_return=float(time_limit),
        largest_reward=1.0,
        feature_names=("position", "velocity", "angle", "angular_velocity"),
        action_names=("left", "right"),
    )


def _margin(fastest: float, spin: float) -> NDArray[np.float64]:
    """Return how far outside the bounds an observation can lie, the falling one included."""
    return np.array(
        [
            SECONDS * (fastest + _VELOCITY_GAIN),
            _VELOCITY_GAIN,
            SECONDS * (spin + _ANGULAR_VELOCITY_GAIN),
            _ANGULAR_VELOCITY_GAIN,
        ]
    )
