"""Learn by playing: the loops over Gymnasium's interface in which actors take in what happens.

Episodes without learning are played by `ruleplay.evaluation`.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv

from ruleplay.engine.inputs import checked_payoff
from ruleplay.errors import ConfigError
from ruleplay.evaluation import Env, Envs
from ruleplay.learners.agent.actors import Actor
from ruleplay.learners.agent.spaces import Actions, AnyEncoder


class EpisodeLog:
    """Count steps and add up episodes, for each of the environments that run side by side."""

    def __init__(self) -> None:
        self.steps = 0
        self.returns: list[float] = []
        self.lengths: list[int] = []
        self.begin(1)

    def begin(self, environments: int) -> None:
        """Begin episodes in a number of environments; unfinished ones are left out of account."""
        self._return = [0.0] * environments
        self._length = [0] * environments

    def note(self, reward: float, ended: bool, environment: int = 0) -> None:
        """Take in the outcome of one step."""
        self.steps += 1
        self._return[environment] += reward
        self._length[environment] += 1
        if ended:
            self.returns.append(self._return[environment])
            self.lengths.append(self._length[environment])
            self._return[environment], self._length[environment] = 0.0, 0


class EncodedEnv(NamedTuple):
    """An environment, or several side by side, and how observations and actions are encoded."""

    env: Env | Envs
    encoder: AnyEncoder
    actions: Actions

    @property
    def size(self) -> int:
        """Return how many environments run side by side."""
        return int(self.env.num_envs) if isinstance(self.env, VectorEnv) else 1


def play(
    encoded: EncodedEnv,
    actors: Sequence[Actor],
    log: EpisodeLog,
    go_on: Callable[[], bool],
    seed: int | None = None,
) -> None:
    """Play new episodes, an actor in each environment, as long as `go_on` says so."""
    log.begin(encoded.size)
    if isinstance(encoded.env, VectorEnv):
        _play_several(encoded, actors, log, go_on, seed)
    else:
        _play_one(encoded, actors[0], log, go_on, seed)


def _play_one(
    encoded: EncodedEnv,
    actor: Actor,
    log: EpisodeLog,
    go_on: Callable[[], bool],
    seed: int | None,
) -> None:
    env, encode, take = encoded.env, encoded.encoder.vector, encoded.actions.take
    action = actor(encode(env.reset(seed=seed)[0]), 0.0, False, False)
    while True:
        observation, given, terminated, truncated, _ = env.step(take(action))
        reward = checked_payoff("reward of the environment", given)
        action = actor(encode(observation), reward, terminated, truncated)
        ended = bool(terminated or truncated)
        log.note(reward, ended)
        if not go_on():
            return
        if ended:
            action = actor(encode(env.reset()[0]), 0.0, False, False)


def _play_several(
    encoded: EncodedEnv,
    actors: Sequence[Actor],
    log: EpisodeLog,
    go_on: Callable[[], bool],
    seed: int | None,
) -> None:
    """Let all environments make a step at a time; they reset themselves (see `_is_same_step`)."""
    encode, encode_all = encoded.encoder.vector, encoded.encoder.rows
    envs: Any = encoded.env
    same_step = _is_same_step(envs)
    seen = encode_all(envs.reset(seed=seed)[0])
    actions = np.array([act(seen[i], 0.0, False, False) for i, act in enumerate(actors)])
    while True:
        resetting = actions < 0
        chosen = encoded.actions.take(np.maximum(actions, 0))
        observations, rewards, terminated, truncated, infos = envs.step(chosen)
        seen = encode_all(observations)
        for i, actor in enumerate(actors):
            if not resetting[i]:
                ended = bool(terminated[i] or truncated[i])
                last = encode(infos["final_obs"][i]) if ended and same_step else seen[i]
                reward = checked_payoff("reward of the environment", rewards[i])
                actions[i] = actor(last, reward, bool(terminated[i]), bool(truncated[i]))
                log.note(reward, ended, i)
            if resetting[i] or (same_step and actions[i] < 0):
                actions[i] = actor(seen[i], 0.0, False, False)
        if not go_on():
            return


def _is_same_step(envs: Any) -> bool:
    """Tell whether environments reset themselves in an episode's last step or in the next.

    In the last, the observation is the next episode's first and the final one lies in the
    infos; in the next, that step's action and reward mean nothing.
    """
    mode = envs.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
    if mode not in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        raise ConfigError(f"autoreset_mode must be NEXT_STEP or SAME_STEP, got {mode}")
    return bool(mode == AutoresetMode.SAME_STEP)
