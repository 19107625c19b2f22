"""Answer about new rows by a saved model of a quantity, and tell how far the answers are off."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.cli.fitting.detection import likely_style
from ruleplay.cli.predicting.predictor import NO_RULE, Answers, judge_of, missing_remark
from ruleplay.cli.reading.rows import as_rows
from ruleplay.learners.common.columns import as_numbers
from ruleplay.learners.regressor import XCSRegressor
from ruleplay.learners.rule_list_regressor import RuleListRegressor
from ruleplay.rules import RuleSet
from ruleplay.rules.deciding import deciding_rules
from ruleplay.rules.quantities import error_digits, rounded
from ruleplay.rules.wording import in_figures

Vector = NDArray[np.float64]


class QuantityTally:
    """Between which numbers answers lie."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._least, self._largest, self._sum, self._count = math.inf, -math.inf, 0.0, 0

    def note(self, labels: list[str]) -> None:
        """Look at some answers."""
        numbers = np.array(labels, np.float64)
        self._least = min(self._least, float(numbers.min()))
        self._largest = max(self._largest, float(numbers.max()))
        self._sum += float(numbers.sum())
        self._count += len(numbers)

    def record(self) -> dict[str, float]:
        """Return the least answer, the mean and the largest."""
        mean = self._sum / max(self._count, 1)
        return {"least": self._least, "mean": mean, "largest": self._largest}

    def lines(self) -> list[str]:
        """Say between which numbers answers lie."""
        if not self._count:
            return []
        least, mean, largest = (in_figures(value, 6) for value in self.record().values())
        return [f"{self._name}: {least} to {largest}, {mean} on average"]


class QuantityScore:
    """How far answers are off, chunk by chunk."""

    def __init__(self, style: str) -> None:
        """Know how the right numbers are written."""
        self._style = style
        self.without = 0  # rows that do not say what is right
        self.rows = 0
        self._squares = self._mean = self._spread = 0.0

    def note(self, truths: "pd.Series[str]", labels: list[str]) -> None:
        """Compare answers with what is right."""
        right = as_numbers(truths, self._style or likely_style(truths.dropna())).to_numpy()
        known = ~np.isnan(right)
        self.without += int((~known).sum())
        right, told = right[known], np.array(labels, np.float64)[known]
        if not len(right):
            return
        before, self.rows = self.rows, self.rows + len(right)
        step = float(right.mean()) - self._mean
        self._squares += float(((told - right) ** 2).sum())
        self._spread += float(((right - right.mean()) ** 2).sum())
        self._spread += step**2 * before * len(right) / self.rows
        self._mean += step * len(right) / self.rows

    @property
    def error(self) -> float:
        """Return the root of the mean squared error."""
        return math.sqrt(self._squares / max(self.rows, 1))

    @property
    def explained(self) -> float:
        """Return R²; NaN if what is right does not vary."""
        return 1.0 - self._squares / self._spread if self._spread > 0.0 else math.nan


@dataclass(frozen=True)
class QuantityPredictor:
    """A regressor, and its short list if that is what answers."""

    name: str  # of the file
    learner: XCSRegressor
    rules: RuleSet  # all of the regressor's
    listed: RuleListRegressor | None
    certainty = "off_by"  # what the column beside answers is called

    @property
    def may_miss(self) -> bool:
        """Tell whether values may be missing."""
        return True

    @property
    def judge(self) -> str:
        """Say who answers."""
        return judge_of(self.learner, self.listed)

    @property
    def target(self) -> str:
        """Return the column of the quantity in the file that was learned from."""
        return self.rules.outcome_names[0]

    def new_tally(self) -> QuantityTally:
        """Return what sums answers up."""
        return QuantityTally(self.target)

    def new_score(self) -> QuantityScore:
        """Return what compares answers with what is right."""
        table = getattr(self.learner, "training_table_", None)
        return QuantityScore("" if table is None else table.target_style)

    def decide(self, features: pd.DataFrame, *, explain: bool) -> Answers:
        """Return the number of each row, how far it may be off, and why, if that is asked."""
        rows = as_rows(self.learner, features[list(self.rules.feature_names)])
        numbers = self.learner.numbers(rows)
        if self.listed is None:
            values = np.asarray(self.learner.predict(rows))
            errors = self.learner.deviations(numbers)[:, 0]
            reasons = strongest_reasons(self.rules, numbers) if explain else []
        else:
            rules = self.listed.ruleset_
            values, errors = self.listed.predict(rows), rules.error[deciding_rules(rules, numbers)]
            reasons = list_reasons(rules, numbers) if explain else []
        return Answers(_written(values, errors), _written(errors, errors), reasons)


def _written(values: Vector, errors: Vector) -> list[str]:
    """Return numbers in a figure more than their errors have that matter."""
    pairs = zip(values.tolist(), errors.tolist(), strict=True)
    return [rounded(value, max(error_digits(error), 0) + 1) for value, error in pairs]


def list_reasons(rules: RuleSet, numbers: Vector) -> list[str]:
    """Return the rule of a list that answers about each row, and what of it is missing."""
    told = []
    for number, rule in enumerate(rules.records(), 1):
        condition = f"IF {rule['if']} THEN " if rule["condition"] else ""
        told.append(f"rule {number}: {condition}{rule['then']}")
    places = deciding_rules(rules, numbers).tolist()
    return [
        told[place] + missing_remark(rules, place, row)
        for place, row in zip(places, numbers, strict=True)
    ]


def strongest_reasons(rules: RuleSet, numbers: Vector) -> list[str]:
    """Return the strongest rule that matches each row, in words."""
    inside = rules.matches(numbers)
    strongest = np.where(inside, rules.fitness * rules.numerosity, -1.0).argmax(axis=1)
    counts = inside.sum(axis=1).tolist()
    told = {
        place: f"IF {' AND '.join(rules.phrases(place)) or 'anything'} THEN "
        f"{rules.speaks_for(place)}"
        for place in np.unique(strongest).tolist()
    }
    return [
        f"{told[place]} (the strongest of {count} rules)" if count else NO_RULE
        for place, count in zip(strongest.tolist(), counts, strict=True)
    ]
