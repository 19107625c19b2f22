"""Find the episodes by which the rules of a saved model can be judged."""

from collections.abc import Callable
from typing import Any

from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError
from ruleplay.experiments.compacting import CHECKS, FIRST_CHECK, FIRST_SEED, episode_maker
from ruleplay.experiments.spec import load_preset
from ruleplay.learners.agent.interface import Interface
from ruleplay.rules import EpisodeScore

Scores = tuple[EpisodeScore | None, EpisodeScore | None]


def episode_scores(about: dict[str, Any], episodes: int) -> Scores:
    """Return scores over two sets of episodes; none for models that do not act in any."""
    if about.get("learner") == "agent":
        return _agent_scores(about, episodes)
    make_env = _preset_env(about.get("preset"))
    if make_env is None:
        return None, None
    return (
        EpisodeScore(make_env, episodes, FIRST_SEED),
        EpisodeScore(make_env, CHECKS, FIRST_CHECK),
    )


def _agent_scores(about: dict[str, Any], episodes: int) -> Scores:
    """Play in the environment that an agent was saved with, if it has a name."""
    if not isinstance(about.get("env"), str):
        return None, None
    interface = Interface.from_about(about, len(about["action_names"]))
    first, check = (
        EpisodeScore(
            about["env"],
            count,
            seed,
            encode=interface.encode,
            take=interface.actions.take,
        )
        for count, seed in ((episodes, FIRST_SEED), (CHECKS, FIRST_CHECK))
    )
    return first, check


def _preset_env(name: Any) -> Callable[[], Any] | None:
    """Return how to make the environment of a bundled multi-step preset."""
    if not isinstance(name, str) or name.endswith(".toml"):
        return None
    try:
        preset = load_preset(name)
    except ConfigError:
        return None
    options = preset.problem_options
    if make_problem(preset.problem_name, **options).single_step:
        return None
    return episode_maker(preset.problem_name, options)
