"""Learn a quantity, test it on rows held out, and make a short list."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.cli.fitting.fitting import Lesson, teach
from ruleplay.errors import ConfigError
from ruleplay.learners.regressor import XCSRegressor
from ruleplay.learners.rule_list_regressor import QuantityList, RuleListRegressor
from ruleplay.rules.quantities import error_digits, rounded

Vector = NDArray[np.float64]

OPTIONS = {
    "start_rules": "--start-from",
    "protected_rules": "--protect",
    "forbidden_features": "--forbid-feature",
}


class QuantityMeasure(NamedTuple):
    """How far answers are off, in the target's unit."""

    rows: int
    error: float  # the root of the mean squared error
    explained: float  # R²; NaN if the right answers do not vary
    median: float  # of the sizes of errors
    nine_tenths: float  # what nine of ten errors do not exceed

    @classmethod
    def of(cls, right: Vector, answers: Vector) -> "QuantityMeasure":
        """Compare answers with what is right."""
        errors, varies = np.abs(answers - right), float(np.var(right))
        square = float(np.mean(errors**2))
        return cls(
            len(right),
            float(np.sqrt(square)),
            1.0 - square / varies if varies > 0.0 else np.nan,
            float(np.median(errors)),
            float(np.quantile(errors, 0.9)),
        )


@dataclass(frozen=True)
class ShortQuantityList:
    """A short list, the front that it was chosen from, and how far it is off on the test rows."""

    model: RuleListRegressor
    tested: QuantityMeasure | None

    @property
    def chosen(self) -> QuantityList:
        """Return the list."""
        return self.model.front().in_use


@dataclass(frozen=True)
class FittedQuantity:
    """A regressor and what is known about it."""

    lesson: Lesson
    model: XCSRegressor
    answers: Vector  # on the test rows
    tested: QuantityMeasure | None  # None without test rows
    usual: QuantityMeasure | None  # of always answering the mean
    seconds: float

    @property
    def mean(self) -> float:
        """Return the mean of the target in the rows to learn from."""
        return float(self.lesson.labels.mean())

    def written(self, value: float) -> str:
        """Return a value of the target in as many digits as matter."""
        known = self.usual or QuantityMeasure.of(
            self.lesson.labels.to_numpy(np.float64), np.full(len(self.lesson.labels), self.mean)
        )
        least = min(known.error, self.tested.error) if self.tested else known.error
        return rounded(value, error_digits(least))


def check_settings(settings: Mapping[str, Any], target: str) -> None:
    """Refuse what only learners of classes have."""
    known = set(XCSRegressor._get_param_names())
    for name in settings:
        if name not in known:
            raise ConfigError(
                f"{OPTIONS.get(name, name)} is for classes, and {target!r} is a quantity: leave it "
                f"out, or take the numbers for classes by --column {target}=text"
            )


def learn_quantity(
    lesson: Lesson, settings: Mapping[str, Any], seed: int
) -> tuple[XCSRegressor, float]:
    """Teach a regressor; return it, and the seconds that it took."""
    check_settings(settings, lesson.target)
    model = XCSRegressor(random_state=seed, **settings)
    return model, teach(model, lesson, lesson.labels.rename(lesson.target))


def examine_quantity(lesson: Lesson, model: XCSRegressor, seconds: float) -> FittedQuantity:
    """Test a regressor; `seconds` is what teaching it took."""
    right = lesson.test_labels.to_numpy(np.float64)
    if not len(right):
        return FittedQuantity(lesson, model, right, None, None, seconds)
    answers = np.asarray(model.predict(lesson.test_rows))
    usual = QuantityMeasure.of(right, np.full(len(right), lesson.labels.mean()))
    tested = QuantityMeasure.of(right, answers)
    return FittedQuantity(lesson, model, answers, tested, usual, seconds)


def shorten_quantity(fitted: FittedQuantity, max_rules: int | None, seed: int) -> ShortQuantityList:
    """Return a short list of rules, and the front that it was chosen from."""
    lesson = fitted.lesson
    made = RuleListRegressor.of(
        fitted.model, lesson.rows, lesson.labels, max_rules=max_rules, random_state=seed
    )
    right = lesson.test_labels.to_numpy(np.float64)
    if not len(right):
        return ShortQuantityList(made, None)
    return ShortQuantityList(made, QuantityMeasure.of(right, made.predict(lesson.test_rows)))
