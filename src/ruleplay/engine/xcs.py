"""The engine object: owns an agent's arrays and random state; acts, learns, runs, saves."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from os import PathLike
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.compiler.bundles import Bundle
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.core.basics.rng import spawn_states
from ruleplay.core.batch import TILE, allocate_space
from ruleplay.core.state.agent import agent_units, allocate_agent, bundle_agent
from ruleplay.core.state.described import LARGEST_PAYOFF, LARGEST_TIME
from ruleplay.core.state.population import RULE
from ruleplay.core.xcs import EXPLOIT, EXPLORE
from ruleplay.engine import model_file
from ruleplay.engine.build import (
    cast_params,
    check_kinds,
    check_sizes,
    choose_run,
    choose_traits,
    count_details,
    horizon_values,
    initial_prediction,
    sizes_of,
)
from ruleplay.engine.calling import Turns, in_pieces
from ruleplay.engine.divergence import divergence_of
from ruleplay.engine.entry_points import (
    act_entry,
    compile_entry,
    learn_batch_entry,
    learn_entry,
    play_entry,
    predict_entry,
    rebuild_entry,
    remember_entry,
    run_entry,
    step_entry,
    tally_entry,
)
from ruleplay.engine.inputs import (
    checked_about,
    checked_bounds,
    checked_experiences,
    checked_integer,
    checked_numbers,
    checked_observation,
    checked_return,
    checked_reward,
    checked_rows,
    refusal_of,
    shown,
)
from ruleplay.engine.invariants import broken_invariants
from ruleplay.engine.loop import INVALID, World
from ruleplay.engine.recorder import allocate_recorder
from ruleplay.engine.run_record import Episodes, RunRecord
from ruleplay.engine.state import EngineState
from ruleplay.envs.dynamics import reach
from ruleplay.envs.problem import Problem
from ruleplay.errors import ConfigError, DivergenceWarning
from ruleplay.replay.component_state import component_states, reserve_memory
from ruleplay.replay.memory import Memory
from ruleplay.replay.returns import MultiStep, flag_newest

Vector = NDArray[np.float64]
Progress = Callable[[int, int], None]  # steps done, steps in all


class XCS:
    """A classifier system for observations within `low` and `high` and a number of actions.

    Everything random follows from `seed`, in three streams: environment, agent, replay.
    `horizon` is the number of learning steps planned; the exploration rate falls over a
    fraction of it. It may be left at 0 for `run`, which knows its length. `about` is a small
    dictionary of plain values that a saved model carries: names of features and actions.
    `largest_return` is the largest return of an episode, the initial prediction of an
    optimist; it may be left to `run`, whose problem knows it.
    """

    def __init__(
        self,
        config: XCSConfig,
        replay: ReplayConfig | None = None,
        *,
        n_actions: int,
        low: ArrayLike,
        high: ArrayLike,
        seed: int = 0,
        horizon: int = 0,
        about: Mapping[str, Any] | None = None,
        largest_return: float | None = None,
    ) -> None:
        check_kinds(config, replay)
        self.config = config
        self.about = checked_about(about)
        self.replay = replay
        self.low, self.high = checked_bounds(low, high)
        self.n_features = len(self.low)
        self.n_actions = checked_integer("n_actions", n_actions, 1)
        self.horizon = checked_integer("horizon", horizon, 0)
        self.seed = checked_integer("seed", seed, 0, 2**63 - 1)
        self.largest_return = checked_return(largest_return)
        check_sizes(config, replay, self.n_actions, self.n_features)
        params = cast_params(config, replay, self.n_actions, self.horizon, self.largest_return)
        env_rng, agent_rng, replay_rng = spawn_states(self.seed, 3)
        sizes = sizes_of(config, replay, self.n_actions, self.n_features)
        memory = reserve_memory(replay, sizes, replay_rng)
        arrays = allocate_agent(
            params,
            np.array([self.low, 1.0 / (self.high - self.low)]),
            sizes,
            config.tournament_fraction,
            agent_rng,
            env_rng,
        )
        traits = choose_traits(config, replay, sizes, memory)
        self.state = EngineState(arrays, memory, traits, bundle_agent(arrays, traits))
        self._agent_bundle, self._memory_bundle = Bundle(self.state.agent), Bundle(memory)
        self._turns = Turns()
        self._is_ready = False  # to act and learn: nothing is compiled before it is needed
        self._is_warned = False  # of divergence
        self._waits = bool(np.isnan(params["p_ini"][0]))  # for the hope of an optimist

    def step(
        self,
        observation: ArrayLike,
        reward: float = 0.0,
        terminated: bool = False,
        truncated: bool = False,
    ) -> int:
        """Take in the outcome of the last action and the new observation; return an action.

        At an episode's first observation the outcome is ignored; at its end there is no
        next action and -1 is returned.
        """
        seen = checked_observation(observation, self.n_features)
        paid = checked_reward(reward)
        with self._turns:
            action: int = self._step(
                self._agent_bundle.address,
                self._memory_bundle.address,
                seen,
                paid,
                bool(terminated),
                bool(truncated),
            )
        if action < 0:
            if action == INVALID:
                raise self._refuse(seen)
            self.warn_of_divergence()
        return action

    def start_episode(self) -> None:
        """Forget the last observation: the next one that `step` meets begins an episode."""
        counters = self.state.arrays.state
        with self._turns:
            counters["has_previous"] = 0
            if isinstance(self.state.memory, Memory) and isinstance(
                self.state.memory.backup, MultiStep
            ):
                flag_newest(self.state.memory.terminal, int(counters["stored"][0]))

    def act(self, observation: ArrayLike, explore: bool = False) -> int:
        """Return a greedy action, or a random one; rules are made where actions lack any."""
        if self._waits:
            self._refuse_to_wait()
        seen = checked_observation(observation, self.n_features)
        epsilon = EXPLORE if explore else EXPLOIT
        with self._turns:
            action: int = act_entry(self._layout)(self._ready(), seen, epsilon)
        if action < 0:
            raise self._refuse(seen)
        return action

    def learn(
        self,
        observation: ArrayLike,
        action: int,
        reward: float,
        next_observation: ArrayLike | None = None,
    ) -> None:
        """Learn from one experience, or store it and replay; no next observation: terminal.

        Rules are made first where actions lack any, as in `act`.
        """
        chosen = checked_integer("action", action, 0, self.n_actions - 1)
        paid = checked_reward(reward)
        seen = checked_observation(observation, self.n_features)
        following = None
        if next_observation is not None:
            following = checked_observation(next_observation, self.n_features)
        with self._turns:
            answer: int = self._learn(
                self._agent_bundle.address,
                self._memory_bundle.address,
                seen,
                chosen,
                paid,
                following,
            )
        if answer:
            if answer == INVALID:
                raise self._refuse(*(row for row in (seen, following) if row is not None))
            self.warn_of_divergence()

    def learn_batch(
        self,
        observations: ArrayLike,
        actions: ArrayLike,
        rewards: ArrayLike,
        next_observations: ArrayLike | None = None,
        terminal: ArrayLike | None = None,
    ) -> None:
        """Learn from experiences in order, as `learn` does, in one compiled call.

        Without next observations all experiences are terminal; with them none is, except
        those flagged in `terminal`. Ctrl-C ends it between two experiences.
        """
        following = next_observations, terminal
        given = checked_experiences(self, observations, actions, rewards, *following)
        if self._waits:
            self._refuse_to_wait()
        self._enter(learn_batch_entry(self._layout, self._memory_bundle.layout), *given)

    def remember_batch(
        self,
        observations: ArrayLike,
        actions: ArrayLike,
        rewards: ArrayLike,
        next_observations: ArrayLike | None = None,
        terminal: ArrayLike | None = None,
    ) -> None:
        """Put experiences into the replay memory, in order, without learning from them now.

        The arguments are those of `learn_batch`. No time passes.
        """
        if self.replay is None:
            raise ConfigError("remember_batch needs a replay memory: XCS(..., replay=...)")
        following = next_observations, terminal
        given = checked_experiences(self, observations, actions, rewards, *following)
        if given[3] is None:
            given = (*given[:3], given[0], np.ones(len(given[0]), np.bool_))
        self._enter(remember_entry(self._layout, self._memory_bundle.layout), *given)

    def forget(self, keep: int = 0) -> None:
        """Drop all stored experiences but the newest `keep`; rules stay as they are.

        What is not stored first in, first out, can only be emptied.
        """
        keep = checked_integer("keep", keep, 0)
        if self.replay is None:
            return
        if keep and self.replay.storage != "fifo":
            raise ConfigError(f"keep must be 0 for storage {self.replay.storage!r}, got {keep}")
        counters, capacity = self.state.arrays.state, self.replay.capacity
        with self._turns:
            stored = int(counters["stored"][0])
            kept = min(keep, stored, capacity)
            slots = np.arange(stored - kept, stored) % capacity
            for array in self.state.per_experience():
                array[:kept] = array[slots]
            for account in component_states(self.state.memory):
                account.adopt(account, slots, self.state.arrays.params[0])
            counters["stored"] = kept

    def remembered(self) -> Vector:
        """Return the observations in the replay memory, in their own units, one per row."""
        states = np.empty((0, self.n_features), np.float32)
        if isinstance(self.state.memory, Memory):
            states = self.state.memory.states[: int(self.state.arrays.state["stored"][0])]
        return self.low + states.astype(np.float64) * (self.high - self.low)

    def predict(self, observations: ArrayLike) -> Vector:
        """Return the system prediction of every action for each row; NaN without a rule."""
        rows = checked_rows(observations, self.n_features)
        if self.config.missing_values == "error":
            return self._predict(rows, in_tiles=True)
        out = np.empty((len(rows), self.n_actions))
        has_gaps = np.isnan(rows).any(axis=1)
        for part, in_tiles in ((has_gaps, False), (~has_gaps, True)):
            out[part] = self._predict(rows[part], in_tiles)
        return out

    def tally(
        self, observations: ArrayLike, payoffs: ArrayLike, weights: ArrayLike, expected: ArrayLike
    ) -> Vector:
        """Return what each rule, in population order, finds among observations that it matches.

        The sum of their weights, of the payoffs of its action, (observations, actions), and of
        the distances of these from what is expected of the rule, both times the weight.
        """
        rows, places = checked_rows(observations, self.n_features), self.places()
        paid = checked_numbers("payoffs", payoffs, (len(rows), self.n_actions))
        heavy = checked_numbers("weights", weights, (len(rows),))
        size = self.n_actions * self.state.stride
        hoped, sums = np.zeros(size), np.zeros((size, 3))
        hoped[places] = checked_numbers("expected", expected, (len(places),))
        enter = tally_entry(self._layout)
        for first, last in in_pieces(len(rows)):
            part = slice(first, last)
            with self._turns:
                done = enter(self._ready(), rows[part], paid[part], heavy[part], hoped, sums)
            if done < last - first:
                raise self._refuse(rows[first + done])
        found: Vector = sums[places]
        return found

    def run(
        self,
        problem: Problem,
        steps: int,
        curve_points: int = 200,
        on_progress: Progress | None = None,
    ) -> RunRecord:
        """Learn on a compiled problem for a number of learning steps; return its record."""
        pieces = self.run_in_pieces(problem, steps, curve_points, 100 if on_progress else 1)
        for done, record in pieces:
            if on_progress:
                on_progress(done, steps)
            if done == steps:
                return record()
        raise AssertionError("a run has a last piece")

    def run_in_pieces(
        self, problem: Problem, steps: int, curve_points: int = 200, pieces: int = 1
    ) -> Iterator[tuple[int, Callable[[], RunRecord]]]:
        """Do as `run` does, and pause after each piece.

        What is yielded are the steps done and a function that returns the record so far. A
        reward that is no number of sensible size is refused: what was learned before stays.
        """
        steps = checked_integer("steps", steps, 1)
        checked_integer("curve_points", curve_points, 1)
        chunk = max(1, steps // checked_integer("pieces", pieces, 1))
        self._check_shape(problem)
        kind = choose_run(self.config, problem)
        self.start_episode()
        with self._turns:
            self._take_hope(problem)
            self._plan_for(steps)
        world = self._world(problem, self.state.arrays.env_rng)
        details = count_details(self.config, kind)
        recorder = allocate_recorder(steps, curve_points, not problem.single_step, details)
        bundles = self._agent_bundle, self._memory_bundle, world, Bundle(recorder)
        enter = run_entry(kind, *(bundle.layout for bundle in bundles))
        self._ready()
        addresses = [bundle.address for bundle in bundles]
        for done in range(0, steps, chunk):
            for first, last in in_pieces(min(chunk, steps - done)):
                with self._turns:
                    paid = enter(*addresses, last - first)
                if not paid:
                    raise ConfigError(
                        f"rewards of problem {problem.name!r} must lie in "
                        f"[{-LARGEST_PAYOFF:g}, {LARGEST_PAYOFF:g}]: another one was paid "
                        f"after learning step {self.learning_steps}"
                    )
            self.warn_of_divergence()
            yield min(done + chunk, steps), partial(RunRecord.of, recorder, self.n_features)
        self.start_episode()

    def evaluate(self, problem: Problem, episodes: int = 100, seed: int = 0) -> Episodes:
        """Play whole episodes of a compiled problem greedily, without learning or covering.

        Where no rule matches, action 0 is taken. The problem, which should not be one that is
        being learned, has a random stream that depends on the seed alone; the engine stays as
        it is.
        """
        self._check_shape(problem)
        found = Episodes(
            np.zeros(checked_integer("episodes", episodes, 1)), np.zeros(episodes, np.int64)
        )
        stream = spawn_states(checked_integer("seed", seed, 0, 2**63 - 1), 1)[0]
        world, episode = self._world(problem, stream), 0
        enter = play_entry(self._layout, world.layout)
        for first, last in in_pieces(LARGEST_TIME):
            with self._turns:
                episode = enter(self._ready(), world.address, *found, episode, last - first)
            if episode == episodes:
                break
        return found

    @property
    def macroclassifiers(self) -> int:
        """Return the number of distinct rules."""
        return int(self.state.arrays.population.counts.sum())

    @property
    def microclassifiers(self) -> int:
        """Return the sum of the rules' numerosities."""
        return int(self.state.arrays.state["micro"][0])

    @property
    def learning_steps(self) -> int:
        """Return how many learning steps the agent has made."""
        return int(self.state.arrays.state["time"][0])

    @property
    def nbytes(self) -> int:
        """Return how many bytes the rules, the replay memory and the working space take."""
        return self.state.nbytes()

    def places(self) -> NDArray[np.int64]:
        """Return the places of all rules in population order."""
        return self.state.places()

    def export(self) -> dict[str, NDArray[Any]]:
        """Return copies of all rules' parts, by name, in population order.

        Bounds are in the scaled space; `weights` is there for models with `inputs` only, and is
        about all features, also if models are not.
        """
        population, places = self.state.arrays.population, self.places()
        parts = {name: population.rules[name][places] for name in RULE.names or ()}
        parts["lower"] = population.bounds[places, : self.n_features]
        parts["upper"] = population.bounds[places, self.n_features :]
        parts["action"] = places // int(self.state.arrays.params["stride"][0])
        prediction = self.state.traits.prediction
        if hasattr(prediction, "inputs"):
            parts["weights"] = population.weights[places]
        if hasattr(prediction, "all_weights"):
            parts["weights"] = prediction.all_weights(parts["weights"], self.n_features)
        return parts

    def call(self, make_entry: Callable[..., Any], *arguments: Any) -> Any:
        """Call compiled code that is written outside, for agents and memories of any kind.

        `make_entry` takes the layouts of both, and returns a function of their addresses and the
        arguments (see `ruleplay.engine.entry_points`).
        """
        entry = make_entry(self._layout, self._memory_bundle.layout)
        with self._turns:
            return entry(self._ready(), self._memory_bundle.address, *arguments)

    def prepare(self, *calls: str) -> None:
        """Compile, or find on disk, what calls need, so that the first takes no longer than others.

        "step", "act", "learn", "predict", "learn_decisions" (a batch of experiences that are all
        terminal), "learn_transitions" (one with next observations) and "remember". Nothing else
        changes.
        """
        layouts = self._layout, self._memory_bundle.layout
        addresses = self._ready(), self._memory_bundle.address
        row, rows = np.zeros(self.n_features), np.zeros((1, self.n_features))
        decision = *addresses, 0, 0, rows, np.zeros(1, np.int64), np.zeros(1)
        transition = *decision, rows, np.zeros(1, np.bool_)
        for call in calls:
            if call == "step":
                compile_entry(self._step, *addresses, row, 0.0, False, False)
            elif call == "act":
                compile_entry(act_entry(self._layout), addresses[0], row, EXPLOIT)
            elif call == "learn":
                for following in (None, row):
                    compile_entry(self._learn, *addresses, row, 0, 0.0, following)
            elif call == "predict":
                self.predict(self.low[np.newaxis])
            elif call == "learn_decisions":
                compile_entry(learn_batch_entry(*layouts), *decision, None, None)
            elif call == "learn_transitions":
                compile_entry(learn_batch_entry(*layouts), *transition)
            elif call == "remember":
                compile_entry(remember_entry(*layouts), *transition)
            else:
                raise ConfigError(f"calls must be among those that can be prepared, got {call!r}")

    def derive(self) -> None:
        """Derive bounds, hashes and votes of all rules from alleles and estimates."""
        rebuild_entry(self._layout)(self._agent_bundle.address)

    def check(self) -> None:
        """Raise AssertionError if an invariant of population or memory is broken.

        So it is if predictions have diverged: if payoffs are far beyond what rewards of the
        size met so far could add up to.
        """
        with self._turns:
            broken = broken_invariants(self)
        broken += [text] if (text := divergence_of(self)) else []
        if broken:
            raise AssertionError("; ".join(broken))

    def warn_of_divergence(self) -> None:
        """Warn once if predictions have grown beyond all that rewards could add up to.

        Every run, every batch and every end of an episode asks; callers need not.
        """
        if self._is_warned:
            return
        text = divergence_of(self)
        if text:
            self._is_warned = True
            warnings.warn(
                f"{text}. Smaller steps (rls_gain_limit, a larger rls_forgetting, target_low and "
                "target_high) hold them",
                DivergenceWarning,
                stacklevel=3,
            )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the whole engine to one file, from which `load` goes on bit by bit."""
        with self._turns:
            model_file.save(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "XCS":
        """Read an engine; a damaged or foreign file raises ModelFileError."""
        engine: XCS = model_file.load(cls, path)
        return engine

    def to_bytes(self) -> bytes:
        """Return the whole engine as the content of a file."""
        with self._turns:
            return model_file.to_bytes(self)

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Return the engine that `to_bytes` was given; other bytes raise ModelFileError."""
        engine: Self = model_file.from_bytes(cls, content)
        return engine

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies and pickles are made anew from the content: arrays that share memory share it.
        return type(self).from_bytes, (self.to_bytes(),)

    def _check_shape(self, problem: Problem) -> None:
        if not isinstance(problem, Problem):
            raise ConfigError(
                f"problem must be a Problem, as make_problem returns, got {shown(problem)}"
            )
        if problem.n_features != self.n_features or problem.n_actions != self.n_actions:
            raise ConfigError(
                f"problem {problem.name!r} has {problem.n_features} features and "
                f"{problem.n_actions} actions, the engine {self.n_features} and {self.n_actions}"
            )

    def _plan_for(self, steps: int) -> None:
        """Let an engine that was not told how long it is to learn expect a number of steps."""
        if self.horizon == 0:
            self.horizon = steps
            for name, value in horizon_values(self.config, steps).items():
                self.state.arrays.params[name] = value

    @property
    def _layout(self) -> Any:
        return self._agent_bundle.layout

    def _ready(self) -> Any:
        """Return where compiled code finds the agent, with all units in their places."""
        if not self._is_ready:
            agent_units.fill(self.state.agent.calls, self._layout)
            self._is_ready = True
        return self._agent_bundle.address

    @cached_property
    def _step(self) -> Any:
        """Return what `step` calls; compiled, or found on disk, when it is first called."""
        if self._waits:
            self._refuse_to_wait()
        self._ready()
        return step_entry(self._layout, self._memory_bundle.layout)

    @cached_property
    def _learn(self) -> Any:
        """Return what `learn` calls."""
        if self._waits:
            self._refuse_to_wait()
        self._ready()
        return learn_entry(self._layout, self._memory_bundle.layout)

    def _world(self, problem: Problem, stream: NDArray[np.uint64]) -> Bundle:
        observation = np.zeros(self.n_features)
        return Bundle(World(reach(problem.dynamics), observation, problem.time_limit, stream))

    def _take_hope(self, problem: Problem) -> None:
        """Let an optimist expect the problem's largest value, unless it was told another."""
        if self._waits:
            self.largest_return = problem.largest_value(self.config.discount)
            hope = initial_prediction(self.config, self.largest_return)
            self.state.arrays.params["p_ini"] = hope
            self._waits = False

    def _refuse_to_wait(self, *arguments: Any) -> NoReturn:
        """Stand in for a step while it is not known what an optimist expects."""
        raise ConfigError(
            f"initial_prediction (p_ini) = {self.config.initial_prediction!r} needs to know the "
            "largest return of an episode: tell it by XCS(..., largest_return=...), or call run "
            "with a problem"
        )

    def _predict(self, rows: Vector, in_tiles: bool) -> Vector:
        """Predict for checked rows; tiles, quick for many rows, cannot hold missing values."""
        out = np.empty((len(rows), self.n_actions))
        stride = int(self.state.arrays.params["stride"][0])
        space = allocate_space(len(rows) if in_tiles else 1, self.n_features, stride)
        space_class: type = type(space)
        enter, agent = predict_entry(self._layout, space_class), self._agent_bundle.address
        for first, last in in_pieces(len(rows), TILE):
            part = rows[first:last]
            done = enter(agent, tuple(space), part, out[first:last])
            if done < len(part):
                raise self._refuse(part[done])
        return out

    def _enter(self, entry: Any, *experiences: Any) -> None:
        """Hand checked experiences to an entry point; refuse all if one observation is invalid."""
        for first, last in in_pieces(len(experiences[0])):
            with self._turns:
                addresses = self._ready(), self._memory_bundle.address
                invalid = entry(*addresses, first, last, *experiences)
            if invalid >= 0:
                observations, next_observations = experiences[0], experiences[3]
                row = slice(invalid, invalid + 1)
                following = () if next_observations is None else next_observations[row]
                raise self._refuse(*observations[row], *following)
        self.warn_of_divergence()

    def _refuse(self, *observations: Vector) -> ConfigError:
        return refusal_of(observations, self.low, self.high, self.config)
