"""Score policies by the episodes they play, many side by side."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError
from ruleplay.evaluation import Episode, play_together, seed_each

Vector = NDArray[np.float64]
Policy = Callable[[Vector], NDArray[np.int64]]  # observations -> actions
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
        self._seeds = seed_each(checked_integer("seed", seed, 0), count)
        self._envs = [self._make(make_env) for _ in self._seeds]
        self._encode, self._take, self._longest = encode, take, longest

    def __call__(self, policy: Policy) -> float:
        """Return the policy's mean return."""
        return float(self.returns(policy).mean())

    def returns(self, policy: Policy) -> Vector:
        """Play all episodes, asking the policy for all of them at a time."""
        episodes = [
            Episode(env, seed, self._longest)
            for env, seed in zip(self._envs, self._seeds, strict=True)
        ]

        def choose(playing: list[Episode]) -> list[Any]:
            seen = self._encode([episode.observation for episode in playing])
            return [self._take(action) for action in policy(seen).tolist()]

        play_together(episodes, choose)
        return np.array([episode.total for episode in episodes])

    @staticmethod
    def _make(make_env: str | Callable[[], Any]) -> Any:
        if not isinstance(make_env, str):
            return make_env()
        try:
            return gymnasium.make(make_env, disable_env_checker=True)
        except gymnasium.error.Error as error:
            raise ConfigError(f"no environment {make_env!r}: {error}") from None
