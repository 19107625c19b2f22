"""Play whole episodes by a policy, nothing learned: the only such loop over Gymnasium's interface.

Compiled problems have a compiled one, `XCS.evaluate`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ruleplay.evaluation.environments import Env

LONGEST = 10_000  # steps of an episode that does not end by itself

Policy = Callable[[Any], Any]  # observation -> action
Seeds = list[int | None]  # of episodes; None goes on with the environment's random numbers


class Episode:
    """An episode that is being played: what is seen, and what it has paid so far."""

    def __init__(self, env: Env, seed: int | None = None, longest: int = LONGEST) -> None:
        self._env, self._longest = env, longest
        self.observation: Any = env.reset(seed=seed)[0]
        self.total = 0.0
        self.length = 0
        self.end = "" if longest > 0 else "cut off"  # or "terminated", or "truncated"

    def step(self, action: Any) -> None:
        """Carry out an action."""
        self.observation, reward, terminated, truncated, _ = self._env.step(action)
        self.total += float(reward)
        self.length += 1
        if terminated or truncated or self.length >= self._longest:
            self.end = "terminated" if terminated else "truncated" if truncated else "cut off"


def seed_first(seed: int, episodes: int) -> Seeds:
    """Return seeds for episodes in one environment, of which the first one's decides all.

    >>> seed_first(7, 3)
    [7, None, None]
    """
    return [seed, *[None] * (episodes - 1)]


def seed_each(seed: int, episodes: int) -> Seeds:
    """Return seeds for episodes of which each is the same, whatever happens in the others.

    >>> seed_each(7, 3)
    [7, 8, 9]
    """
    return [*range(seed, seed + episodes)]


def play_together(
    episodes: Iterable[Episode], choose: Callable[[list[Episode]], Sequence[Any]]
) -> None:
    """Play episodes to their ends, side by side: `choose` is asked for all that go on."""
    playing = [episode for episode in episodes if not episode.end]
    while playing:
        for episode, action in zip(playing, choose(playing), strict=True):
            episode.step(action)
        playing = [episode for episode in playing if not episode.end]


def play_episodes(
    env: Env, choose: Callable[[Episode], Any], seeds: Seeds, longest: int = LONGEST
) -> Iterator[Episode]:
    """Play an episode for each seed, one after another; `choose` looks at the present one."""
    for seed in seeds:
        episode = Episode(env, seed, longest)
        play_together([episode], lambda playing: [choose(playing[0])])
        yield episode


@dataclass(frozen=True)
class Evaluation:
    """Returns and lengths of the episodes played, and the returns' mean and deviation."""

    mean: float
    sd: float  # of the episodes played (as many degrees of freedom)
    returns: tuple[float, ...]
    lengths: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.mean:.2f} +- {self.sd:.2f} in {len(self.returns)} episodes"


def evaluate_policy(env: Env, policy: Policy, seeds: Seeds, longest: int = LONGEST) -> Evaluation:
    """Measure how good a policy is by episodes in an environment, each with its seed."""
    played = list(play_episodes(env, lambda now: policy(now.observation), seeds, longest))
    returns = tuple(episode.total for episode in played)
    return Evaluation(
        float(np.mean(returns)),
        float(np.std(returns)),
        returns,
        tuple(episode.length for episode in played),
    )
