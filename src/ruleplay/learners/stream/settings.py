"""The configurations that follow from the parameters of learners of streams."""

import inspect
from collections.abc import Mapping
from typing import Any, NamedTuple

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine.inputs import checked_integer
from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.errors import ConfigError
from ruleplay.learners.common.parameters import settings_among

# How each kind of replay stores, and how it samples.
REPLAYS = {
    None: None,
    "fifo": ("fifo", "uniform"),
    "reservoir": ("reservoir", "uniform"),
    "drift": ("fifo", "uniform"),
    "prioritized": ("fifo", "prioritized"),
    "stratified": ("fifo", "stratified"),
}
# What None stands for: a linear model fits a box well enough that is wide and noisy.
USUAL_FOR_CLASSES = {
    "linear": {"error_threshold": 250.0, "cover_spread": 1.0},
    "scalar": {"error_threshold": 100.0, "cover_spread": 0.5},
}
# Of payoffs of variance 1.
USUAL_FOR_QUANTITIES = {
    "linear": {"error_threshold": 0.2, "cover_spread": 1.0},
    "scalar": {"error_threshold": 0.1, "cover_spread": 0.5},
}
# A linear model may overshoot what can be paid, but not by more than once the reward.
PREDICTION_LIMIT = 2 * RIGHT_REWARD
# With forgetting, the gain of a feature that does not vary grows without end.
GAIN_LIMIT = 1000.0  # times the first gain


class Settings(NamedTuple):
    """Checked parameters."""

    config: XCSConfig
    replay: ReplayConfig | None
    grace_period: int
    specific_features: float
    drift_delta: float | None  # None: does not react to drift


def read_settings(model: Any) -> Settings:
    """Return the checked parameters of a classifier."""
    limit = PREDICTION_LIMIT if model.prediction == "linear" else None
    return _read(model, USUAL_FOR_CLASSES, prediction_limit=limit)


def read_regressor_settings(model: Any) -> Settings:
    """Return the checked parameters of a regressor: it has one action, and payoffs of mean 0."""
    fixed = {"min_actions": 1, "action_mutation_rate": 0.0, "initial_prediction": 0.0}
    return _read(model, USUAL_FOR_QUANTITIES, **fixed)


def _read(model: Any, usual: Mapping[str, Mapping[str, float]], **fixed: Any) -> Settings:
    """Return the checked parameters of a model, given what is not to be chosen."""
    if model.replay not in REPLAYS:
        raise ConfigError(
            f"replay must be one of {', '.join(map(repr, REPLAYS))}, got {model.replay!r}"
        )
    linear = model.prediction == "linear"
    names = settings_among(inspect.signature(type(model)).parameters, XCSConfig)
    values = {name: getattr(model, name) for name in names}
    for name, value in usual["linear" if linear else "scalar"].items():
        if values[name] is None:
            values[name] = value
    config = XCSConfig(
        missing_values="error" if linear else "match",
        rls_gain_limit=GAIN_LIMIT * model.rls_initial_gain if linear else None,
        **values,
        **fixed,
    )
    ways = REPLAYS[model.replay]
    replay = None
    if ways is not None:
        replay = ReplayConfig(
            capacity=model.replay_capacity,
            batch_size=model.replay_batch_size,
            warmup=0,
            include_newest=True,
            storage=ways[0],
            sampling=ways[1],
        )
    return Settings(
        config=config,
        replay=replay,
        grace_period=checked_integer("grace_period", model.grace_period, 1),
        specific_features=_positive("specific_features", model.specific_features),
        drift_delta=_share(model.drift_delta) if model.replay == "drift" else None,
    )


def _positive(name: str, value: Any) -> float:
    if not isinstance(value, (int, float)) or not value > 0:
        raise ConfigError(f"{name} must lie in (0, inf), got {value!r}")
    return float(value)


def _share(value: Any) -> float:
    if not isinstance(value, (int, float)) or not 0 < value < 1:
        raise ConfigError(f"drift_delta must lie in (0, 1), got {value!r}")
    return float(value)
