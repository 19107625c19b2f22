"""The engine object: owns an agent's arrays and random state; acts, learns, runs, saves."""

import json
import math
from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay import model_file
from ruleplay.assembly import cast_params, choose_kinds
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.core._rng import spawn_states
from ruleplay.core.agent import allocate_agent
from ruleplay.core.population import RULE
from ruleplay.core.xcs import EXPLOIT, EXPLORE
from ruleplay.entry import (
    act_door,
    learn_batch_door,
    learn_door,
    plain,
    predict_door,
    run_door,
    step_door,
)
from ruleplay.envs.problem import Problem
from ruleplay.errors import ConfigError
from ruleplay.invariants import broken_invariants
from ruleplay.loop import Alternating, Episodes, EpsilonGreedy, World
from ruleplay.recorder import allocate_recorder
from ruleplay.replay.memory import allocate_ring
from ruleplay.run_record import RunRecord

Vector = NDArray[np.float64]
Progress = Callable[[int, int], None]  # steps done, steps in all

LARGEST_SIZE = 2**31 - 1
LARGEST_ABOUT = 1 << 19


class XCS:
    """A classifier system for observations within `low` and `high` and a number of actions.

    Everything random follows from `seed`, in three streams: environment, agent, replay.
    `horizon` is the number of learning steps planned; the exploration rate falls over a
    fraction of it. It may be left at 0 for `run`, which knows its length. `about` is a small
    dictionary of plain values that a saved model carries: names of features and actions.
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
    ) -> None:
        self.config = config
        self.about = checked_about(about)
        self.replay = replay
        self.low, self.high = checked_bounds(low, high)
        self.n_features = len(self.low)
        self.n_actions = checked_integer("n_actions", n_actions, 1)
        self.horizon = checked_integer("horizon", horizon, 0)
        self.seed = checked_integer("seed", seed, 0, 2**63 - 1)
        params = cast_params(config, replay, self.n_actions, self.horizon)
        self._env_rng, agent_rng, replay_rng = spawn_states(self.seed, 3)
        self._arrays = allocate_agent(
            params,
            self.n_features,
            config.prediction == "linear",
            config.tournament_fraction,
            agent_rng,
        )
        self._ring: tuple[Any, ...] = ()
        if replay is not None:
            self._ring = (*allocate_ring(replay.capacity, self.n_features), replay_rng)
        self._scaling = np.array([self.low, 1.0 / (self.high - self.low)])
        self._kinds = choose_kinds(config, replay)
        self._plain = plain(self._arrays)
        self._step = step_door(self._kinds)

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
        seen = self._observation(observation)
        action: int = self._step(
            self._plain,
            self._ring,
            seen,
            self._scaling,
            checked_reward(reward),
            bool(terminated),
            bool(truncated),
        )
        if action < -1:
            raise self._refusal(seen)
        return action

    def act(self, observation: ArrayLike, explore: bool = False) -> int:
        """Return a greedy action, or a random one; rules are made where actions lack any."""
        seen = self._observation(observation)
        epsilon = EXPLORE if explore else EXPLOIT
        action: int = act_door(self._kinds)(self._plain, seen, self._scaling, epsilon)
        if action < 0:
            raise self._refusal(seen)
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
        seen = self._observation(observation)
        following = seen if next_observation is None else self._observation(next_observation)
        both = np.stack([seen, following])
        code = learn_door(self._kinds)(
            self._plain,
            self._ring,
            both,
            self._scaling,
            chosen,
            checked_reward(reward),
            next_observation is None,
        )
        if code < 0:
            raise self._refusal(seen, following)

    def learn_batch(self, observations: ArrayLike, actions: ArrayLike, rewards: ArrayLike) -> None:
        """Learn from terminal experiences in order, as `learn` does, in one compiled call."""
        rows = self._rows(observations)
        chosen, paid = np.asarray(actions), np.asarray(rewards, np.float64)
        if chosen.shape != (len(rows),) or paid.shape != (len(rows),):
            raise ConfigError(
                f"actions and rewards must have shape ({len(rows)},), "
                f"got {chosen.shape} and {paid.shape}"
            )
        if chosen.dtype.kind not in "iu" or ((chosen < 0) | (chosen >= self.n_actions)).any():
            raise ConfigError(f"actions must be integers in [0, {self.n_actions - 1}]")
        if not np.isfinite(paid).all():
            raise ConfigError("rewards must be finite")
        for row in rows[~self._is_valid(rows)]:
            raise self._refusal(row)
        enter = learn_batch_door(self._kinds)
        enter(self._plain, self._ring, rows, self._scaling, chosen.astype(np.int64), paid)

    def predict(self, observations: ArrayLike) -> Vector:
        """Return the system prediction of every action for each row; NaN without a rule."""
        rows = self._rows(observations)
        out = np.empty((len(rows), self.n_actions))
        done = predict_door(self._kinds)(self._plain, rows, self._scaling, out)
        if done < len(rows):
            raise self._refusal(rows[done])
        return out

    def run(
        self,
        problem: Problem,
        steps: int,
        curve_points: int = 200,
        on_progress: Progress | None = None,
    ) -> RunRecord:
        """Learn on a compiled problem for a number of learning steps; return its record."""
        steps = checked_integer("steps", steps, 1)
        checked_integer("curve_points", curve_points, 1)
        self._check_problem(problem)
        if self.horizon == 0:
            self.horizon = steps
            self._arrays.params["epsilon_steps"] = self.config.epsilon_fraction * steps
        world = World(
            problem.dynamics,
            np.zeros(self.n_features),
            self._scaling,
            problem.time_limit,
            self._env_rng,
        )
        recorder = allocate_recorder(steps, curve_points, episodic=not problem.single_step)
        enter = run_door(self._kind_of_run(problem), self._kinds)
        chunk = max(1, steps // 100) if on_progress else steps
        for done in range(0, steps, chunk):
            enter(self._plain, self._ring, world, recorder, min(chunk, steps - done))
            if on_progress:
                on_progress(min(done + chunk, steps), steps)
        self._arrays.state["has_previous"] = 0
        return RunRecord.of(recorder, self.n_features)

    @property
    def macroclassifiers(self) -> int:
        """Return the number of distinct rules."""
        return int(self._arrays.population.counts.sum())

    @property
    def microclassifiers(self) -> int:
        """Return the sum of the rules' numerosities."""
        return int(self._arrays.state["micro"][0])

    @property
    def learning_steps(self) -> int:
        """Return how many learning steps the agent has made."""
        return int(self._arrays.state["time"][0])

    def places(self) -> NDArray[np.int64]:
        """Return the places of all rules in population order."""
        stride = int(self._arrays.params["stride"][0])
        counts = self._arrays.population.counts
        return np.concatenate(
            [action * stride + np.arange(count) for action, count in enumerate(counts)]
        )

    def export(self) -> dict[str, NDArray[Any]]:
        """Return copies of all rules' parts, by name, in population order.

        Bounds are in the scaled space; `weights` is there for linear predictions only.
        """
        population, places = self._arrays.population, self.places()
        parts = {name: population.rules[name][places] for name in RULE.names or ()}
        parts["lower"] = population.bounds[places, : self.n_features]
        parts["upper"] = population.bounds[places, self.n_features :]
        parts["action"] = places // int(self._arrays.params["stride"][0])
        if self.config.prediction == "linear":
            parts["weights"] = population.weights[places]
        return parts

    def check(self) -> None:
        """Raise AssertionError if any invariant of the population or the memory is broken."""
        broken = broken_invariants(self)
        if broken:
            raise AssertionError("; ".join(broken))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the whole engine to one file, from which `load` goes on bit by bit."""
        model_file.save(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "XCS":
        """Read an engine; a damaged or foreign file raises ModelFileError."""
        engine: XCS = model_file.load(cls, path)
        return engine

    def _check_problem(self, problem: Problem) -> None:
        if problem.n_features != self.n_features or problem.n_actions != self.n_actions:
            raise ConfigError(
                f"problem {problem.name!r} has {problem.n_features} features and "
                f"{problem.n_actions} actions, the engine {self.n_features} and {self.n_actions}"
            )

    def _kind_of_run(self, problem: Problem) -> type:
        alternating = self.config.exploration == "alternate"
        if not problem.single_step:
            if alternating:
                raise ConfigError(
                    f"exploration must be 'epsilon_greedy' for the multi-step problem "
                    f"{problem.name!r}, got 'alternate'"
                )
            return Episodes
        return Alternating if alternating else EpsilonGreedy

    def _observation(self, observation: ArrayLike) -> Vector:
        seen = np.ascontiguousarray(observation, np.float64)
        if seen.shape != (self.n_features,):
            raise ConfigError(f"observation must have shape ({self.n_features},), got {seen.shape}")
        return seen

    def _rows(self, observations: ArrayLike) -> Vector:
        rows = np.ascontiguousarray(observations, np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.n_features:
            raise ConfigError(
                f"observations must have shape (rows, {self.n_features}), got {rows.shape}"
            )
        return rows

    def _is_valid(self, rows: Vector) -> NDArray[np.bool_]:
        """Tell for each row whether kernels will take it."""
        scaled = (rows - self._scaling[0]) * self._scaling[1]
        valid: NDArray[np.bool_] = np.isfinite(scaled).all(axis=1)
        if self.config.out_of_range == "error":
            valid &= ((scaled >= 0.0) & (scaled <= 1.0)).all(axis=1)
        return valid

    def _refusal(self, *observations: Vector) -> ConfigError:
        """Word the refusal of the first bad value among observations."""
        for observation in observations:
            for k, value in enumerate(observation):
                low, high = self.low[k], self.high[k]
                if not math.isfinite(value):
                    return ConfigError(f"observation[{k}] must be finite, got {value}")
                if self.config.out_of_range == "error" and not low <= value <= high:
                    return ConfigError(
                        f"observation[{k}] must lie in [{low:g}, {high:g}], got {value:g}"
                    )
        return ConfigError("observation must be finite after scaling")


def checked_integer(name: str, value: Any, low: int, high: int = LARGEST_SIZE) -> int:
    """Return the value as an int, or refuse it."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not low <= value <= high:
        raise ConfigError(f"{name} must be an integer in [{low}, {high}], got {value!r}")
    return int(value)


def checked_about(about: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the dictionary if it can stand in a model file, or refuse it."""
    try:
        text = json.dumps(dict(about or {}), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"about must hold plain values only: {error}") from None
    if len(text) > LARGEST_ABOUT:
        raise ConfigError(f"about must take at most {LARGEST_ABOUT} characters, got {len(text)}")
    plain_values: dict[str, Any] = json.loads(text)
    return plain_values


def checked_reward(reward: float) -> float:
    """Return a finite reward as a float, or refuse it."""
    try:
        value = float(reward)
    except (TypeError, ValueError):
        raise ConfigError(f"reward must be a number, got {reward!r}") from None
    if not math.isfinite(value):
        raise ConfigError(f"reward must be finite, got {value}")
    return value


def checked_bounds(low: ArrayLike, high: ArrayLike) -> tuple[Vector, Vector]:
    """Return the observation bounds as vectors, or refuse them."""
    lower, upper = np.array(low, np.float64), np.array(high, np.float64)
    if lower.ndim != 1 or lower.shape != upper.shape or len(lower) == 0:
        raise ConfigError(
            f"low and high must be vectors of one length, got shapes {lower.shape}, {upper.shape}"
        )
    for k, (one, other) in enumerate(zip(lower, upper, strict=True)):
        if not (math.isfinite(one) and math.isfinite(other) and one < other):
            raise ConfigError(f"low[{k}] < high[{k}] must be finite, got {one:g} and {other:g}")
    return lower, upper
