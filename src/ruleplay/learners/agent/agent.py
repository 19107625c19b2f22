"""XCS as an agent in Gymnasium environments: how it learns."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Self

from gymnasium.vector import VectorEnv

from ruleplay.config import KeepConfig, ReplayConfig, XCSConfig
from ruleplay.engine.inputs import checked_integer
from ruleplay.engine.uniting import strongest_part
from ruleplay.evaluation import Env, Envs
from ruleplay.learners.agent.actors import Actor, actors_sharing, count_actions
from ruleplay.learners.agent.build import (
    EXPLORATION,
    HINDSIGHT,
    Plan,
    build_engine,
    random_stream,
)
from ruleplay.learners.agent.checkpoints import Checkpoints, checked_keep
from ruleplay.learners.agent.hindsight import Hindsight, check_hindsight
from ruleplay.learners.agent.interface import choose_bounds, known_env, make_interface, open_env
from ruleplay.learners.agent.notes import checked_hindsight
from ruleplay.learners.agent.play import EncodedEnv, EpisodeLog, play
from ruleplay.learners.agent.policy import RulePolicy
from ruleplay.learners.agent.recipe import Wishes
from ruleplay.learners.agent.refining import refine
from ruleplay.learners.common.progress import showing_progress

Callback = Callable[["XCSAgent"], bool | None]


class XCSAgent(RulePolicy):
    """Learn to act in an environment by rules, behind the interface of Stable-Baselines3.

    Settings that neither names nor `config` nor `preset` fix are chosen for the environment,
    the size of payoffs after a warm-up of random play (a tenth of the first call of `learn`,
    at most 1000 steps, or 3000 if actions are real numbers, and 20 000 as long as nothing is
    paid and states have no numbers) that is learned from like all else.

    Args:
        env: The name of an environment, an environment, or a `gymnasium.vector` of several,
            which share one population.
        preset: Name of a published experiment whose settings to use.
        config: All settings at once.
        replay: Settings of the replay memory; None learns without one.
        bounds: (low, high) of the observations, numbers or arrays of their shape; "observe"
            takes the range seen in the warm-up and a quarter more on each side; None takes
            what the space declares, and observes where that is infinite. Values outside are
            clipped.
        encode_discrete: What numbered states become: "ordinal" (their number), "one_hot"
            (a feature for each), or sizes such as (4, 12) whose product is the number of
            states (rows and columns, say). None: sizes if we know the environment, else
            "ordinal". Of observations with several parts, it holds for all that are numbered.
        action_grid: How many values each real number of a `Box` action gets, evenly from its
            lower to its upper bound: an integer, or one for each. None: 5 if there is one
            number, 3 if there are two to five, else 2.
        hindsight: For environments with goals (observations that are dictionaries with an
            achieved and a desired goal): after each episode this many copies of each step are
            stored with goals that were achieved in it or later. 0 stores none.
        feature_names: What the features are called in rules.
        action_names: What the actions are called in rules.
        seed: Seed of everything random, the environment included.
        **settings: Single settings by name, those of the memory with the prefix `replay_`.
    """

    warmup_steps = 0  # of random play at the beginning, so far
    validation_steps = 0  # of greedy episodes that decided what to keep, so far
    _plan: Plan | None = None  # None if loaded: there is an engine

    def __init__(
        self,
        env: str | Env | Envs,
        *,
        preset: str | None = None,
        config: XCSConfig | None = None,
        replay: ReplayConfig | Literal["default"] | None = "default",
        bounds: Any = None,
        encode_discrete: str | Sequence[int] | None = None,
        action_grid: int | Sequence[int] | None = None,
        hindsight: int = 0,
        feature_names: Sequence[str] | None = None,
        action_names: Sequence[str] | None = None,
        seed: int = 0,
        **settings: Any,
    ) -> None:
        opened = open_env(env)
        interface = make_interface(
            opened, encode_discrete, feature_names, action_names, action_grid
        )
        self._plan = Plan(
            interface,
            choose_bounds(opened, interface.encoder, bounds),
            Wishes(preset, config, replay, settings),
            checked_integer("seed", seed, 0, 2**63 - 1),
        )
        self._plan.check(opened)
        self._begin(interface, None, seed, checked_hindsight(hindsight))
        check_hindsight(self._hindsight, opened, replay is not None)
        self.env = opened

    @property
    def episode_returns(self) -> list[float]:
        """Return the undiscounted sum of rewards of each episode finished while learning."""
        return list(self._log.returns)

    @property
    def episode_lengths(self) -> list[int]:
        """Return the number of steps of each episode finished while learning."""
        return list(self._log.lengths)

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
        the checkpoint before; the "average" of the last five, all of whose rules vote; or the
        "validated_average", the best of these averages. A `KeepConfig` sets these numbers.
        "auto" is the "validated_average" of ten where another environment can be made, else
        "online", with a checkpoint every 2000 steps, or seldom enough for 20 of them; shorter
        calls keep the last one. A call after one that kept an average goes on with its
        strongest rules, as many as one population has.
        """
        steps, encoded = checked_integer("total_timesteps", total_timesteps, 1), self._encoded()
        chosen = checked_keep(keep, encoded.env, steps)
        if reset_num_timesteps:
            self._log = EpisodeLog()
        first = self._log.steps
        checkpoints = Checkpoints(self, chosen, first, steps)
        self._is_learning = True
        try:
            self._begin_run(encoded, steps)
            actors = self._actors(encoded)
            self.engine.prepare(*self._calls(encoded, chosen))
            with showing_progress(progress_bar, steps, self._log.steps - first) as show:

                def go_on() -> bool:
                    show(self._log.steps - first)
                    checkpoints.note_step(self._log.steps)
                    wanted = callback is None or callback(self) is not False
                    return wanted and self._log.steps < first + steps

                if self._log.steps < first + steps:
                    play(encoded, actors, self._log, go_on, self._take_seed())
        finally:
            self._is_learning = False
        self._engine, alone = checkpoints.choose(), self.engine.config.population_size
        self._populations = self._engine.config.population_size // alone
        self.validation_steps += checkpoints.validation_steps
        return self

    def refine_actions(self) -> Self:
        """Add actions around the one taken most often, for the next call of `learn`.

        For actions of real numbers: in each number, those halfway to the neighbours. They have
        no rules yet.
        """
        parts = () if self.env is None else known_env(self.env).action_parts
        self._engine, self._interface, self._action_counts = refine(
            self.engine, self._interface, self._action_counts, parts
        )
        return self

    def _take_seed(self) -> int | None:
        """Return the seed for an environment's first episode, and None for later ones."""
        seed = None if self._is_seeded else self.engine.seed
        self._is_seeded = True
        return seed

    def _begin_run(self, encoded: EncodedEnv, steps: int) -> None:
        """Make sure that there is an engine, and that it expects a new episode."""
        if self._engine is None:
            assert self._plan is not None
            before = self._log.steps
            self._engine = build_engine(self._plan, encoded, steps, self._log)
            self.warmup_steps = self._log.steps - before
            self._is_seeded = self.warmup_steps > 0
        if self._populations > 1:
            size = self._engine.config.population_size // self._populations
            self._engine, self._populations = strongest_part(self._engine, size), 1
        self._engine.start_episode()

    def _calls(self, encoded: EncodedEnv, keep: KeepConfig) -> list[str]:
        """Return what the engine will be called for: it is compiled before the clock runs."""
        calls = ["step"]
        if isinstance(encoded.env, VectorEnv):
            calls = ["act", "learn"]
        if self._hindsight:
            calls.append("remember")
        if keep.policy == "validated":
            calls.append("predict")
        return calls

    def _actors(self, encoded: EncodedEnv) -> list[Actor]:
        """Return who acts: the engine itself, or those who share it."""
        engine = self.engine
        actors: list[Actor] = [engine.step]
        if self._hindsight:
            random = random_stream(engine.seed, HINDSIGHT, engine.learning_steps)
            actors = [Hindsight(engine.step, engine, encoded, self._hindsight, random)]
        if isinstance(encoded.env, VectorEnv):
            random = random_stream(engine.seed, EXPLORATION, engine.learning_steps)
            actors = actors_sharing(engine, encoded.size, lambda: self.exploration_rate, random)
        return [count_actions(actor, self._action_counts) for actor in actors]
