"""Which rules are deleted when there are too many."""

from dataclasses import dataclass

from ruleplay.config.fields import param


@dataclass(frozen=True, kw_only=True)
class DeletionSettings:
    """Set the votes for deletion."""

    deletion_threshold: int = param(
        20, "theta_del", at_least=0, doc="Experience above which low fitness raises the vote."
    )
    fitness_fraction: float = param(
        0.1, "delta", at_least=0, at_most=1, doc="Share of the mean fitness that counts as low."
    )
