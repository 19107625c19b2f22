"""Build an agent's engine: its plan, and what random play finds out where the plan is open."""

import math
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import VectorEnv

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.engine.build import cast_params, check_sizes
from ruleplay.engine.inputs import checked_bounds
from ruleplay.envs import CompiledEnv
from ruleplay.errors import ConfigError
from ruleplay.learners.agent.actors import (
    Experience,
    ExperienceRecorder,
    check_sharing,
    random_choice,
)
from ruleplay.learners.agent.interface import Interface, observation_space
from ruleplay.learners.agent.play import EncodedEnv, EpisodeLog, play
from ruleplay.learners.agent.recipe import Payoffs, Task, Wishes, estimate_payoffs, warmup_for
from ruleplay.learners.agent.spaces import (
    AnyEncoder,
    Bounds,
    Encoder,
    Grain,
    are_open,
    declared_bounds,
    grain_of,
    grain_of_few,
    observed_bounds,
    path_name,
)

# Streams of random numbers beside those of the engine, which are 0, 1 and 2.
WARMUP, EXPLORATION, PREDICTION, EVALUATION, COMPACTION, HINDSIGHT = 3, 4, 5, 6, 7, 8

UNKNOWN = Payoffs(1.0)
LARGEST_PLANES = 4000  # numbers in rows and columns: of more, a single one says nothing


class Plan(NamedTuple):
    """What an engine is built from."""

    interface: Interface
    bounds: Bounds  # NaN where they are to be observed
    wishes: Wishes
    seed: int

    def task(self, env: Any, steps: int, seen: Sequence[Experience] = ()) -> Task:
        """Describe the task to those who choose settings, by what random play has seen."""
        encoder = self.interface.encoder
        declared, views = grain_of(observation_space(env), encoder), self._grain_of_views(env, seen)
        return Task(
            n_features=encoder.n_features,
            n_actions=self.interface.n_actions,
            grain=declared if views is None else views,
            steps=steps,
            warmup=self._warmup_after(env, steps, seen),
            sequential=not isinstance(env, VectorEnv),
            real_actions=self.interface.actions.are_real,
            views=views is not None,
        )

    def _grain_of_views(self, env: Any, seen: Sequence[Experience]) -> Grain | None:
        space, encoder = observation_space(env), self.interface.encoder
        is_open = grain_of(space, encoder).finest == 0 and all(self.interface.whole_features)
        if not (seen and is_open):
            return None
        observations = np.array([one.observation for one in seen])
        declared = np.where(np.isnan(self.bounds), declared_bounds(space, encoder), self.bounds)
        return grain_of_few(observations, (declared[0], declared[1]))

    def warmup(self, steps: int, unpaid: bool = False) -> int:
        """Return how many of the planned steps come before learning; more while nothing is paid."""
        return warmup_for(steps, self.interface.actions.are_real, unpaid)

    def _warmup_after(self, env: Any, steps: int, seen: Sequence[Experience]) -> int:
        usual = self.warmup(steps)
        was_paid = any(one.reward != 0.0 for one in seen[:usual])
        is_usual = was_paid or self.longest_warmup(env, steps) == usual
        return usual if is_usual else max(usual, len(seen))

    def longest_warmup(self, env: Any, steps: int) -> int:
        """Return how many of them there may be if no reward tells how large rewards are.

        States with numbers are explored at random at first anyway.
        """
        is_known = largest_return(env) is not None or not self.wishes.leaves_scale_open()
        is_numbered = grain_of(observation_space(env), self.interface.encoder).finest > 0
        return self.warmup(steps, unpaid=not (is_known or is_numbered))

    def check(self, env: Any) -> None:
        """Refuse settings that cannot be before anything is played."""
        config, replay = self.wishes.configs(self.task(env, 1), UNKNOWN)
        cast_params(config, replay, self.interface.n_actions, 0)
        self._check_sizes(config, replay)
        given = ~np.isnan(self.bounds[0])
        checked_bounds(*(np.where(given, side, k) for k, side in enumerate(self.bounds)))
        if isinstance(env, VectorEnv):
            check_sharing(config, replay)
        if isinstance(config.initial_prediction, str) and largest_return(env) is None:
            raise ConfigError(
                "initial_prediction (p_ini) must be a number, at best the largest return of an "
                "episode, where the environment does not tell it, got "
                f"{config.initial_prediction!r}"
            )

    def _check_sizes(self, config: XCSConfig, replay: ReplayConfig | None) -> None:
        """Refuse observations that are too much for rules; pictures are told the way."""
        encoder = self.interface.encoder
        what, shape = _largest_part(encoder)
        if len(shape) > 1 and math.prod(shape) > LARGEST_PLANES:
            size = " x ".join(map(str, shape))
            raise ConfigError(
                f"{what} must not be pictures of {size} numbers: rules speak of features. "
                "Wrap the environment such that it tells what can be seen, as a few numbers or "
                "as small planes, one for each kind of thing, as MinAtar's games do"
            )
        check_sizes(config, replay, self.interface.n_actions, encoder.n_features)


def _largest_part(encoder: AnyEncoder) -> tuple[str, tuple[int, ...]]:
    """Return what the largest part of observations is called, and its shape."""
    if isinstance(encoder, Encoder):
        return "observations", encoder.shape
    largest = max(encoder.parts, key=lambda part: part.encoder.n_features)
    return f"the part {path_name(largest.path)} of observations", largest.encoder.shape


def random_stream(seed: int, stream: int, number: int = 0) -> np.random.Generator:
    """Return a generator that depends on the seed, its purpose and a number."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(stream, number)))


def build_engine(plan: Plan, encoded: EncodedEnv, steps: int, log: EpisodeLog) -> XCS:
    """Build an engine for a number of steps; play at random first if anything is unknown.

    The random steps count as others do, and the engine learns from them.
    """
    seen: list[Experience] = []
    if are_open(plan.bounds) or plan.wishes.leaves_scale_open():
        seen = play_randomly(plan, encoded, steps, log)
    config, replay = plan.wishes.configs(
        plan.task(encoded.env, steps, seen), _payoffs(plan, encoded, seen)
    )
    low, high = _bounds(plan, encoded, seen)
    engine = XCS(
        config,
        replay,
        n_actions=plan.interface.n_actions,
        low=low,
        high=high,
        seed=plan.seed,
        horizon=steps,
        about=plan.interface.as_about(),
        largest_return=largest_return(encoded.env),
    )
    if seen:
        bootstraps = config.bootstrap_on_truncation
        engine.learn_batch(
            np.array([one.observation for one in seen]),
            np.array([one.action for one in seen]),
            np.array([one.reward for one in seen]),
            np.array([one.next_observation for one in seen]),
            np.array([one.is_final(bootstraps) for one in seen]),
        )
    return engine


def play_randomly(plan: Plan, encoded: EncodedEnv, steps: int, log: EpisodeLog) -> list[Experience]:
    """Play at random for a part of the planned steps and return what happened.

    Where nothing is paid, this goes on for longer.
    """
    random, seen = random_stream(plan.seed, WARMUP), list[Experience]()
    wanted, most = plan.warmup(steps), plan.longest_warmup(encoded.env, steps)
    begin, was_paid = log.steps, False

    def note(experience: Experience) -> None:
        nonlocal was_paid
        seen.append(experience)
        was_paid = was_paid or experience.reward != 0.0

    def goes_on() -> bool:
        return log.steps - begin < (wanted if was_paid else most)

    actors = [
        ExperienceRecorder(random_choice(plan.interface.actions, random), note)
        for _ in range(encoded.size)
    ]
    play(encoded, actors, log, goes_on, plan.seed)
    return seen


def largest_return(env: Any) -> float | None:
    """Return the largest return of an episode if the environment is one of ours."""
    plain = getattr(env, "unwrapped", None)
    return plain.problem.largest_return if isinstance(plain, CompiledEnv) else None


def _payoffs(plan: Plan, encoded: EncodedEnv, seen: list[Experience]) -> Payoffs:
    """Return how large values are, as far as one can know."""
    if not plan.wishes.leaves_scale_open():
        return UNKNOWN
    spec = getattr(encoded.env, "spec", None)
    limit = math.inf if spec is None else spec.max_episode_steps or math.inf
    rewards = np.array([one.reward for one in seen])
    found = estimate_payoffs(rewards, plan.wishes.discount(), limit)
    if found is not None:
        return found
    largest = largest_return(encoded.env)
    if largest is not None:
        return Payoffs(largest, hope=largest)
    warnings.warn(
        f"no reward in {len(seen)} steps of random play: values are taken to be of size 1; "
        "set error_threshold and initial_prediction if you know better",
        stacklevel=5,
    )
    return UNKNOWN


def _bounds(plan: Plan, encoded: EncodedEnv, seen: list[Experience]) -> Bounds:
    if not are_open(plan.bounds):
        return plan.bounds
    rows = np.array([row for one in seen for row in (one.observation, one.next_observation)])
    declared = declared_bounds(observation_space(encoded.env), plan.interface.encoder)
    return observed_bounds(rows, declared, plan.bounds)
