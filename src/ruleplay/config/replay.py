"""Configure the replay memory (Algorithm 2)."""

from dataclasses import dataclass
from typing import ClassVar

from ruleplay.config.fields import param
from ruleplay.config.settings import Settings
from ruleplay.core.components.registry import Seam
from ruleplay.core.components.seams import Mixing, Sampler, Storage
from ruleplay.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class ReplayConfig(Settings):
    """Set how experiences are stored and which of them are learned from again.

    Where replay settings stand beside those of XCS (presets, command line, estimators)
    their names start with `replay_`; so do the messages.
    """

    setting_prefix: ClassVar[str] = "replay_"
    switched: ClassVar[tuple[type[Seam], ...]] = (Mixing,)

    capacity: int = param(50_000, "N", at_least=1, kernel="", doc="Experiences kept at most.")
    batch_size: int = param(
        4,
        "m",
        at_least=1,
        at_most=10_000,
        kernel="batch",
        doc="Experiences replayed after each step of the environment.",
    )
    warmup: int = param(
        1000, "warm-up", at_least=0, doc="First learning steps, which only fill the memory."
    )
    include_newest: bool = param(
        False, doc="Whether the first experience of each batch is the newest one."
    )
    ga_clock: str = param(
        "environment",
        choices=("environment", "replay"),
        kernel="clock_per_replay",
        means_one="replay",
        doc="What moves the clock of the genetic algorithm: each step, or each replay.",
    )
    covering: bool = param(
        False,
        later=True,
        kernel="replay_covers",
        doc="Whether rules are made for replayed states that too few rules match.",
    )
    kept_steps: str = param(
        "all",
        choices=("all", "explore"),
        later=True,
        kernel="keeps_exploits",
        means_one="all",
        doc="Which steps are stored where explore and exploit steps alternate.",
    )
    first_ends: bool = param(
        False,
        later=True,
        doc="Whether the first step of an episode is also stored as if the episode ended with it, "
        "as Algorithm 2 prints it.",
    )
    keep_last: bool = param(
        True,
        later=True,
        doc="Whether the terminal step of an episode is stored; as Algorithm 2 prints it, only if "
        "it is the first.",
    )
    sampling: str = param(
        "uniform",
        seam=Sampler,
        doc="Distribution that experiences are drawn from: even, by surprise, or by region.",
    )
    storage: str = param(
        "fifo",
        seam=Storage,
        later=True,
        doc="What a full memory keeps: the newest, a fair sample of all, or rewarding ones longer.",
    )

    return_steps: int = param(
        1,
        "n",
        at_least=1,
        at_most=10_000,
        later=True,
        kernel="return_steps",
        doc="Rewards in a replayed payoff before it bootstraps.",
    )
    cut_at_exploration: bool = param(
        False, later=True, doc="Whether a payoff ends before the next action that was not greedy."
    )
    return_choice: str = param(
        "longest",
        choices=("longest", "best", "rewarded"),
        later=True,
        kernel="",
        doc="Which payoff counts: that of up to n rewards, the larger of it and the one-step "
        "payoff, or the one-step payoff unless one of the n rewards is not 0.",
    )
    action_gap: float = param(
        0.0,
        at_least=0,
        below=1,
        later=True,
        doc="Share of the distance to the best action's prediction taken off a replayed payoff.",
    )

    def _check_together(self) -> None:
        if self.batch_size > self.capacity:
            raise ConfigError(
                f"replay_batch_size (m) must be an integer in [1, {self.capacity}] "
                f"for replay_capacity (N) = {self.capacity}, got {self.batch_size}"
            )
        if self.include_newest and not self.keep_last:
            raise ConfigError(
                "replay_keep_last must be True for replay_include_newest = True, got False"
            )
        if self.return_steps > 1 and self.storage != "fifo":
            raise ConfigError(
                f"replay_return_steps (n) must be 1 for replay_storage = {self.storage!r}, "
                f"which keeps no sequences, got {self.return_steps}"
            )
        if self.return_steps == 1:
            self._check_single_steps()

    def _check_single_steps(self) -> None:
        if self.cut_at_exploration:
            raise ConfigError("replay_cut_at_exploration needs replay_return_steps (n) above 1")
        if self.return_choice != "longest":
            raise ConfigError("replay_return_choice needs replay_return_steps (n) above 1")
