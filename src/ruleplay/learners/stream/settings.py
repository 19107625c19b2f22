"""The parameters of the stream classifier, and the configurations that follow from them."""

import inspect
from collections import deque
from typing import Any, NamedTuple

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_integer
from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.errors import ConfigError
from ruleplay.learners.common.parameters import (
    explain_settings,
    keep_parameters,
    settings_among,
)
from ruleplay.learners.stream.drift import DriftWatch
from ruleplay.learners.stream.features import Features

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
USUAL = {
    "linear": {"error_threshold": 250.0, "cover_spread": 1.0},
    "scalar": {"error_threshold": 100.0, "cover_spread": 0.5},
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


class StreamParameters:
    """Hold the parameters as they were given; the first example has them checked.

    Those that are not listed here are settings of `XCSConfig`: see there.

    Args:
        population_size: Largest number of rules, counted with their numerosities (N_max).
        replay: Which experiences are stored and learned from again. "fifo": the newest;
            "reservoir": a fair sample of all; "drift": the newest, and when ADWIN notices
            that errors have become more frequent, only those since then, while all rules
            relearn as fast as new ones; "prioritized": the newest, those that surprised most
            more often; "stratified": the newest, all regions alike; None: each example is
            learned from once.
        replay_capacity: Experiences stored; an example is one for each class.
        replay_batch_size: Experiences learned from after each one; the newest is the first.
        grace_period: Examples that are collected before learning starts, to see the ranges
            of the features; so often must a new feature turn up before it counts.
        specific_features: Number of features that a covering rule restricts, on average.
        drift_delta: Significance of ADWIN; smaller values see fewer drifts.
        error_threshold: As in `XCSConfig`; None is 250 for linear predictions, 100 for scalar
            ones, of a reward of 1000.
        cover_spread: As in `XCSConfig`; None is 1 for linear predictions, 0.5 for scalar ones.
        seed: Seed of everything random; None draws one.
    """

    seed: int | None

    @explain_settings
    def __init__(
        self,
        population_size: int = 1000,
        *,
        replay: str | None = "drift",
        replay_capacity: int = 6_000,
        replay_batch_size: int = 4,
        grace_period: int = 50,
        specific_features: float = 4.0,
        drift_delta: float = 0.1,
        learning_rate: float = 0.1,
        error_threshold: float | None = None,
        accuracy_power: float = 5.0,
        ga_threshold: int = 25,
        mutation_rate: float = 0.04,
        mutation_step: float = 0.1,
        action_mutation_rate: float = 0.2,
        cover_spread: float | None = None,
        deletion_threshold: int = 20,
        subsumption_threshold: int = 20,
        condition: str = "center_spread",
        prediction: str = "linear",
        rls_initial_gain: float = 100.0,
        rls_forgetting: float = 1.0,
        seed: int | None = None,
    ) -> None:
        """Keep the parameters; the class explains those of its own, the others are settings."""
        keep_parameters(self, locals())
        self._settings: Settings | None = None
        self._features = Features(1)
        self._class_codes: dict[Any, int] = {}
        self._class_counts: list[int] = []
        self._first: deque[tuple[dict[Any, Any], int]] = deque()
        self._engine: XCS | None = None
        self._watch: DriftWatch | None = None


XCS_NAMES = settings_among(inspect.signature(StreamParameters).parameters, XCSConfig)


def read_settings(model: Any) -> Settings:
    """Return the checked parameters of a model."""
    if model.replay not in REPLAYS:
        raise ConfigError(
            f"replay must be one of {', '.join(map(repr, REPLAYS))}, got {model.replay!r}"
        )
    linear = model.prediction == "linear"
    values = {name: getattr(model, name) for name in XCS_NAMES}
    for name, usual in USUAL["linear" if linear else "scalar"].items():
        if values[name] is None:
            values[name] = usual
    config = XCSConfig(
        missing_values="error" if linear else "match",
        prediction_limit=PREDICTION_LIMIT if linear else None,
        rls_gain_limit=GAIN_LIMIT * model.rls_initial_gain if linear else None,
        **values,
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
