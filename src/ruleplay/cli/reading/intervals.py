"""How far a regressor's predictions are off on new rows, as its page says it."""

import numpy as np

from ruleplay.engine.refitting import LEAST_ERROR
from ruleplay.learners.regressor import XCSRegressor
from ruleplay.report.rule_data import Intervals

COVERAGE = 0.9


def intervals_of(model: XCSRegressor) -> Intervals:
    """Return what deviations and the ends of `interval` follow from."""
    deviation = model.targets_.deviation
    factor = np.array([one.factor for one in model.deviations_])
    reach = np.array([one.reach(COVERAGE) for one in model.deviations_])
    return Intervals(COVERAGE, factor, reach, LEAST_ERROR * deviation, deviation)
