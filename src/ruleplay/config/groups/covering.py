"""The rules that are made for a state that too few rules match."""

from dataclasses import dataclass
from typing import Literal

from ruleplay.config.fields import param
from ruleplay.errors import ConfigError

OPTIMISTS = ("optimistic", "hopeful")  # initial predictions that depend on the problem


@dataclass(frozen=True, kw_only=True)
class CoveringSettings:
    """Set when covering happens, and what covering rules are like."""

    min_actions: int | None = param(
        None, "theta_mna", at_least=1, doc="Actions a match set must hold; None: all of them."
    )
    initial_prediction: float | Literal["optimistic", "hopeful"] = param(
        10.0,
        "p_ini",
        words=OPTIMISTS,
        doc="Prediction of a covering rule; 'optimistic': the largest possible return; "
        "'hopeful': the same until the first reward that is not 0, then 0, also for rules that "
        "have not learned yet.",
    )
    initial_error: float = param(0.0, "eps_ini", at_least=0, doc="Error of a covering rule.")
    initial_fitness: float = param(
        0.01, "F_ini", above=0, at_most=1, doc="Fitness of a covering rule."
    )
    cover_spread: float = param(
        0.5, "r_0", above=0, at_most=1, doc="Largest distance of a covered bound from the state."
    )

    def checked_min_actions(self, n_actions: int) -> int:
        """Return theta_mna for a number of actions; None means all of them."""
        if self.min_actions is None:
            return n_actions
        if self.min_actions > n_actions:
            raise ConfigError(
                f"min_actions (theta_mna) must lie in [1, {n_actions}] "
                f"for {n_actions} actions, got {self.min_actions}"
            )
        return self.min_actions
