"""XCS as an agent in Gymnasium environments."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from gymnasium.vector import VectorEnv
from numpy.typing import ArrayLike, NDArray

from ruleplay.config import KeepConfig, ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError, ModelFileError, NotTrainedError
from ruleplay.evaluation import (
    Env,
    Envs,
    Evaluation,
    evaluate_policy,
    make_again,
    seed_first,
)
from ruleplay.learners.agent.checkpoints import Checkpoints, checked_keep
from ruleplay.learners.agent.compaction import Stage, compact_on
from ruleplay.learners.agent.hindsight import Hindsight, check_hindsight, flat
from ruleplay.learners.agent.interface import Interface, make_interface, open_env, settle_bounds
from ruleplay.learners.agent.play import Actor, Score, World, counting, play, sharing_actors
from ruleplay.learners.agent.recipe import Wishes
from ruleplay.learners.agent.warmup import (
    COMPACTING,
    DOUBTING,
    EVALUATING,
    EXPLORING,
    LOOKING_BACK,
    Plan,
    build_engine,
    random_stream,
)
from ruleplay.learners.common.progress import showing_progress
from ruleplay.rules import Compaction, Explanation, explain, rules_table, rules_text

Vector = NDArray[np.float64]
Callback = Callable[["XCSAgent"], bool | None]


class XCSAgent:
    """Learn to act in an environment by rules, behind the interface of Stable-Baselines3.

    Settings that neither names nor `config` nor `preset` fix are chosen for the environment,
    the size of payoffs after a warm-up of random play (a tenth of the first call of `learn`,
    at most 1000 steps) that is learned from like all else.

    Args:
        env: The name of an environment, an environment, or a `gymnasium.vector` of several,
            which share one population.
        preset: Name of a published experiment whose settings to use.
        config: All settings at once.
        replay: Settings of the replay memory; None learns without one.
        bounds: (low, high) of the observations, numbers or arrays of their shape; "observe"
            takes the range seen in the warm-up and a quarter more on each side; None takes
            what the space declares. Values outside are clipped.
        encode_discrete: What numbered states become: "ordinal" (their number), "one_hot"
            (a feature for each), or sizes such as (4, 12) whose product is the number of
            states (rows and columns, say). None: sizes if we know the environment, else
            "ordinal".
        hindsight: For environments with goals (observations that are dictionaries with an
            achieved and a desired goal): after each episode so many copies of each step are
            stored with goals that were achieved in it or later. 0 stores none.
        feature_names: What the features are called in rules.
        action_names: What the actions are called in rules.
        seed: Seed of everything random, the environment included.
        **settings: Single settings by name, those of the memory with the prefix `replay_`.
    """

    env: Env | Envs | None  # None only if loaded without one
    _engine: XCS | None
    warmup_steps: int  # steps of random play at the beginning, so far
    validation_steps: int  # steps of greedy episodes that decided what to keep, so far

    def __init__(
        self,
        env: str | Env | Envs,
        *,
        preset: str | None = None,
        config: XCSConfig | None = None,
        replay: ReplayConfig | Literal["default"] | None = "default",
        bounds: Any = None,
        encode_discrete: str | Sequence[int] | None = None,
        hindsight: int = 0,
        feature_names: Sequence[str] | None = None,
        action_names: Sequence[str] | None = None,
        seed: int = 0,
        **settings: Any,
    ) -> None:
        opened = open_env(env)
        interface = make_interface(opened, encode_discrete, feature_names, action_names)
        self._plan: Plan | None = Plan(
            interface,
            settle_bounds(opened, interface.encoder, bounds),
            Wishes(preset, config, replay, settings),
            checked_integer("seed", seed, 0, 2**63 - 1),
        )
        self._plan.check(opened)
        self._begin(interface, None, seed)
        self._hindsight = checked_integer("hindsight", hindsight, 0, 10_000)
        check_hindsight(self._hindsight, opened, replay is not None)
        self.env = opened

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

    @property
    def num_timesteps(self) -> int:
        """Return the number of steps in the environment, those of the warm-up included."""
        return self._score.steps

    @property
    def episode_returns(self) -> list[float]:
        """Return the undiscounted sum of rewards of each episode finished while learning."""
        return list(self._score.returns)

    @property
    def episode_lengths(self) -> list[int]:
        """Return the number of steps of each episode finished while learning."""
        return list(self._score.lengths)

    @property
    def exploration_rate(self) -> float:
        """Return the current probability of a random action (epsilon)."""
        config, planned = self.engine.config, self.engine.horizon
        last = config.epsilon_fraction * planned
        if self.engine.learning_steps >= last:
            return config.epsilon_end
        share = self.engine.learning_steps / last
        return config.epsilon_start + (config.epsilon_end - config.epsilon_start) * share

    def learn(
        self,
        total_timesteps: int,
        callback: Callback | None = None,
        progress_bar: bool = False,
        reset_num_timesteps: bool = True,
        keep: str | KeepConfig = "auto",
    ) -> Self:
        """Learn in the environment for a number of steps, from a new episode on.

        The first call plans the run: exploration falls over a share of its steps. Later
        calls go on with what is known, at the last exploration rate; `reset_num_timesteps`
        only empties the record of steps and episodes. `callback` is called with the agent
        after each step that is not part of the warm-up; False ends the call.

        `keep` says which population the agent has in the end: "last"; the best one of 20
        checkpoints, "validated" by ten greedy episodes (in a new environment of the same kind;
        `validation_steps` counts their steps) or "online" by the episodes learned from since
        the checkpoint before; or the "average" of the last five, all of whose rules vote and
        which has no memory to learn on with. A `KeepConfig` sets these numbers. "auto" is
        "validated" where another environment can be made, else "online", with a checkpoint
        every 2000 steps, or seldom enough for 20 of them; shorter calls keep the last one.
        """
        steps, world = checked_integer("total_timesteps", total_timesteps, 1), self._world()
        chosen = checked_keep(keep, world.env, steps)
        if reset_num_timesteps:
            self._score = Score()
        first = self._score.steps
        checkpoints = Checkpoints(self, chosen, first, steps)
        with showing_progress(progress_bar, steps) as show:

            def go_on() -> bool:
                show(self._score.steps - first)
                checkpoints.pass_by(self._score.steps)
                wanted = callback is None or callback(self) is not False
                return wanted and self._score.steps < first + steps

            self._is_learning = True
            try:
                self._prepare(world, steps)
                if self._score.steps < first + steps:
                    play(world, self._actors(world), self._score, go_on, self._take_seed())
            finally:
                self._is_learning = False
        self._engine = checkpoints.choose() or self._engine
        self.validation_steps += checkpoints.validation_steps
        return self

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
        seen, encoder = np.asarray(flat(observation)), self._interface.encoder
        is_single = seen.shape == encoder.shape
        if not is_single and seen.shape[1:] != encoder.shape:
            raise ConfigError(
                f"observation must have shape {encoder.shape}, or (n, ...) for several, "
                f"got {seen.shape}"
            )
        values = self.engine.predict(encoder.rows(seen[np.newaxis] if is_single else seen))
        actions = best_actions(values, int(self._tally.argmax()))
        if not deterministic:
            doubts = self._doubt.random(len(actions)) < self.exploration_rate
            draws = self._doubt.integers(self._interface.n_actions, size=len(actions))
            actions = np.where(doubts, draws, actions)
        actions += self._interface.first_action
        return actions[0] if is_single else actions, state

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
            seed = int(random_stream(self.engine.seed, EVALUATING).integers(2**31))
        if env is not None:
            stage = open_env(env)
            self._interface.check_fits(stage)
        else:
            stage = self._world().env
        if isinstance(stage, VectorEnv) or (env is None and self._is_learning):
            stage = make_again(stage)
        return evaluate_policy(
            stage,
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
        seen, encoder = np.asarray(flat(observation)), self._interface.encoder
        if seen.shape != encoder.shape:
            raise ConfigError(f"observation must have shape {encoder.shape}, got {seen.shape}")
        return explain(self._noted_engine(), encoder.rows(seen[np.newaxis])[0])

    def compact(
        self,
        method: str = "evaluate",
        *,
        max_rules: int = 10,
        episodes: int = 40,
        tolerance: float = 0.02,
        seed: int | None = None,
        make_env: str | Callable[[], Env] | None = None,
        max_episode_steps: int = 10_000,
    ) -> Compaction:
        """Return few rules that act as well as all; the agent does not change.

        "evaluate" looks for an ordered list of at most `max_rules` rules and a default
        action whose mean return over `episodes` is the best found but for a share of
        `tolerance`; the loss is measured on other episodes, 100 or more. "greedy" keeps
        those rules, which go on voting, that are needed to decide alike about the states
        in the replay memory but for a share of `tolerance`.

        Episodes are played in new environments of the same kind, or in those that
        `make_env`, a name or a function, makes. Without a seed they are always the same.
        """
        checked_integer("episodes", episodes, 1, 100_000)
        engine = self._noted_engine()
        if seed is None:
            seed = int(random_stream(engine.seed, COMPACTING).integers(2**31))
        checked_integer("seed", seed, 0, 2**62)

        def make() -> Env | Envs:
            if make_env is None:
                return make_again(self._world().env, "compact(make_env=...)")
            made = open_env(make_env if isinstance(make_env, str) else make_env())
            self._interface.check_fits(made)
            return made

        stage = Stage(make, self._interface, episodes, seed, max_episode_steps)
        return compact_on(stage, engine, method, max_rules, tolerance)

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything learned to one file, from which `load` goes on."""
        self._noted_engine().save(path)

    @classmethod
    def load(cls, path: str | PathLike[str], env: str | Env | Envs | None = None) -> Self:
        """Read an agent; without an environment it can predict, but not learn or evaluate.

        The record of episodes is not in the file. A damaged file or one of another learner
        raises ModelFileError.
        """
        engine = XCS.load(path)
        if engine.about.get("learner") != "agent":
            raise ModelFileError(f"{path}: the model was not saved by an XCSAgent")
        agent = cls.__new__(cls)
        try:
            agent._restore(engine)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelFileError(f"{path}: the notes on the agent are damaged: {error}") from None
        if env is not None:
            agent.set_env(env)
        return agent

    def _begin(self, interface: Interface, engine: XCS | None, seed: int) -> None:
        """Set what changes as the agent lives."""
        self.env = None
        self.warmup_steps = 0
        self.validation_steps = 0
        self._interface = interface
        self._engine = engine
        self._score = Score()
        self._tally = np.zeros(interface.n_actions, np.int64)  # actions taken while learning
        self._doubt = random_stream(seed, DOUBTING)
        self._is_seeded = False
        self._is_learning = False
        self._hindsight = 0

    def _restore(self, engine: XCS) -> None:
        """Become the agent that an engine from a file belongs to."""
        about = engine.about
        interface = Interface.from_about(about, engine.n_actions)
        if interface.encoder.n_features != engine.n_features:
            raise ConfigError(f"the encoder must give {engine.n_features} features")
        self._plan = None
        self._begin(interface, engine, engine.seed)
        taken = [checked_integer("actions_taken", n, 0, 2**62) for n in about["actions_taken"]]
        self._tally[:] = taken
        self._hindsight = checked_integer("hindsight", about.get("hindsight", 0), 0, 10_000)
        self._score.steps = checked_integer("num_timesteps", about["num_timesteps"], 0, 2**62)

    def _noted_engine(self) -> XCS:
        """Return the engine, with notes on the agent for whoever reads its rules or its file."""
        spec = getattr(self.env, "spec", None)
        self.engine.about.update(
            learner="agent",
            env=None if spec is None else spec.id,
            actions_taken=self._tally.tolist(),
            num_timesteps=self.num_timesteps,
        )
        if self._hindsight:
            self.engine.about["hindsight"] = self._hindsight
        return self.engine

    def _world(self) -> World:
        if self.env is None:
            name = self.engine.about.get("env")
            hint = f"XCSAgent.load(path, env={name!r})" if name else "XCSAgent.load(path, env=...)"
            raise ConfigError(f"the agent has no environment: use {hint} or set_env()")
        return World(self.env, self._interface.encoder.vector, self._interface.first_action)

    def _take_seed(self) -> int | None:
        """Return the seed for an environment's first episode, and None for later ones."""
        seed = None if self._is_seeded else self.engine.seed
        self._is_seeded = True
        return seed

    def _prepare(self, world: World, steps: int) -> None:
        """Make sure that there is an engine, and that it expects a new episode."""
        if self._engine is None:
            assert self._plan is not None
            before = self._score.steps
            self._engine = build_engine(self._plan, world, steps, self._score)
            self.warmup_steps = self._score.steps - before
            self._is_seeded = self.warmup_steps > 0
        self._engine.start_episode()

    def _actors(self, world: World) -> list[Actor]:
        """Return who acts: the engine itself, or those who share it."""
        engine = self.engine
        actors: list[Actor] = [engine.step]
        if self._hindsight:
            random = random_stream(engine.seed, LOOKING_BACK, engine.learning_steps)
            actors = [Hindsight(engine.step, engine, world, self._hindsight, random)]
        if isinstance(world.env, VectorEnv):
            random = random_stream(engine.seed, EXPLORING, engine.learning_steps)
            actors = sharing_actors(engine, world, lambda: self.exploration_rate, random)
        return [counting(actor, self._tally) for actor in actors]


def best_actions(values: Vector, default: int) -> NDArray[np.int64]:
    """Return the action of largest prediction in each row; the default where there is none."""
    known = ~np.isnan(values)
    best = np.where(known, values, -np.inf).argmax(axis=1)
    return np.where(known.any(axis=1), best, default)
