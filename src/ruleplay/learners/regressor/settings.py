"""Check a regressor's parameters and turn them into configurations."""

from typing import Any, NamedTuple

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine.inputs import checked_integer, checked_payoff
from ruleplay.engine.refitting import RIDGE
from ruleplay.errors import ConfigError
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
from ruleplay.learners.regressor.model_columns import MOST_COLUMNS
from ruleplay.learners.regressor.parameters import RegressorParameters

_PARAMETERS = dict.fromkeys(RegressorParameters._get_param_names())
XCS_NAMES = settings_among(_PARAMETERS, XCSConfig)

RULES_PER_TARGET, MOST_RULES = 2000, 10_000  # if no population size is given
LOOKS = 20  # at a run of known length, evenly spaced
LOOK_EVERY = 10_000  # presentations of each target, at a run that goes on until it has converged
MOST_STEPS, MOST_EPOCHS = 200_000, 3  # of such a run, whichever is more
STEPS_OF_MANY = 50_000  # of each of several populations, or as many epochs
RIDGE_OF_MANY = 0.1  # with which models are fitted anew: what they overfit evens out
TRIAL_STEPS = 10_000  # presentations of each target to half of the rows
TRIAL_TIME = 0.5  # the part of a limit of time that learning from halves of the rows has


class Plan(NamedTuple):
    """How long to train and when to stop."""

    n_steps: int | None
    epochs: int | None
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
    threshold: float | None  # eps_0, if it is given
    depends: bool = False  # on the table, whether rules are drawn: the user left it open

    def for_width(self, n_columns: int) -> "Plan":
        """Return the plan for a table of so many columns.

        Of many one population learns, for the sake of time, unless rows must be left out.
        """
        if self.depends and n_columns > MOST_COLUMNS and not self.oob_score:
            return self._replace(drawn_from=1)
        return self

    @property
    def n_apart(self) -> int:
        """Return how many populations learn apart, each from a sample; 1: one, from all rows."""
        return max(self.n_populations, self.drawn_from)

    @property
    def ridge(self) -> float:
        """Return how strongly slopes are drawn towards 0 when models are fitted anew."""
        return RIDGE if self.n_apart == 1 else RIDGE_OF_MANY

    @property
    def calibrates_by_halves(self) -> bool:
        """Tell whether halves of the rows must say how far predictions are off."""
        return self.calibrates and self.n_apart == 1

    @property
    def needs_halves(self) -> bool:
        """Tell whether anything must be found by halves of the rows."""
        return self.threshold is None or self.calibrates_by_halves

    @property
    def needs_votes(self) -> bool:
        """Tell whether populations must speak about the rows that their samples have not got."""
        return self.calibrates or self.oob_score

    @property
    def seconds_of_halves(self) -> float | None:
        """Return the limit of time for halves of the rows."""
        return None if self.max_seconds is None else TRIAL_TIME * self.max_seconds

    @property
    def seconds_of_training(self) -> float | None:
        """Return the limit of time for the rules themselves."""
        if self.max_seconds is None or not self.needs_halves:
            return self.max_seconds
        return (1.0 - TRIAL_TIME) * self.max_seconds

    def seconds_of_each(self, n_jobs: int) -> float | None:
        """Return the limit of time for each of several populations, so many of them at a time."""
        seconds = self.seconds_of_training
        return None if seconds is None else seconds / -(-self.n_apart // n_jobs)

    @property
    def is_open(self) -> bool:
        """Tell whether training goes on until it has converged; several populations need not."""
        return self.n_steps is None and self.epochs is None and self.n_apart == 1

    def steps(self, n_rows: int, n_targets: int) -> int:
        """Return the number of presentations, at most, given that of distinct rows."""
        if self.n_steps is not None:
            return self.n_steps
        if self.epochs is not None:
            return self.epochs * n_rows
        most = MOST_STEPS if self.n_apart == 1 else STEPS_OF_MANY
        return max(most, MOST_EPOCHS * n_rows) * n_targets

    def trial_steps(self, n_rows: int, n_targets: int) -> int:
        """Return the presentations of a trial on half of the rows."""
        return min(TRIAL_STEPS * n_targets, self.steps(n_rows, n_targets))

    def looks(self, n_rows: int, n_targets: int) -> list[int]:
        """Return after how many presentations to look how good the rules are; the last ends all."""
        steps = self.steps(n_rows, n_targets)
        if self.is_open:
            every = max(LOOK_EVERY, n_rows // 2) * n_targets
            return [*range(every, steps, every), steps]
        return sorted({steps * number // LOOKS for number in range(1, LOOKS + 1)} - {0})


def usual_size(n_targets: int) -> int:
    """Return how many rules a population has if nothing is said.

    >>> usual_size(1), usual_size(20)
    (2000, 10000)
    """
    return min(RULES_PER_TARGET * n_targets, MOST_RULES)


class Found(NamedTuple):
    """What follows from the data."""

    first: float  # prediction
    threshold: float  # eps_0
    model_columns: str  # that models are about, if there are very many


def read_configs(
    estimator: Any, n_targets: int, layout: Layout, found: Found
) -> tuple[XCSConfig, ReplayConfig | None]:
    """Return the engine's configurations."""
    values = {name: getattr(estimator, name) for name in XCS_NAMES}
    if values["population_size"] is None:
        values["population_size"] = usual_size(n_targets)
    values |= {
        "error_threshold": found.threshold,
        "initial_prediction": found.first,
        "min_actions": n_targets,
        "action_mutation_rate": 0.0,
        "discount": 0.0,
    }
    if found.model_columns:
        values |= {"prediction": "sparse_linear", "model_columns": found.model_columns}
    return make_configs(values, estimator, layout)


def read_plan(estimator: Any) -> Plan:
    """Return the checked parameters of training."""
    n_steps, epochs = checked_length(estimator.n_steps, estimator.epochs)
    check_ways(estimator, ("warm_start", "early_stopping", "settle", "calibrate", "oob_score"))
    drawn_from = read_drawn_from(estimator, settles=bool(estimator.settle))
    check_alone(estimator, apart=drawn_from > 1)
    return Plan(
        n_steps=n_steps,
        epochs=epochs,
        early_stopping=bool(estimator.early_stopping),
        validation_fraction=checked_fraction(estimator.validation_fraction),
        patience=checked_integer("n_iter_no_change", estimator.n_iter_no_change, 1),
        tolerance=checked_tolerance(estimator.tol),
        settles=bool(estimator.settle),
        n_populations=int(estimator.n_populations),
        drawn_from=drawn_from,
        max_seconds=checked_seconds(estimator.max_seconds),
        calibrates=bool(estimator.calibrate),
        oob_score=bool(estimator.oob_score),
        threshold=_checked_threshold(estimator.error_threshold),
        depends=estimator.drawn_from is None,
    )


def _checked_threshold(value: Any) -> float | None:
    if value is None:
        return None
    threshold = checked_payoff("error_threshold (eps_0)", value)
    if not threshold > 0.0:
        raise ConfigError(f"error_threshold (eps_0) must be None or lie in (0, inf), got {value!r}")
    return threshold
