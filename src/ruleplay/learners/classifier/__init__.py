"""XCS as a scikit-learn classifier."""

from ruleplay.learners.classifier.estimator import XCSClassifier
from ruleplay.learners.common.training import TrainingProgress

__all__ = ["TrainingProgress", "XCSClassifier"]
