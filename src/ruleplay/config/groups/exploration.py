"""How actions are chosen that are not the best ones known."""

from dataclasses import dataclass

from ruleplay.config.fields import param
from ruleplay.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class ExplorationSettings:
    """Set when an agent explores, and for how long at a time."""

    exploration: str = param(
        "alternate",
        choices=("alternate", "epsilon_greedy"),
        kernel="",
        doc="Explore and exploit steps in turn (single-step problems only), or by chance.",
    )
    epsilon_start: float = param(
        1.0,
        "epsilon",
        at_least=0,
        at_most=1,
        kernel="epsilon_start",
        doc="Probability of a random action at first.",
    )
    epsilon_end: float = param(
        0.02,
        "epsilon",
        at_least=0,
        at_most=1,
        kernel="epsilon_end",
        doc="Probability of a random action at last.",
    )
    epsilon_fraction: float = param(
        0.1,
        at_least=0,
        at_most=1,
        kernel="",
        doc="Share of the run in which epsilon goes to its end.",
    )
    exploration_persistence: float = param(
        1.0,
        "L",
        at_least=1,
        later=True,
        kernel="persistence",
        doc="Mean number of steps that a random action lasts.",
    )
    exploration_fades: bool = param(
        False,
        later=True,
        kernel="persistence_fades",
        doc="Whether L falls to 1 while epsilon goes to its end.",
    )

    exploit_learning: bool = param(
        False,
        later=True,
        kernel="learns_exploits",
        doc="Whether exploit steps are learned from too, where the two kinds alternate.",
    )
    exploit_clock: bool = param(
        False,
        later=True,
        kernel="clock_per_exploit",
        doc="Whether exploit steps that are not learned from move the clock of the GA.",
    )

    def check_persistence(self) -> None:
        """Refuse actions that last where there are no episodes."""
        if self.exploration != "epsilon_greedy" and self.exploration_persistence > 1.0:
            raise ConfigError(
                "exploration must be 'epsilon_greedy' for exploration_persistence (L) above 1, "
                f"got {self.exploration!r}"
            )
