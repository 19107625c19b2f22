"""The chain: only a long row of forward moves reaches the reward [Strens2000].

Not Gym's former NChain-v0, whose rewards make going back worth while: here nothing slips
and going back pays nothing unless asked for, which is the reading that fits the paper's
figures.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.envs._options import real, whole
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem
from ruleplay.envs.teletransport import StartBox, choose_start, draw_start

FORWARD, BACK = 0, 1


@kernel
def begin_chain(problem, observation, rng):
    """Draw the first state, a whole number."""
    draw_start(problem.start, problem.state, rng)
    problem.state[0] = np.floor(problem.state[0])
    observation[0] = problem.state[0] / problem.last


@kernel
def step_chain(problem, action, observation, rng):
    """Move on, or back to state 0; a slip turns the action into the other one."""
    goes_on = (action == FORWARD) != (draw_uniform(rng) < problem.slip)
    reward = 0.0
    if not goes_on:
        problem.state[0] = 0.0
        reward = problem.small
    elif problem.state[0] < problem.last:
        problem.state[0] += 1.0
    else:
        reward = problem.large
    observation[0] = problem.state[0] / problem.last
    return reward, False


@Dynamics.register("chain", reset_problem=begin_chain, step_problem=step_chain)
class Chain(NamedTuple):
    """States 0 to last; forward in the last one stays there and pays `large`."""

    last: int
    slip: float
    small: float
    large: float
    start: StartBox
    state: NDArray[np.float64]


@register_problem("chain")
def make_chain(
    *,
    n: int = 16,
    slip: float = 0.0,
    small: float = 0.0,
    large: float = 1.0,
    time_limit: int = 200,
    teletransport: bool = False,
) -> Problem:
    """Build the chain of `n` states, observed as state / (n - 1)."""
    n = whole("n", n, 2, 1_000_000)
    time_limit = whole("time_limit", time_limit, 1)
    # An interval that holds a single whole number always gives this number.
    start = choose_start([(0.0, 1.0)], [(0.0, float(n))], teletransport)
    dynamics = Chain(
        last=n - 1,
        slip=real("slip", slip, 0.0, 1.0),
        small=real("small", small),
        large=real("large", large),
        start=start,
        state=np.zeros(1),
    )
    farthest = int(start.high[0]) - 1
    return Problem(
        name="chain",
        dynamics=dynamics,
        low=np.zeros(1),
        high=np.ones(1),
        n_actions=2,
        single_step=False,
        time_limit=time_limit,
        divergence_threshold=1.0,
        largest_return=_largest_return(dynamics, farthest, time_limit),
        largest_reward=max(dynamics.large, dynamics.small, 0.0),
        feature_names=("state",),
        action_names=("forward", "back"),
    )


def _largest_return(chain: Chain, start: int, steps: int) -> float:
    """Return the best of going on for good, and of going back at every step.

    Nothing in between beats both: each step spent going back before the way to the end
    exchanges one `large` for one `small`.
    """
    paid = max(steps - (chain.last - start), 0)
    return max(paid * chain.large, steps * chain.small, 0.0)
