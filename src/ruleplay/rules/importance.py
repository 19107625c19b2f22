"""How much each feature matters to rules: where they do not let everything pass."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

Vector = NDArray[np.float64]

ENOUGH = 0.25  # share of the weight that accurate rules must have to stand for all


def importance_of(rules: "RuleSet") -> Vector:
    """Return the share of each feature in what rules demand, (features,); zeros if nothing.

    The mean specificity, 1 - the share of the feature's range that a rule has, weighted by
    fitness times numerosity, over rules whose error is below the threshold; over all rules
    if those have less than ENOUGH of the weight, as where classes are noisy, or if they speak
    about quantities. The shares add up to 1.
    """
    weights = rules.fitness * rules.numerosity
    accurate = np.where(rules.error < rules.error_threshold, weights, 0.0)
    if not rules.regresses and accurate.sum() >= ENOUGH * weights.sum():
        weights = accurate
    demands: Vector = weights @ (1.0 - np.minimum(rules.extent, 1.0))
    total = demands.sum()
    return demands / total if total > 0.0 else np.zeros(len(rules.features))
