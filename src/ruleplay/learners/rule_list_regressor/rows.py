"""Rows to make lists about a quantity of: as rules compare them, and as models take them."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.learners.common.labelled_rows import LabelledRows
from ruleplay.rules import RuleSet

Vector = NDArray[np.float64]


class Rows(NamedTuple):
    """Different rows with answers of zero mean and unit variance."""

    numbers: Vector  # (rows, features): what conditions compare
    states: Vector  # (rows, columns): what models are fitted to; without columns, constants
    answers: Vector
    weights: Vector
    mean: float  # of the answers in their own unit
    deviation: float  # and their standard deviation there

    @classmethod
    def of(cls, rules: RuleSet, labelled: LabelledRows) -> "Rows":
        """Prepare rows for rules; weights below 1 on average are a matter of scale."""
        numbers, answers, weights = labelled
        weights = weights / min(1.0, float(weights.mean()))
        mean = float(np.average(answers, weights=weights))
        size = float(np.abs(answers - mean).max()) or 1.0
        spread = float(np.average(((answers - mean) / size) ** 2, weights=weights))
        deviation = size * math.sqrt(spread) or 1.0
        states = np.empty((len(numbers), 0))
        if rules.weights is not None:
            states = rules.states(numbers).astype(np.float64)
        scaled = (answers - mean) / deviation
        return cls(rules.filled(numbers), states, scaled, weights, mean, deviation)

    def take(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> "Rows":
        """Return some of the rows."""
        return self._replace(
            numbers=self.numbers[which],
            states=self.states[which],
            answers=self.answers[which],
            weights=self.weights[which],
        )

    def in_units(self, model: Vector) -> Vector:
        """Return a model of the scaled answers as one of the answers."""
        own = model * self.deviation
        own[0] += self.mean
        return own
