"""Which of an agent's populations to keep: the best at its checkpoints, by a score."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ruleplay.config import KeepConfig
from ruleplay.engine import XCS
from ruleplay.engine.checkpoints import PopulationKeeper
from ruleplay.errors import ConfigError
from ruleplay.evaluation import can_be_made_again

if TYPE_CHECKING:
    from ruleplay.learners.agent import XCSAgent


AUTO = "auto"
MOST_CHECKPOINTS = 20
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
    """Keep the best of several populations in runs long enough for a choice."""
    checkpoints = min(MOST_CHECKPOINTS, steps // STEPS_BETWEEN)
    if checkpoints < 2:
        return KeepConfig()
    policy = "validated" if can_be_made_again(env) else "online"
    return KeepConfig(policy=policy, checkpoints=checkpoints)


class Checkpoints:
    """Judge an agent's population at checkpoints of one call of `learn`."""

    def __init__(self, agent: "XCSAgent", keep: KeepConfig, first: int, steps: int) -> None:
        self._agent, self._keep = agent, keep
        self._ahead = [
            first + steps * k // keep.checkpoints for k in range(1, keep.checkpoints + 1)
        ]
        self._episodes = len(agent.episode_returns)
        self._keeper = PopulationKeeper(
            newest_of_equals=True,
            with_memory=True,
            average_over=keep.average_over if keep.policy == "average" else 0,
        )
        self.validation_steps = 0

    def note_step(self, step: int) -> None:
        """Judge the population if a checkpoint is reached."""
        if self._keep.policy == "last" or not self._ahead or step < self._ahead[0]:
            return
        while self._ahead and self._ahead[0] <= step:
            del self._ahead[0]
        self._keeper.offer(self._agent.engine, self._score(), step)

    def _score(self) -> float:
        if self._keep.policy == "validated":
            return self._validate()
        return self._average_new_returns()

    def _validate(self) -> float:
        played = self._agent.evaluate(self._keep.episodes, max_episode_steps=LONGEST)
        self.validation_steps += sum(played.lengths)
        return played.mean

    def _average_new_returns(self) -> float:
        """Return the mean return since the last checkpoint, NaN without any."""
        new = self._agent.episode_returns[self._episodes :]
        self._episodes += len(new)
        return float(np.mean(new)) if new else np.nan

    def choose(self) -> XCS | None:
        """Return the engine to keep; None: the present one."""
        return self._keeper.choose()
