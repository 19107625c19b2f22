"""Make an environment again: what is learned in one is measured in another of its kind."""

from copy import deepcopy
from typing import Any

import gymnasium
from gymnasium.vector import VectorEnv

from ruleplay.errors import ConfigError

Env = gymnasium.Env[Any, Any]
Envs = VectorEnv[Any, Any, Any]

OF_SEVERAL = ("num_envs", "vectorization_mode", "vector_kwargs")  # what `make_vec` notes


def can_be_made_again(env: Any) -> bool:
    """Tell whether another environment like this one can be made."""
    try:
        make_again(env).close()
    except ConfigError:
        return False
    return True


def make_again(env: Any, instead: str = "evaluate(env=...)") -> Env:
    """Make another environment like this one, or a single one of several side by side.

    It goes unchecked as the first one has been; what to do `instead` is in the message.
    """
    inner = getattr(env, "envs", None)
    spec = getattr(inner[0] if inner else env, "spec", None)
    if spec is None:
        raise ConfigError(f"this environment cannot be made again: pass {instead}")
    spec = deepcopy(spec)
    for name in OF_SEVERAL:
        spec.kwargs.pop(name, None)
    limit = spec.kwargs.pop("max_episode_steps", None)
    try:
        return gymnasium.make(spec, limit, disable_env_checker=True)
    except (gymnasium.error.Error, ValueError, TypeError) as error:
        raise ConfigError(
            f"this environment cannot be made again: pass {instead} ({error})"
        ) from None
