"""Score policies by the episodes they play, many side by side."""

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError
from ruleplay.evaluation import Episode, play_together, seed_each
from ruleplay.rules.compaction.recording import Policy

Vector = NDArray[np.float64]
Encode = Callable[[list[Any]], Vector]  # raw observations -> (observations, features)
Take = Callable[[int], Any]  # an action's number -> what the environment takes


def _same(number: int) -> int:
    return number


class EpisodeScore:
    """The mean return of a policy over episodes with fixed starts.

    `make_env` is an environment's name or a function that makes one. The episodes have the
    seeds `seed`, `seed + 1`, ...: the same for every policy, so that scores can be compared.
    """

    def __init__(
        self,
        make_env: str | Callable[[], Any],
        episodes: int = 100,
        seed: int = 0,
        *,
        encode: Encode = np.array,
        take: Take = _same,
        longest: int = 10_000,
    ) -> None:
        count = checked_integer("episodes", episodes, 1, 100_000)
        self._first = checked_integer("seed", seed, 0)
        self._seeds = seed_each(self._first, count)
        self._make_env = make_env
        self._envs = [self._make() for _ in self._seeds]
        self._encode, self._take, self._longest = encode, take, longest

    def __call__(self, policy: Policy) -> float:
        """Return the policy's mean return."""
        return float(self.returns(policy).mean())

    def elsewhere(self, further: int, episodes: int) -> "EpisodeScore":
        """Return a score over a number of other episodes, whose seeds are so much further on.

        Both play in the same environments: use one at a time.
        """
        other = copy(self)
        other._first = self._first + further
        other._seeds = seed_each(other._first, episodes)
        while len(self._envs) < episodes:
            self._envs.append(self._make())
        return other

    def returns(self, policy: Policy, places: Iterable[int] | None = None) -> Vector:
        """Play all episodes, or those at some places, asking the policy for all at a time."""
        chosen = range(len(self._seeds)) if places is None else places
        episodes = [Episode(self._envs[k], self._seeds[k], self._longest) for k in chosen]

        def choose(playing: list[Episode]) -> list[Any]:
            seen = self._encode([episode.observation for episode in playing])
            return [self._take(action) for action in policy(seen).tolist()]

        play_together(episodes, choose)
        return np.array([episode.total for episode in episodes])

    def _make(self) -> Any:
        if not isinstance(self._make_env, str):
            return self._make_env()
        try:
            return gymnasium.make(self._make_env, disable_env_checker=True)
        except gymnasium.error.Error as error:
            raise ConfigError(f"no environment {self._make_env!r}: {error}") from None
