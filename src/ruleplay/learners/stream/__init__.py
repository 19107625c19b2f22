"""XCS as a River classifier for streams of labelled examples."""

from importlib import import_module

try:
    import_module("river")
except ImportError as error:
    raise ImportError("XCSStream needs River: pip install 'ruleplay[river]'") from error

from ruleplay.learners.stream.estimator import XCSStream

__all__ = ["XCSStream"]
