"""Check a classifier's parameters and turn them into configurations."""

from typing import Any, NamedTuple

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine.inputs import checked_integer, checked_payoff, shown
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.parameters import ClassifierParameters
from ruleplay.learners.common.configs import make_configs
from ruleplay.learners.common.layout import Layout
from ruleplay.learners.common.parameters import settings_among
from ruleplay.learners.common.plan_checks import (
    check_alone,
    check_ways,
    checked_fraction,
    checked_length,
    checked_seconds,
    checked_tolerance,
    read_drawn_from,
)

_PARAMETERS = dict.fromkeys(ClassifierParameters._get_param_names())
XCS_NAMES = settings_among(_PARAMETERS, XCSConfig)
LEARN_FROM = ("random", "both")

RULES_PER_CLASS, RULES_PER_ROW = 500, 1  # if no population size is given
LEAST_RULES, MOST_RULES = 1000, 10_000
GA_STEPS, GA_STEPS_PER_CLASS = 25, 6  # theta_GA, if none is given
HALF_TIME = 0.1  # the part of a limit of time that each half of the rows has in calibration
LOOKS = 20  # at a run of known length, evenly spaced
LOOK_EVERY = 50_000  # presentations, at a run that goes on until it has converged
MOST_STEPS, MOST_EPOCHS = 1_000_000, 3  # of such a run, whichever is more
STEPS_OF_MANY = 50_000  # of each of several populations, or as many epochs,
STEPS_PER_CLASS = 5000  # or so many for each class, whichever is most


class Plan(NamedTuple):
    """How long to train and when to stop."""

    n_steps: int | None
    epochs: int | None
    learn_from: str
    early_stopping: bool
    validation_fraction: float
    patience: int
    tolerance: float
    settles: bool
    n_populations: int
    drawn_from: int
    max_seconds: float | None
    calibrates: bool
    oob_score: bool
    n_classes: int = 2

    @property
    def n_apart(self) -> int:
        """Return how many populations learn apart, each from a sample; 1: one, from all rows."""
        return max(self.n_populations, self.drawn_from)

    @property
    def needs_halves(self) -> bool:
        """Tell whether calibration must learn from halves, for want of other unseen rows."""
        return self.calibrates and self.n_apart == 1

    @property
    def needs_votes(self) -> bool:
        """Tell whether populations must vote on the rows that their samples have not got."""
        return self.calibrates or self.oob_score

    @property
    def seconds_of_training(self) -> float | None:
        """Return the limit of time for the rules themselves."""
        if self.max_seconds is None or not self.needs_halves:
            return self.max_seconds
        return (1.0 - 2.0 * HALF_TIME) * self.max_seconds

    @property
    def seconds_of_half(self) -> float | None:
        """Return the limit of time for each half of the rows, with which shares are calibrated."""
        return None if self.max_seconds is None else HALF_TIME * self.max_seconds

    def seconds_of_each(self, n_jobs: int) -> float | None:
        """Return the limit of time for each of several populations, so many of them at a time."""
        if self.max_seconds is None:
            return None
        return self.max_seconds / -(-self.n_apart // n_jobs)

    @property
    def is_open(self) -> bool:
        """Tell whether training goes on until it has converged; several populations need not."""
        return self.n_steps is None and self.epochs is None and self.n_apart == 1

    def steps(self, n_rows: int) -> int:
        """Return the number of presentations, at most, given that of distinct rows."""
        if self.n_steps is not None:
            return self.n_steps
        if self.epochs is not None:
            return self.epochs * n_rows
        many = max(STEPS_OF_MANY, STEPS_PER_CLASS * self.n_classes)
        most = MOST_STEPS if self.n_apart == 1 else many
        return max(most, MOST_EPOCHS * n_rows)

    def looks(self, n_rows: int) -> list[int]:
        """Return after how many presentations to look how good the rules are; the last ends all."""
        steps = self.steps(n_rows)
        if self.is_open:
            every = max(LOOK_EVERY, n_rows // 2)
            return [*range(every, steps, every), steps]
        return sorted({steps * number // LOOKS for number in range(1, LOOKS + 1)} - {0})


def usual_size(n_classes: int, n_rows: int) -> int:
    """Return how many rules a population has if nothing is said.

    >>> usual_size(2, 500), usual_size(2, 4000), usual_size(11, 4000)
    (1000, 4000, 5500)
    """
    rules = max(RULES_PER_CLASS * n_classes, RULES_PER_ROW * n_rows)
    return min(max(LEAST_RULES, rules), MOST_RULES)


def usual_ga_threshold(n_classes: int) -> int:
    """Return theta_GA if nothing is said: of many classes each is asked about less often.

    >>> usual_ga_threshold(2), usual_ga_threshold(11)
    (25, 66)
    """
    return max(GA_STEPS, GA_STEPS_PER_CLASS * n_classes)


def read_configs(
    estimator: Any, n_classes: int, layout: Layout, size: int
) -> tuple[XCSConfig, ReplayConfig | None]:
    """Return the engine's configurations; with a single class there is none to mutate to.

    `size` is that of the population if the estimator leaves it open.
    """
    values = {name: getattr(estimator, name) for name in XCS_NAMES}
    if values["population_size"] is None:
        values["population_size"] = size
    if values["ga_threshold"] is None:
        values["ga_threshold"] = usual_ga_threshold(n_classes)
    if n_classes == 1:
        values["action_mutation_rate"] = 0.0
    return make_configs(values, estimator, layout)


def read_plan(estimator: Any) -> Plan:
    """Return the checked parameters of training."""
    n_steps, epochs = checked_length(estimator.n_steps, estimator.epochs)
    if estimator.learn_from not in LEARN_FROM:
        raise ConfigError(
            f"learn_from must be one of {', '.join(map(repr, LEARN_FROM))}, "
            f"got {estimator.learn_from!r}"
        )
    check_ways(estimator, ("warm_start", "early_stopping", "settle", "calibrate", "oob_score"))
    _check_weights(estimator.class_weight)
    drawn_from = read_drawn_from(estimator, settles=_settles(estimator))
    check_alone(estimator, apart=drawn_from > 1)
    return Plan(
        n_steps=n_steps,
        epochs=epochs,
        learn_from=estimator.learn_from,
        early_stopping=bool(estimator.early_stopping),
        validation_fraction=checked_fraction(estimator.validation_fraction),
        patience=checked_integer("n_iter_no_change", estimator.n_iter_no_change, 1),
        tolerance=checked_tolerance(estimator.tol),
        settles=_settles(estimator),
        n_populations=int(estimator.n_populations),
        drawn_from=drawn_from,
        max_seconds=checked_seconds(estimator.max_seconds),
        calibrates=bool(estimator.calibrate),
        oob_score=bool(estimator.oob_score),
    )


def _settles(estimator: Any) -> bool:
    """Tell whether rules settle on all rows in the end; linear ones do not."""
    return bool(estimator.settle) and bool(estimator.prediction == "scalar")


def _check_weights(weights: Any) -> None:
    """Refuse what are no weights of classes."""
    if weights is not None and weights != "balanced" and not isinstance(weights, dict):
        raise ConfigError(
            f"class_weight must be a dictionary, 'balanced' or None, got {shown(weights)}"
        )
    for label, weight in (weights if isinstance(weights, dict) else {}).items():
        if checked_payoff(f"class_weight[{label!r}]", weight) < 0.0:
            raise ConfigError(f"class_weight[{label!r}] must not be negative, got {weight!r}")
