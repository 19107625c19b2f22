"""What passes between an agent and an environment: features, actions and their names."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from warnings import catch_warnings, simplefilter

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray

from ruleplay.errors import ConfigError
from ruleplay.evaluation import Env, Envs, make_again
from ruleplay.learners.agent.goals import GoalView, flatten_goal, has_goals
from ruleplay.learners.agent.known_envs import KnownEnv, look_up
from ruleplay.learners.agent.spaces import (
    Actions,
    AnyEncoder,
    Bounds,
    Encoder,
    box_features,
    choose_actions,
    choose_encoder,
    declared_bounds,
    encoder_from_dict,
    given_bounds,
    left_open,
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


def action_space(env: Env | Envs) -> Any:
    """Return the space of one action."""
    return env.single_action_space if isinstance(env, VectorEnv) else env.action_space


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

    encoder: AnyEncoder
    actions: Actions
    feature_names: Names
    action_names: Names
    whole_features: tuple[bool, ...]

    @property
    def n_actions(self) -> int:
        """Return how many actions there are."""
        return self.actions.count

    def as_about(self) -> dict[str, Any]:
        """Return what a model file has to say about the interface."""
        return {
            "feature_names": list(self.feature_names),
            "action_names": list(self.action_names),
            "whole_features": list(self.whole_features),
            "encoder": self.encoder.as_dict(),
            **self.actions.as_about(),
        }

    @classmethod
    def from_about(cls, about: Mapping[str, Any], n_actions: int) -> "Interface":
        """Make an interface from what `as_about` returned."""
        encoder = encoder_from_dict(about["encoder"])
        actions = Actions.from_about(about, n_actions)
        features = _checked_names("feature_names", about["feature_names"], encoder.n_features)
        names = _checked_names("action_names", about["action_names"], n_actions)
        whole = about["whole_features"]
        if len(whole) != len(features) or any(type(flag) is not bool for flag in whole):
            raise ConfigError(f"whole_features must be {len(features)} of true and false")
        return cls(encoder, actions, features, names, tuple(whole))

    def row(self, observation: Any) -> Vector:
        """Return the features of one observation, or refuse it."""
        rows, is_single = self.rows(observation)
        if not is_single:
            raise ConfigError(f"observation must be a single one, got {len(rows)} in a list")
        row: Vector = rows[0]
        return row

    def rows(self, observation: Any) -> tuple[Vector, bool]:
        """Return the features of one observation or of several, and whether it is only one."""
        return self.encoder.one_or_several(self._joined(observation))

    def encode(self, observations: list[Any]) -> Vector:
        """Return the features of each of a list of observations."""
        return self.encoder.rows([self._joined(one) for one in observations])

    def _joined(self, observation: Any) -> Any:
        """Return an observation with goals as one vector, unless it is read by its parts."""
        return flatten_goal(observation) if isinstance(self.encoder, Encoder) else observation

    def check_fits(self, env: Env | Envs) -> None:
        """Refuse an environment with other observations or actions."""
        space, actions = observation_space(env), action_space(env)
        if not self._fits(space) or not self.actions.fit(actions):
            raise ConfigError(
                f"the environment has {space} and {actions}, the agent was made for "
                f"{self._made_for()} and {self.n_actions} actions: "
                f"{', '.join(self.action_names[:5])}{', ...' if self.n_actions > 5 else ''}"
            )

    def _fits(self, space: Any) -> bool:
        encoder = self.encoder
        if isinstance(encoder, Encoder) and not encoder.sizes:
            return bool(space.shape == encoder.shape)
        if isinstance(encoder, Encoder):
            return _as_encoder(space, "one_hot" if encoder.one_hot else encoder.sizes) == encoder
        return encoder in (_as_encoder(space, "ordinal"), _as_encoder(space, "one_hot"))

    def _made_for(self) -> str:
        if isinstance(self.encoder, Encoder):
            return f"observations of shape {self.encoder.shape}"
        return f"observations with the parts {', '.join(self.encoder.part_names())}"


def _as_encoder(space: Any, encode_discrete: str | Sequence[int]) -> AnyEncoder | None:
    """Return how a space is encoded; None if it cannot be."""
    with suppress(ConfigError), catch_warnings():
        simplefilter("ignore")
        return choose_encoder(space, encode_discrete)
    return None


def make_interface(
    env: Env | Envs,
    encode_discrete: str | Sequence[int] | None,
    feature_names: Sequence[str] | None,
    action_names: Sequence[str] | None,
    action_grid: int | Sequence[int] | None = None,
) -> Interface:
    """Return the interface to an environment; None takes what we know or plain defaults."""
    space, known = observation_space(env), known_env(env)
    if encode_discrete is None:
        encode_discrete = known.sizes or "ordinal"
    encoder = choose_encoder(space, encode_discrete)
    actions = choose_actions(action_space(env), action_grid)
    features = known.features if len(known.features) == encoder.n_features else None
    doings = known.actions if len(known.actions) == actions.count and not actions.table else None
    return Interface(
        encoder,
        actions,
        _checked_names(
            "feature_names", feature_names or features or encoder.plain_names(), encoder.n_features
        ),
        _checked_names(
            "action_names",
            action_names or doings or actions.plain_names(known.action_parts),
            actions.count,
        ),
        (True,) * encoder.n_features if known.whole_numbers else whole_features(space, encoder),
    )


def _checked_names(what: str, names: Any, count: int) -> Names:
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ConfigError(f"{what} must be a sequence of names, got {names!r}")
    good = all(isinstance(name, str) and name for name in names)
    if not good or len(set(names)) != len(names) or len(names) != count:
        raise ConfigError(f"{what} must be {count} different names, got {names!r}")
    return tuple(names)


def choose_bounds(env: Env | Envs, encoder: AnyEncoder, bounds: Any) -> Bounds:
    """Return the bounds of the features, NaN where they are to be observed.

    Features without bounds of their own are observed unless the user gives bounds.
    """
    space = observation_space(env)
    declared, boxes = declared_bounds(space, encoder), box_features(space, encoder)
    if bounds is not None and not boxes.any():
        raise ConfigError(f"bounds must be None for {space}, got {bounds!r}")
    if isinstance(bounds, str) and bounds == "observe":
        return left_open(declared, boxes)
    if bounds is not None:
        low, high = given_bounds(bounds, encoder)
        return np.where(boxes, low, declared[0]), np.where(boxes, high, declared[1])
    known = known_env(env).bounds
    if known is not None and len(known[0]) == encoder.n_features:
        return known
    return left_open(declared, unbounded_features(declared))
