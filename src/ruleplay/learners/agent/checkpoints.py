"""Which of an agent's populations to keep: the best at its checkpoints, by a score."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ruleplay.config import KeepConfig
from ruleplay.engine import XCS
from ruleplay.engine.checkpoints import PopulationKeeper
from ruleplay.engine.uniting import LastPopulations, with_rules_of
from ruleplay.errors import ConfigError
from ruleplay.evaluation import can_be_made_again

if TYPE_CHECKING:
    from ruleplay.learners.agent import XCSAgent


AUTO = "auto"
MOST_CHECKPOINTS = 20
MOST_TOGETHER = 10  # of them, the last ones of each
STEPS_BETWEEN = 2000  # at least, for a choice among checkpoints that nobody asked for
LONGEST = 1000  # steps of a validation episode


def checked_keep(keep: str | KeepConfig, env: Any, steps: int) -> KeepConfig:
    """Return what to keep after some steps in an environment, as named or configured."""
    if isinstance(keep, KeepConfig):
        return keep
    if not isinstance(keep, str):
        raise ConfigError(f"keep must be the name of a policy or a KeepConfig, got {keep!r}")
    return _our_choice(env, steps) if keep == AUTO else KeepConfig(policy=keep)


def _our_choice(env: Any, steps: int) -> KeepConfig:
    """Keep the best of several populations in runs long enough for a choice.

    Half of the checkpoints' populations together are judged, if there is something to judge by.
    """
    checkpoints = min(MOST_CHECKPOINTS, steps // STEPS_BETWEEN)
    if checkpoints < 2:
        return KeepConfig()
    if not can_be_made_again(env):
        return KeepConfig(policy="online", checkpoints=checkpoints)
    together = min(MOST_TOGETHER, max(2, checkpoints // 2))
    return KeepConfig(policy="validated_average", checkpoints=checkpoints, average_over=together)


class Checkpoints:
    """Judge an agent's population at checkpoints of one call of `learn`."""

    def __init__(self, agent: "XCSAgent", keep: KeepConfig, first: int, steps: int) -> None:
        self._agent, self._keep = agent, keep
        self._ahead = [
            first + steps * k // keep.checkpoints for k in range(1, keep.checkpoints + 1)
        ]
        self._episodes = len(agent.episode_returns)
        self._last = LastPopulations(keep.average_over)
        self._keeper = PopulationKeeper(newest_of_equals=True, with_memory=not keep.averages)
        self.validation_steps = 0

    def note_step(self, step: int) -> None:
        """Judge the population if a checkpoint is reached."""
        if self._keep.policy == "last" or not self._ahead or step < self._ahead[0]:
            return
        while self._ahead and self._ahead[0] <= step:
            del self._ahead[0]
        if self._keep.averages:
            self._last.add(self._agent.engine)
        if self._keep.validates:
            candidate = self._last.united() if self._keep.averages else self._agent.engine
            self._keeper.offer(candidate, self._validate(candidate), step)
        elif self._keep.chooses:
            self._keeper.offer(self._agent.engine, self._average_new_returns(), step)

    def _validate(self, candidate: XCS) -> float:
        with self._agent.acting_by(candidate):
            played = self._agent.evaluate(self._keep.episodes, max_episode_steps=LONGEST)
        self.validation_steps += sum(played.lengths)
        return played.mean

    def _average_new_returns(self) -> float:
        """Return the mean return since the last checkpoint, NaN without any."""
        new = self._agent.episode_returns[self._episodes :]
        self._episodes += len(new)
        return float(np.mean(new)) if new else np.nan

    def choose(self) -> XCS:
        """Return the engine to keep; several populations together have the present memory."""
        engine = self._agent.engine
        if self._keep.averages and self._last:
            together = self._keeper.choose() or self._last.united()
            return with_rules_of(engine, together)
        return self._keeper.choose() or engine
