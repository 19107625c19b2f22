"""Short ordered lists of rules about a quantity as a scikit-learn regressor."""

from ruleplay.learners.rule_list_regressor.estimator import RuleListRegressor
from ruleplay.learners.rule_list_regressor.front import QuantityList, QuantityListFront

__all__ = ["QuantityList", "QuantityListFront", "RuleListRegressor"]
