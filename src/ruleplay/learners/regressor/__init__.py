"""XCSF as a scikit-learn regressor."""

from ruleplay.learners.regressor.estimator import XCSRegressor

__all__ = ["XCSRegressor"]
