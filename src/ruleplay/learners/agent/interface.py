"""What passes between an agent and an environment: features, actions and their names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray

from ruleplay.errors import ConfigError
from ruleplay.evaluation import Env, Envs, make_again
from ruleplay.learners.agent.goals import GoalView, flatten_goal, has_goals
from ruleplay.learners.agent.known_envs import KnownEnv, look_up
from ruleplay.learners.agent.spaces import (
    Bounds,
    Encoder,
    checked_actions,
    choose_encoder,
    declared_bounds,
    given_bounds,
    unbounded_features,
    whole_features,
)

Names = tuple[str, ...]
Vector = NDArray[np.float64]


def open_env(env: Any) -> Env | Envs:
    """Return an environment, made if only its name is given; one with goals as `GoalView`."""
    if isinstance(env, str):
        try:
            return open_env(gymnasium.make(env))
        except gymnasium.error.Error as error:
            raise ConfigError(f"env {env!r} cannot be made: {error}") from error
    if isinstance(env, gymnasium.Env) and has_goals(env.observation_space):
        return GoalView(env)
    if isinstance(env, (gymnasium.Env, VectorEnv)):
        return env
    raise ConfigError(
        "env must be the name of an environment, a gymnasium.Env or a gymnasium.vector.VectorEnv, "
        f"got {type(env).__name__}"
    )


def observation_space(env: Env | Envs) -> Any:
    """Return the space of one observation."""
    if isinstance(env, VectorEnv):
        return env.single_observation_space
    return env.observation_space


def action_space(env: Env | Envs) -> gymnasium.spaces.Discrete:
    """Return the space of one action, or refuse it."""
    if isinstance(env, VectorEnv):
        return checked_actions(env.single_action_space)
    return checked_actions(env.action_space)


def known_env(env: Env | Envs) -> KnownEnv:
    """Return what we know about an environment; of several, about a single one."""
    if not isinstance(env, VectorEnv):
        return look_up(env)
    inner = getattr(env, "envs", None)
    if inner:
        return look_up(inner[0])
    try:
        single = make_again(env)
    except ConfigError:
        return KnownEnv()
    same = single.observation_space == env.single_observation_space
    return look_up(single) if same else KnownEnv()


@dataclass(frozen=True)
class Interface:
    """How observations become features, and which actions there are."""

    encoder: Encoder
    n_actions: int
    first_action: int
    feature_names: Names
    action_names: Names
    whole_features: tuple[bool, ...]

    def as_about(self) -> dict[str, Any]:
        """Return what a model file has to say about the interface."""
        return {
            "feature_names": list(self.feature_names),
            "action_names": list(self.action_names),
            "whole_features": list(self.whole_features),
            "encoder": self.encoder.as_dict(),
            "first_action": self.first_action,
        }

    @classmethod
    def from_about(cls, about: Mapping[str, Any], n_actions: int) -> "Interface":
        """Make an interface from what `as_about` returned."""
        first = about["first_action"]
        if type(first) is not int:
            raise ConfigError(f"first_action must be an integer, got {first!r}")
        encoder = Encoder.from_dict(about["encoder"])
        features = _checked_names("feature_names", about["feature_names"], encoder.n_features)
        actions = _checked_names("action_names", about["action_names"], n_actions)
        whole = about["whole_features"]
        if len(whole) != len(features) or any(type(flag) is not bool for flag in whole):
            raise ConfigError(f"whole_features must be {len(features)} of true and false")
        return cls(encoder, n_actions, first, features, actions, tuple(whole))

    def row(self, observation: Any) -> Vector:
        """Return the features of one observation, or refuse it."""
        seen, encoder = np.asarray(flatten_goal(observation)), self.encoder
        if seen.shape != encoder.shape:
            raise ConfigError(f"observation must have shape {encoder.shape}, got {seen.shape}")
        row: Vector = encoder.rows(seen[np.newaxis])[0]
        return row

    def rows(self, observation: Any) -> tuple[Vector, bool]:
        """Return the features of one observation or of several, and whether it is only one."""
        seen, encoder = np.asarray(flatten_goal(observation)), self.encoder
        is_single = seen.shape == encoder.shape
        if not is_single and seen.shape[1:] != encoder.shape:
            raise ConfigError(
                f"observation must have shape {encoder.shape}, or (n, ...) for several, "
                f"got {seen.shape}"
            )
        return encoder.rows(seen[np.newaxis] if is_single else seen), is_single

    def check_fits(self, env: Env | Envs) -> None:
        """Refuse an environment with other observations or actions."""
        space, actions = observation_space(env), action_space(env)
        encoder = self.encoder
        same = space.shape == encoder.shape and int(actions.start) == self.first_action
        if isinstance(space, gymnasium.spaces.Discrete) and encoder.sizes:
            digits = tuple(encoder.sizes)
            same &= choose_encoder(space, "one_hot" if encoder.one_hot else digits) == encoder
        if not same or int(actions.n) != self.n_actions:
            raise ConfigError(
                f"the environment has {space} and {actions}, the agent was made for "
                f"observations of shape {encoder.shape} and Discrete({self.n_actions}, "
                f"start={self.first_action})"
            )


def make_interface(
    env: Env | Envs,
    encode_discrete: str | Sequence[int] | None,
    feature_names: Sequence[str] | None,
    action_names: Sequence[str] | None,
) -> Interface:
    """Return the interface to an environment; None takes what we know or plain defaults."""
    space, actions, known = observation_space(env), action_space(env), known_env(env)
    if encode_discrete is None:
        encode_discrete = known.sizes or "ordinal"
    encoder = choose_encoder(space, encode_discrete)
    n_actions, first = int(actions.n), int(actions.start)
    features = known.features if len(known.features) == encoder.n_features else None
    return Interface(
        encoder,
        n_actions,
        first,
        _checked_names(
            "feature_names", feature_names or features or _plain_names(encoder), encoder.n_features
        ),
        _checked_names(
            "action_names",
            action_names or known.actions or [str(first + k) for k in range(n_actions)],
            n_actions,
        ),
        (True,) * encoder.n_features if known.whole_numbers else whole_features(space, encoder),
    )


def _plain_names(encoder: Encoder) -> list[str]:
    if encoder.one_hot:
        return [f"is_{encoder.first + k}" for k in range(encoder.n_features)]
    if encoder.shape == () and not encoder.sizes:
        return ["state"]
    return [f"x{k}" for k in range(encoder.n_features)]


def _checked_names(what: str, names: Any, count: int) -> Names:
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ConfigError(f"{what} must be a sequence of names, got {names!r}")
    good = all(isinstance(name, str) and name for name in names)
    if not good or len(set(names)) != len(names) or len(names) != count:
        raise ConfigError(f"{what} must be {count} different names, got {names!r}")
    return tuple(names)


def choose_bounds(env: Env | Envs, encoder: Encoder, bounds: Any) -> Bounds | None:
    """Return the bounds of the features; None if they are to be observed."""
    space = observation_space(env)
    declared = declared_bounds(space, encoder)
    if bounds is not None and not isinstance(space, gymnasium.spaces.Box):
        raise ConfigError(f"bounds must be None for {space}, got {bounds!r}")
    if isinstance(bounds, str) and bounds == "observe":
        return None
    if bounds is not None:
        return given_bounds(bounds, encoder)
    known = known_env(env).bounds
    if known is not None:
        return known
    for k in unbounded_features(declared).nonzero()[0]:
        raise ConfigError(
            f"observation feature {k} has the bounds {declared[0][k]:g} and {declared[1][k]:g}: "
            "pass bounds=(low, high), or bounds='observe' to learn them from a warm-up"
        )
    return declared
