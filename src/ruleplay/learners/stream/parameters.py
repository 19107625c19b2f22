"""The parameters of learners of streams, and what these know before the first example."""

from collections import deque
from typing import Any

from ruleplay.engine import XCS
from ruleplay.learners.common.parameters import explain_settings, keep_parameters
from ruleplay.learners.stream.drift import DriftWatch
from ruleplay.learners.stream.features import Features
from ruleplay.learners.stream.settings import Settings
from ruleplay.learners.stream.target import Target


class StreamParameters:
    """Hold what every learner of streams has before the first example."""

    seed: int | None

    def _start_blank(self) -> None:
        self._settings: Settings | None = None
        self._features = Features(1)
        self._first: deque[tuple[dict[Any, Any], Any]] = deque()
        self._engine: XCS | None = None
        self._watch: DriftWatch | None = None


class ClassifierParameters(StreamParameters):
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
        self._start_blank()
        self._class_codes: dict[Any, int] = {}
        self._class_counts: list[int] = []


class RegressorParameters(StreamParameters):
    """Hold the parameters as they were given; the first example has them checked.

    Those that are not listed here are settings of `XCSConfig`: see there.

    Args:
        population_size: Largest number of rules, counted with their numerosities (N_max).
        replay: Which experiences are stored and learned from again: as of `XCSStream`.
        replay_capacity: Experiences stored; an example is one.
        replay_batch_size: Experiences learned from after each one; the newest is the first.
        grace_period: Examples that are collected before learning starts, to see the ranges
            of the features; so often must a new feature turn up before it counts.
        specific_features: Number of features that a covering rule restricts, on average.
        drift_delta: Significance of ADWIN; smaller values see fewer drifts.
        error_threshold: As in `XCSConfig`, in standard deviations of the target; None is 0.2
            for linear predictions, 0.1 for scalar ones.
        cover_spread: As in `XCSConfig`; None is 1 for linear predictions, 0.5 for scalar ones.
        seed: Seed of everything random; None draws one.
    """

    @explain_settings
    def __init__(
        self,
        population_size: int = 1000,
        *,
        replay: str | None = "drift",
        replay_capacity: int = 3_000,
        replay_batch_size: int = 4,
        grace_period: int = 50,
        specific_features: float = 8.0,
        drift_delta: float = 0.3,
        learning_rate: float = 0.05,
        error_threshold: float | None = None,
        accuracy_power: float = 5.0,
        ga_threshold: int = 25,
        mutation_rate: float = 0.1,
        mutation_step: float = 0.1,
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
        self._start_blank()
        self._target = Target()
