"""How payoffs are made, and how rules move towards them."""

from dataclasses import dataclass

from ruleplay.config.fields import param
from ruleplay.core.state.described import LARGEST_PAYOFF
from ruleplay.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class UpdateSettings:
    """Set what rules learn from, and in which order."""

    early_averaging: bool = param(
        True,
        "MAM",
        kernel="early_averaging",
        doc="Whether young rules average (rate 1/exp) instead of using beta.",
    )
    fitness_averaging: bool = param(
        False,
        later=True,
        kernel="fitness_averaging",
        doc="Whether the fitness of young rules averages too.",
    )
    initial_experience: int = param(
        0,
        "exp_ini",
        at_least=0,
        at_most=1,
        later=True,
        doc="Experience of a new rule; with 1, averages count what it was made with.",
    )
    update_order: str = param(
        "prediction_first",
        choices=("prediction_first", "error_first"),
        kernel="prediction_first",
        means_one="prediction_first",
        doc="Which of prediction and error an update moves first.",
    )
    bootstrap_value: str = param(
        "max",
        choices=("max", "argmax"),
        kernel="bootstrap_argmax",
        means_one="argmax",
        doc="What of the next prediction array enters the payoff; the paper prints argmax.",
    )
    bootstrap_on_truncation: bool = param(
        True, doc="Whether a time limit leaves the value of the last state in the payoff."
    )
    target_low: float | None = param(
        None,
        later=True,
        absent=-LARGEST_PAYOFF,
        doc="Smallest payoff that rules learn from; None: unlimited.",
    )
    target_high: float | None = param(
        None,
        later=True,
        absent=LARGEST_PAYOFF,
        doc="Largest payoff that rules learn from; None: unlimited.",
    )

    def check_targets(self) -> None:
        """Refuse bounds that leave no payoff."""
        low, high = self.target_low, self.target_high
        if low is not None and high is not None and low >= high:
            raise ConfigError(f"target_low must lie below target_high = {high:g}, got {low:g}")
