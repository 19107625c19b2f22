"""Name the ways in which ruleplay refuses to go on."""


class RuleplayError(Exception):
    """Mark every error that ruleplay raises on purpose."""


class ConfigError(RuleplayError, ValueError):
    """Reject a setting, an input or a combination of settings before anything changes."""


class NotTrainedError(RuleplayError, RuntimeError):
    """Refuse a question that only a trained model can answer."""


class ModelFileError(RuleplayError, ValueError):
    """Reject a model file that is damaged, oversized or of another version."""


class StoreError(RuleplayError, RuntimeError):
    """Report a result store that cannot be read or written."""
