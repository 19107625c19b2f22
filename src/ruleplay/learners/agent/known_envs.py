"""What we know about well-known environments beyond what their spaces declare.

Names make rules readable. CartPole declares no bounds for its velocities, and for the
position and the angle twice what ends an episode. LunarLander's are several times wider than
what an episode sees, so that they are observed. The states of the grid worlds are numbers
that stand for rows, columns and the like: as features these are what rules can be about.
MiniGrid's cells declare bytes, of which only the first few stand for anything.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
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
    action_parts: tuple[str, ...] = ()  # the numbers of an action that is not one of a few
    bounds: Bounds | None = None  # NaN where they are to be observed
    sizes: tuple[int, ...] = ()
    whole_numbers: bool = False  # whether all features are


Describe = Callable[[Any], KnownEnv]


def _cartpole(env: Any) -> KnownEnv:
    high = np.array([env.x_threshold, 2.0, env.theta_threshold_radians, 2.0])
    return KnownEnv(
        ("position", "velocity", "angle", "angular_velocity"),
        ("push left", "push right"),
        bounds=(-high, high),
    )


def _mountain_car(env: Any) -> KnownEnv:
    return KnownEnv(("position", "velocity"), ("push left", "wait", "push right"))


def _continuous_mountain_car(env: Any) -> KnownEnv:
    return KnownEnv(("position", "velocity"), action_parts=("force",))


def _pendulum(env: Any) -> KnownEnv:
    return KnownEnv(("cos", "sin", "velocity"), action_parts=("torque",))


def _lunar_lander(env: Any) -> KnownEnv:
    seen, legs = np.full(6, np.nan), np.array([0.0, 0.0])
    return KnownEnv(
        ("x", "y", "vx", "vy", "angle", "angular_velocity", "left_leg", "right_leg"),
        ("nothing", "left engine", "main engine", "right engine"),
        ("main engine", "side engines"),
        bounds=(np.concatenate([seen, legs]), np.concatenate([seen, legs + 1.0])),
    )


def _bipedal_walker(env: Any) -> KnownEnv:
    legs = [
        f"{joint}_{leg}"
        for leg in (1, 2)
        for joint in ("hip", "hip_velocity", "knee", "knee_velocity", "contact")
    ]
    return KnownEnv(
        ("angle", "angular_velocity", "vx", "vy", *legs, *(f"lidar_{k}" for k in range(10))),
        action_parts=("hip 1", "knee 1", "hip 2", "knee 2"),
    )


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


def _blackjack(env: Any) -> KnownEnv:
    return KnownEnv(("player_sum", "dealer_card", "usable_ace"), ("stick", "hit"))


def _minigrid(env: Any) -> KnownEnv:
    """Describe a view of cells, each an object with colour and state, and a direction."""
    space = env.observation_space
    if list(space.spaces) != ["direction", "image", "mission"] or space["image"].shape[2:] != (3,):
        return KnownEnv()
    width, height, _ = space["image"].shape
    cells = [f"{column}.{row}" for column in range(width) for row in range(height)]
    high = np.array([3.0, *[10.0, 5.0, 3.0] * len(cells)])
    return KnownEnv(
        ("direction", *(f"{part}.{cell}" for cell in cells for part in _CELL)),
        ("left", "right", "forward", "pick up", "drop", "toggle", "done"),
        bounds=(np.zeros(len(high)), high),
        whole_numbers=True,
    )


_CELL = ("object", "color", "state")
_KNOWN: dict[str, Describe] = {
    "CartPoleEnv": _cartpole,
    "MountainCarEnv": _mountain_car,
    "Continuous_MountainCarEnv": _continuous_mountain_car,
    "PendulumEnv": _pendulum,
    "AcrobotEnv": _acrobot,
    "LunarLander": _lunar_lander,
    "BipedalWalker": _bipedal_walker,
    "BlackjackEnv": _blackjack,
    "MiniGridEnv": _minigrid,
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
            bounds=(problem.low, problem.high),
            whole_numbers=problem.whole_numbers,
        )
    describe = next((_KNOWN[name] for name in _public_kinds(plain) if name in _KNOWN), None)
    if describe is None:
        return KnownEnv()
    found = describe(plain)
    if env.action_space != plain.action_space:
        return replace(found, actions=(), action_parts=())
    return found


def _public_kinds(env: Any) -> list[str]:
    """Return the classes of an environment that are Gymnasium's or MiniGrid's; its own first."""
    kind = type(env)
    if kind.__module__.startswith("gymnasium.envs."):
        return [kind.__name__]
    return [one.__name__ for one in kind.__mro__ if one.__module__.startswith("minigrid.")]
