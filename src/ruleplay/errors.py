"""Name the ways in which ruleplay refuses to go on."""


class RuleplayError(Exception):
    """Mark every error that ruleplay raises on purpose."""


class ConfigError(RuleplayError, ValueError):
    """Reject a setting, an input or a combination of settings before anything changes."""


class BusyError(RuleplayError, RuntimeError):
    """Refuse to change an engine that another thread is changing."""


class DivergenceWarning(UserWarning):
    """Tell that predictions have grown beyond all that rewards could add up to."""


class UnknownCategoryWarning(UserWarning):
    """Tell that most values of a column are no categories that a model knows."""


class NotTrainedError(RuleplayError, RuntimeError):
    """Refuse a question that only a trained model can answer."""


class ModelFileError(RuleplayError, ValueError):
    """Reject a model file that is damaged, oversized or of another version."""


class StoreError(RuleplayError, RuntimeError):
    """Report a result store that cannot be read or written."""
