"""What we know about well-known environments beyond what their spaces declare.

Names make rules readable. CartPole declares no bounds for its velocities, and for the
position and the angle twice what ends an episode. The states of the grid worlds are numbers
that stand for rows, columns and the like: as features these are what rules can be about.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np

from ruleplay.envs import CompiledEnv
from ruleplay.learners.agent.spaces import Bounds


@dataclass(frozen=True)
class KnownEnv:
    """Names, bounds and the parts of a state's number, as far as known."""

    features: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    bounds: Bounds | None = None
    sizes: tuple[int, ...] = ()
    whole_numbers: bool = False  # whether all features are


Describe = Callable[[Any], KnownEnv]


def _cartpole(env: Any) -> KnownEnv:
    high = np.array([env.x_threshold, 2.0, env.theta_threshold_radians, 2.0])
    return KnownEnv(
        ("position", "velocity", "angle", "angular_velocity"),
        ("push left", "push right"),
        (-high, high),
    )


def _mountain_car(env: Any) -> KnownEnv:
    return KnownEnv(("position", "velocity"), ("push left", "wait", "push right"))


def _acrobot(env: Any) -> KnownEnv:
    return KnownEnv(
        ("cos_1", "sin_1", "cos_2", "sin_2", "velocity_1", "velocity_2"),
        ("torque -1", "no torque", "torque +1"),
    )


def _frozen_lake(env: Any) -> KnownEnv:
    return KnownEnv(("row", "column"), ("left", "down", "right", "up"), sizes=(env.nrow, env.ncol))


def _cliff_walking(env: Any) -> KnownEnv:
    return KnownEnv(("row", "column"), ("up", "right", "down", "left"), sizes=tuple(env.shape))


def _taxi(env: Any) -> KnownEnv:
    return KnownEnv(
        ("row", "column", "passenger", "destination"),
        ("south", "north", "east", "west", "pick up", "drop off"),
        sizes=(5, 5, 5, 4),
    )


_KNOWN: dict[str, Describe] = {
    "CartPoleEnv": _cartpole,
    "MountainCarEnv": _mountain_car,
    "AcrobotEnv": _acrobot,
    "FrozenLakeEnv": _frozen_lake,
    "CliffWalkingEnv": _cliff_walking,
    "TaxiEnv": _taxi,
}


def look_up(env: gymnasium.Env[Any, Any]) -> KnownEnv:
    """Return what is known about an environment whose observations no wrapper changes."""
    plain = env.unwrapped
    if env.observation_space != plain.observation_space:
        return KnownEnv()
    if isinstance(plain, CompiledEnv):
        problem = plain.problem
        return KnownEnv(
            problem.feature_names,
            problem.action_names,
            (problem.low, problem.high),
            whole_numbers=problem.whole_numbers,
        )
    kind = type(plain)
    if not kind.__module__.startswith("gymnasium.envs.") or kind.__name__ not in _KNOWN:
        return KnownEnv()
    return _KNOWN[kind.__name__](plain)
