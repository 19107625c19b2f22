"""Which of an agent's populations to keep: the best at its checkpoints, by a score."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleplay.config import KeepConfig
from ruleplay.engine import XCS
from ruleplay.engine.checkpoints import copy_of, united
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
    """Judge an agent's population every so many steps of one call of `learn`."""

    def __init__(self, agent: "XCSAgent", keep: KeepConfig, first: int, steps: int) -> None:
        self._agent, self._keep = agent, keep
        self._ahead = [
            first + steps * k // keep.checkpoints for k in range(1, keep.checkpoints + 1)
        ]
        self._episodes = len(agent.episode_returns)
        self._best = -np.inf
        self._content = b""
        self._last: list[XCS] = []
        self.validation_steps = 0

    def pass_by(self, step: int) -> None:
        """Judge the population if a checkpoint is reached."""
        if self._keep.policy == "last" or not self._ahead or step < self._ahead[0]:
            return
        while self._ahead and self._ahead[0] <= step:
            del self._ahead[0]
        if self._keep.policy == "average":
            self._last = [*self._last, copy_of(self._agent.engine)][-self._keep.average_over :]
        else:
            self._keep_if_best(self._score[self._keep.policy]())

    @property
    def _score(self) -> dict[str, Callable[[], float]]:
        return {"validated": self._validate, "online": self._average_new_returns}

    def _keep_if_best(self, score: float) -> None:
        if score >= self._best:
            self._best, self._content = score, self._agent.engine.to_bytes()

    def _validate(self) -> float:
        played = self._agent.evaluate(self._keep.episodes, max_episode_steps=LONGEST)
        self.validation_steps += sum(played.lengths)
        return played.mean

    def _average_new_returns(self) -> float:
        """Return the mean return since the last checkpoint; without any, the worst."""
        new = self._agent.episode_returns[self._episodes :]
        self._episodes += len(new)
        return float(np.mean(new)) if new else -np.inf

    def choose(self) -> XCS | None:
        """Return the engine to keep; None: the present one."""
        if self._last:
            return united(self._last)
        return XCS.from_bytes(self._content) if self._content else None
