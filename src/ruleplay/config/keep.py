"""Configure which population a run keeps, and how it is tested."""

from dataclasses import dataclass
from typing import ClassVar

from ruleplay.config.fields import param
from ruleplay.config.settings import Settings
from ruleplay.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class KeepConfig(Settings):
    """Set what happens at the checkpoints of a run, and which of its populations remains.

    The steps that greedy episodes take are counted apart from those of learning.
    """

    setting_prefix: ClassVar[str] = "keep_"

    policy: str = param(
        "last",
        choices=("last", "validated", "online", "average", "validated_average"),
        doc="Which population remains: the last one, the best one by greedy episodes or by the "
        "episodes learned from since the checkpoint before, or the last few together, those of "
        "the end or of the checkpoint where they are best by greedy episodes.",
    )
    checkpoints: int = param(20, at_least=1, doc="Pauses at which a population may be kept.")
    episodes: int = param(10, at_least=1, doc="Greedy episodes that judge one population.")
    average_over: int = param(
        5, at_least=2, doc="Populations, of as many checkpoints, that an average puts together."
    )
    test_episodes: int = param(
        100, at_least=1, doc="Greedy episodes, of other starts, that test what remains."
    )
    compact_to: int = param(
        0,
        at_least=0,
        at_most=100,
        later=True,
        doc="Rules of a list that does as well as what remains, to be looked for; 0: none.",
    )

    @property
    def averages(self) -> bool:
        """Tell whether populations of several checkpoints are put together."""
        return self.policy in ("average", "validated_average")

    @property
    def validates(self) -> bool:
        """Tell whether greedy episodes decide."""
        return self.policy in ("validated", "validated_average")

    @property
    def chooses(self) -> bool:
        """Tell whether one checkpoint is chosen among all."""
        return self.validates or self.policy == "online"

    def _check_together(self) -> None:
        if self.averages and self.average_over > self.checkpoints:
            raise ConfigError(
                f"keep_average_over must lie in [2, {self.checkpoints}] for keep_checkpoints = "
                f"{self.checkpoints}, got {self.average_over}"
            )
