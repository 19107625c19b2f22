"""Short ordered lists of rules as a scikit-learn classifier."""

from ruleplay.learners.rule_list.estimator import RuleListClassifier
from ruleplay.learners.rule_list.front import RuleList, RuleListFront

__all__ = ["RuleList", "RuleListClassifier", "RuleListFront"]
