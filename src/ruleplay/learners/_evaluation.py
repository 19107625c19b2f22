"""Measure how good a policy is: whole episodes, nothing learned."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np

from ruleplay.errors import ConfigError
from ruleplay.learners._play import Env

Policy = Callable[[Any], Any]  # observation -> action

OF_SEVERAL = ("num_envs", "vectorization_mode", "vector_kwargs")  # what `make_vec` notes


@dataclass(frozen=True)
class Evaluation:
    """Returns and lengths of the episodes played, and the returns' mean and deviation."""

    mean: float
    sd: float  # of the episodes played (as many degrees of freedom)
    returns: tuple[float, ...]
    lengths: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.mean:.2f} +- {self.sd:.2f} in {len(self.returns)} episodes"


def evaluate_policy(env: Env, policy: Policy, episodes: int, seed: int, longest: int) -> Evaluation:
    """Play a number of episodes, each of at most `longest` steps; the seed decides all."""
    returns, lengths = [], []
    for episode in range(episodes):
        total, length, ended = 0.0, 0, False
        observation, _ = env.reset(seed=seed if episode == 0 else None)
        while not ended and length < longest:
            observation, reward, terminated, truncated, _ = env.step(policy(observation))
            total += float(reward)
            length += 1
            ended = bool(terminated or truncated)
        returns.append(total)
        lengths.append(length)
    return Evaluation(
        float(np.mean(returns)), float(np.std(returns)), tuple(returns), tuple(lengths)
    )


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
