"""The figures of merit that cells of a study are compared by."""

from typing import NamedTuple

from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError


class Metric(NamedTuple):
    """A figure of a run: how it is called, and which runs have it."""

    title: str
    episodes: bool = False  # only of problems with episodes
    tested: bool = False  # only of runs whose population is tested (settings keep_...)
    rules: bool = False  # only of agents with rules


METRICS = {
    "reward": Metric("Reward per step"),
    "system_error": Metric("System error", rules=True),
    "macroclassifiers": Metric("Distinct rules", rules=True),
    "generality_volume": Metric("Generality (mean volume)", rules=True),
    "otm": Metric("Return, mean of all episodes", episodes=True),
    "otm_trailing": Metric("Return, mean over time of the last 100 episodes", episodes=True),
    "greedy": Metric("Return of greedy episodes", episodes=True, tested=True),
    "seconds": Metric("Seconds"),
}


def check_metric(name: str) -> str:
    """Return the name of a metric; refuse one that is unknown."""
    if name not in METRICS:
        raise ConfigError(unknown_name("metric", name, METRICS))
    return name


def check_fits(name: str, problem: str, *, single_step: bool, tested: bool, rules: bool) -> None:
    """Refuse a metric that the runs on a problem do not have."""
    metric = METRICS[name]
    if metric.episodes and single_step:
        raise ConfigError(f"metric {name!r} needs episodes, and {problem} has none: try 'reward'")
    if metric.tested and not tested:
        raise ConfigError(
            f'metric {name!r} needs runs that are tested: add keep_policy = "last" to [settings]'
        )
    if metric.rules and not rules:
        raise ConfigError(f"metric {name!r} needs agents with rules: try 'reward' or 'otm'")


def usual_metric(*, single_step: bool, tested: bool, predicts: bool) -> str:
    """Return what cells are compared by if nobody says."""
    if predicts:
        return "system_error"
    return "reward" if single_step else "greedy" if tested else "otm"
