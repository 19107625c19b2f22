"""How an error becomes an accuracy."""

from dataclasses import dataclass

from ruleplay.config.fields import param


@dataclass(frozen=True, kw_only=True)
class FitnessSettings:
    """Set the accuracy of a rule, of which its fitness is made."""

    accuracy_scale: float = param(
        0.1, "alpha", above=0, at_most=1, doc="Accuracy of a rule whose error is just eps_0."
    )
    error_threshold: float = param(
        10.0, "eps_0", above=0, doc="Error below which a rule counts as accurate."
    )
    accuracy_power: float = param(
        5.0, "nu", above=0, doc="How steeply accuracy falls with the error above eps_0."
    )
