"""How much each feature matters to rules: where accurate ones do not let everything pass."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

Vector = NDArray[np.float64]


def importance_of(rules: "RuleSet") -> Vector:
    """Return the share of each feature in what rules demand, (features,); zeros if nothing.

    The mean specificity, 1 - the share of the feature's range that a rule has, weighted by
    fitness times numerosity, over rules whose error is below the threshold; over all rules
    if there are none such, or if they speak about quantities. The shares add up to 1.
    """
    weights = rules.fitness * rules.numerosity
    is_accurate = rules.error < rules.error_threshold
    if is_accurate.any() and not rules.regresses:
        weights = np.where(is_accurate, weights, 0.0)
    demands: Vector = weights @ (1.0 - np.minimum(rules.extent, 1.0))
    total = demands.sum()
    return demands / total if total > 0.0 else np.zeros(len(rules.features))
