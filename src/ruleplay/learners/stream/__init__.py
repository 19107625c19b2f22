"""XCS as a River classifier and a River regressor for streams of examples."""

from importlib import import_module

try:
    import_module("river")
except ImportError as error:
    raise ImportError("learners of streams need River: pip install 'ruleplay[river]'") from error

from ruleplay.learners.stream.estimator import XCSStream
from ruleplay.learners.stream.regressor import XCSStreamRegressor

__all__ = ["XCSStream", "XCSStreamRegressor"]
