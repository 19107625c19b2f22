"""Make an agent's rules few: judged by episodes, or by states that it has visited."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.learners.agent.interface import Interface
from ruleplay.rules import Compaction, EpisodeScore, RuleSet, compact
from ruleplay.rules._memory import experiences

Vector = NDArray[np.float64]

CHECKS = 100  # episodes on which the loss is measured, at least
REFINE = 6000  # episodes that refine a list which does worse than the population


class JudgingEpisodes(NamedTuple):
    """Episodes in new environments by which rules are judged, from a seed on."""

    make_env: Callable[[], Any]
    interface: Interface
    episodes: int
    seed: int
    longest: int  # steps of an episode

    def score(self) -> EpisodeScore:
        """Return the score by which rules are chosen."""
        return self._score(self.episodes, self.seed)

    def check(self) -> EpisodeScore:
        """Return the score, of other episodes, by which the loss is measured."""
        return self._score(max(CHECKS, self.episodes), self.seed + self.episodes)

    def visited(self, engine: XCS) -> Vector:
        """Return the states in an engine's memory; without any, those its policy visits."""
        states, rules = experiences(engine), RuleSet.of(engine)
        if len(states) > 1:
            return states
        seen = []

        def act(observations: Vector) -> NDArray[np.int64]:
            seen.append(observations)
            return rules.actions(observations)

        self.score()(act)
        return np.concatenate(seen)

    def _score(self, episodes: int, seed: int) -> EpisodeScore:
        return EpisodeScore(
            self.make_env,
            episodes,
            seed,
            encode=self.interface.encode,
            take=self.interface.actions.take,
            longest=self.longest,
        )


def compact_by_episodes(
    episodes: JudgingEpisodes,
    engine: XCS,
    method: str,
    *,
    max_rules: int,
    tolerance: float,
    refine: int,
) -> Compaction:
    """Return fewer rules; a list ("evaluate") is judged by episodes, and refined."""
    by_episodes = method == "evaluate"
    return compact(
        engine,
        method,
        episodes.visited(engine),
        score=episodes.score() if by_episodes else None,
        check=episodes.check() if by_episodes else None,
        max_rules=max_rules,
        tolerance=tolerance,
        refine=refine if by_episodes else 0,
    )
