"""MountainCar: swing a weak car up a hill [Moore1990].

The dynamics are those of Gymnasium's MountainCar-v0, in float64.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.core.basics.copying import copy_values
from ruleplay.envs._options import choice, whole
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem
from ruleplay.envs.teletransport import StartBox, choose_start, draw_start

LEFT_END, RIGHT_END = -1.2, 0.6
GOAL = 0.5
TOP_SPEED = 0.07
ENGINE = 0.001
SLOPE = 0.0025


@kernel
def begin_mountaincar(problem, observation, rng):
    """Draw the first state."""
    draw_start(problem.start, problem.state, rng)
    copy_values(problem.state, observation)


@kernel
def step_mountaincar(problem, action, observation, rng):
    """Accelerate, roll on, stop dead at the left end; end the episode at the goal."""
    position, velocity = problem.state[0], problem.state[1]
    velocity += (action - 1) * ENGINE + math.cos(3 * position) * (-SLOPE)
    velocity = min(max(velocity, -TOP_SPEED), TOP_SPEED)
    position = min(max(position + velocity, LEFT_END), RIGHT_END)
    if position == LEFT_END and velocity < 0.0:
        velocity = 0.0
    problem.state[0] = position
    problem.state[1] = velocity
    copy_values(problem.state, observation)

    arrived = position >= GOAL and velocity >= 0.0
    return problem.goal_reward if arrived else problem.step_reward, arrived


@Dynamics.register("mountaincar", reset_problem=begin_mountaincar, step_problem=step_mountaincar)
class MountainCar(NamedTuple):
    """State: position and velocity."""

    step_reward: float
    goal_reward: float
    start: StartBox
    state: NDArray[np.float64]


@register_problem("mountaincar")
def make_mountaincar(
    *, reward: str = "sparse", time_limit: int = 500, teletransport: bool = False
) -> Problem:
    """Build MountainCar; it pays 1000 at the goal ("sparse") or -1 a step ("standard")."""
    sparse = choice("reward", reward, ("sparse", "standard")) == "sparse"
    step_reward, goal_reward = (0.0, 1000.0) if sparse else (-1.0, -1.0)
    everywhere = [(LEFT_END, GOAL), (-TOP_SPEED, TOP_SPEED)]
    start = choose_start([(-0.6, -0.4), (0.0, 0.0)], everywhere, teletransport)
    return Problem(
        name="mountaincar",
        dynamics=MountainCar(step_reward, goal_reward, start, np.zeros(2)),
        low=np.array([LEFT_END, -TOP_SPEED]),
        high=np.array([RIGHT_END, TOP_SPEED]),
        n_actions=3,
        single_step=False,
        time_limit=whole("time_limit", time_limit, 1),
        divergence_threshold=200.0 if sparse else None,
        largest_return=goal_reward,
        largest_reward=goal_reward,
        feature_names=("position", "velocity"),
        action_names=("left", "coast", "right"),
    )
