"""What an agent can do with what it has learned: act, be measured, explain, be saved."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from typing import Any, Self

import numpy as np
import pandas as pd
from gymnasium.vector import VectorEnv
from numpy.typing import ArrayLike

from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError, NotTrainedError
from ruleplay.evaluation import (
    Env,
    Envs,
    Evaluation,
    evaluate_policy,
    make_again,
    seed_first,
)
from ruleplay.learners.agent.actors import best_actions
from ruleplay.learners.agent.build import COMPACTION, EVALUATION, PREDICTION, random_stream
from ruleplay.learners.agent.compaction import REFINE, JudgingEpisodes, compact_by_episodes
from ruleplay.learners.agent.hindsight import check_hindsight
from ruleplay.learners.agent.interface import Interface, open_env
from ruleplay.learners.agent.notes import LEARNER, AgentNotes, read_notes, write_notes
from ruleplay.learners.agent.play import EncodedEnv, EpisodeLog
from ruleplay.learners.common.model_notes import load_learner
from ruleplay.rules import Compaction, Explanation, explain, rules_table, rules_text


class RulePolicy:
    """Rules that act in an environment, and a record of how they came to be."""

    env: Env | Envs | None  # None only if loaded without one
    _engine: XCS | None

    def _begin(self, interface: Interface, engine: XCS | None, seed: int, hindsight: int) -> None:
        """Set what changes as the agent lives."""
        self.env = None
        self._interface = interface
        self._engine = engine
        self._log = EpisodeLog()
        self._action_counts = np.zeros(interface.n_actions, np.int64)  # while learning
        self._random = random_stream(seed, PREDICTION)
        self._hindsight = hindsight
        self._populations = 1  # whose rules vote together
        self._is_seeded = False  # whether the environment has got its seed
        self._is_learning = False

    def set_env(self, env: str | Env | Envs) -> None:
        """Go on in another environment with the same observations and actions."""
        opened = open_env(env)
        self._interface.check_fits(opened)
        check_hindsight(self._hindsight, opened, replays=True)
        self.env = opened
        self._is_seeded = False

    @property
    def engine(self) -> XCS:
        """Return the classifier system, which exists once `learn` was called."""
        if self._engine is None:
            raise NotTrainedError("the agent has not learned anything yet: call learn() first")
        return self._engine

    @contextmanager
    def acting_by(self, engine: XCS) -> Iterator[None]:
        """Let another engine decide for a while."""
        own, self._engine = self._engine, engine
        try:
            yield
        finally:
            self._engine = own

    @property
    def num_timesteps(self) -> int:
        """Return the number of steps in the environment, those of the warm-up included."""
        return self._log.steps

    @property
    def exploration_rate(self) -> float:
        """Return the current probability of a random action (epsilon)."""
        config, planned = self.engine.config, self.engine.horizon
        last = config.epsilon_fraction * planned
        if self.engine.learning_steps >= last:
            return config.epsilon_end
        share = self.engine.learning_steps / last
        return config.epsilon_start + (config.epsilon_end - config.epsilon_start) * share

    def predict(
        self,
        observation: ArrayLike,
        state: Any = None,
        episode_start: Any = None,
        deterministic: bool = True,
    ) -> tuple[Any, Any]:
        """Return the best action for an observation, or for each of several, and `state`.

        Where no rule matches, it is the action taken most often while learning. With
        `deterministic=False` an action is random as often as it is while learning now.
        The agent does not change; `state` and `episode_start` serve recurrent policies only.
        """
        rows, is_single = self._interface.rows(observation)
        values = self.engine.predict(rows)
        actions = best_actions(values, int(self._action_counts.argmax()))
        if not deterministic:
            explores = self._random.random(len(actions)) < self.exploration_rate
            draws = self._random.integers(self._interface.n_actions, size=len(actions))
            actions = np.where(explores, draws, actions)
        taken = self._interface.actions.take(actions)
        return taken[0] if is_single else taken, state

    def evaluate(
        self,
        episodes: int = 100,
        seed: int | None = None,
        *,
        env: str | Env | None = None,
        max_episode_steps: int = 10_000,
    ) -> Evaluation:
        """Play episodes without exploration and learning.

        They are played in `env`; else in the agent's own environment, or a new one of the
        same kind while it is in use. Without a seed they are always the same ones.
        """
        checked_integer("episodes", episodes, 1)
        if seed is None:
            seed = int(random_stream(self.engine.seed, EVALUATION).integers(2**31))
        if env is not None:
            played = open_env(env)
            self._interface.check_fits(played)
        else:
            played = self._encoded().env
        if isinstance(played, VectorEnv) or (env is None and self._is_learning):
            played = make_again(played)
        return evaluate_policy(
            played,
            lambda seen: self.predict(seen)[0],
            seed_first(seed, episodes),
            max_episode_steps,
        )

    def rules(self) -> pd.DataFrame:
        """Return a table of all rules in the environment's units, the strongest first."""
        return rules_table(self.engine)

    def rules_text(self, top: int | None = 10) -> str:
        """Return the strongest rules as sentences, one a line; None: all."""
        return rules_text(self.engine, top)

    def explain(self, observation: ArrayLike) -> Explanation:
        """Explain the decision about one observation: which rules spoke, and for what.

        Print it, or read its `votes`. Its actions are numbered from 0.
        """
        return explain(self._noted_engine(), self._interface.row(observation))

    def compact(
        self,
        method: str = "evaluate",
        *,
        max_rules: int = 10,
        episodes: int = 40,
        tolerance: float = 0.02,
        refine: int = REFINE,
        seed: int | None = None,
        make_env: str | Callable[[], Env] | None = None,
        max_episode_steps: int = 10_000,
    ) -> Compaction:
        """Return few rules that act as well as all; the agent does not change.

        "evaluate" looks for an ordered list of at most `max_rules` rules and a default
        action whose mean return over `episodes` is the best found but for a share of
        `tolerance`; the loss is measured on other episodes, 100 or more. Where none does as
        well as all rules, the best one is refined, change by change, in some `refine` further
        episodes. "greedy" keeps
        those rules, which go on voting, that are needed to decide alike about the states
        in the replay memory but for a share of `tolerance`.

        Episodes are played in new environments of the same kind, or in those that
        `make_env`, a name or a function, makes. Without a seed they are always the same.
        """
        checked_integer("episodes", episodes, 1, 100_000)
        engine = self._noted_engine()
        if seed is None:
            seed = int(random_stream(engine.seed, COMPACTION).integers(2**31))
        checked_integer("seed", seed, 0, 2**62)

        def make() -> Env | Envs:
            if make_env is None:
                return make_again(self._encoded().env, "compact(make_env=...)")
            made = open_env(make_env if isinstance(make_env, str) else make_env())
            self._interface.check_fits(made)
            return made

        judging = JudgingEpisodes(make, self._interface, episodes, seed, max_episode_steps)
        return compact_by_episodes(
            judging, engine, method, max_rules=max_rules, tolerance=tolerance, refine=refine
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything learned to one file, from which `load` goes on."""
        self._noted_engine().save(path)

    @classmethod
    def load(cls, path: str | PathLike[str], env: str | Env | Envs | None = None) -> Self:
        """Read an agent; without an environment it can predict, but not learn or evaluate.

        The record of episodes is not in the file. A damaged file or one of another learner
        raises ModelFileError.
        """
        agent: Self = load_learner(path, LEARNER, "an XCSAgent", cls._from_engine)
        if env is not None:
            agent.set_env(env)
        return agent

    @classmethod
    def _from_engine(cls, engine: XCS) -> Self:
        """Return the agent that an engine from a file belongs to."""
        agent, notes = cls.__new__(cls), read_notes(engine)
        agent._begin(notes.interface, engine, engine.seed, notes.hindsight)
        agent._action_counts[:] = notes.action_counts
        agent._log.steps = notes.num_timesteps
        agent._populations = notes.populations
        return agent

    def _noted_engine(self) -> XCS:
        """Return the engine, with notes on the agent for whoever reads its rules or its file."""
        counts = self._action_counts.tolist()
        notes = AgentNotes(
            self._interface, counts, self.num_timesteps, self._hindsight, self._populations
        )
        write_notes(self.engine, notes, self.env)
        return self.engine

    def _encoded(self) -> EncodedEnv:
        if self.env is None:
            name = self.engine.about.get("env")
            hint = f"XCSAgent.load(path, env={name!r})" if name else "XCSAgent.load(path, env=...)"
            raise ConfigError(f"the agent has no environment: use {hint} or set_env()")
        return EncodedEnv(self.env, self._interface.encoder, self._interface.actions)
