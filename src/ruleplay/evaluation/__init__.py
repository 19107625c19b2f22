"""Measure policies by the episodes they play."""

from ruleplay.evaluation.environments import Env, Envs, can_be_made_again, make_again
from ruleplay.evaluation.episodes import (
    Episode,
    Evaluation,
    Seeds,
    evaluate_policy,
    play_episodes,
    play_together,
    seed_each,
    seed_first,
)

__all__ = [
    "Env",
    "Envs",
    "Episode",
    "Evaluation",
    "Seeds",
    "can_be_made_again",
    "evaluate_policy",
    "make_again",
    "play_episodes",
    "play_together",
    "seed_each",
    "seed_first",
]
