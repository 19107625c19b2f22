"""The list of one rule that climbs the hill of MountainCar: push where you roll."""

import numpy as np

from ruleplay.rules import Feature, Outcome, RuleSet


def push_where_it_rolls():
    return RuleSet(
        lower=np.array([[-np.inf, -np.inf]]),
        upper=np.array([[np.inf, 0.0]]),
        action=np.array([0]),
        prediction=np.array([1.0]),
        error=np.zeros(1),
        fitness=np.ones(1),
        numerosity=np.ones(1, np.int64),
        experience=np.ones(1, np.int64),
        features=(Feature("position", -1.2, 0.6), Feature("velocity", -0.07, 0.07)),
        outcomes=(Outcome("left", 0), Outcome("coast", 1), Outcome("right", 2)),
        default_action=2,
        ordered=True,
    )
