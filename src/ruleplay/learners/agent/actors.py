"""Who plays is an actor: a function with the arguments of `XCS.step`.

It takes in what the last action led to and returns the next action (-1 at an episode's end). The
engine's own `step` is one, so there is no second implementation of learning.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.engine.build import check_memoryless
from ruleplay.errors import ConfigError
from ruleplay.learners.agent.spaces import Actions

Vector = NDArray[np.float64]
Actor = Callable[[Vector, float, bool, bool], int]  # observation, reward, terminated, truncated


Choose = Callable[[Vector], int]

HOLD = 0.95  # probability that a random action of real numbers goes on for another step


class Experience(NamedTuple):
    """What happened in one step."""

    observation: Vector
    action: int
    reward: float
    next_observation: Vector
    terminated: bool
    truncated: bool

    def is_final(self, bootstraps: bool) -> bool:
        """Tell whether nothing comes after; a time limit may count as an end or not."""
        return self.terminated or (self.truncated and not bootstraps)


def learn_from(engine: XCS, experience: Experience) -> None:
    """Let an engine learn from an experience that need not be its own."""
    final = experience.is_final(engine.config.bootstrap_on_truncation)
    following = None if final else experience.next_observation
    engine.learn(experience.observation, experience.action, experience.reward, following)


class ExperienceRecorder:
    """An actor that lets `choose` choose, and calls `record` with each complete experience."""

    def __init__(self, choose: Choose, record: Callable[[Experience], None]) -> None:
        self._choose = choose
        self._record = record
        self._before: tuple[Vector, int] | None = None

    def __call__(
        self, observation: Vector, reward: float, terminated: bool, truncated: bool
    ) -> int:
        """Complete the last experience and choose an action."""
        seen = observation.copy()  # environments may reuse their arrays
        if self._before is not None:
            self._record(Experience(*self._before, reward, seen, terminated, truncated))
        if terminated or truncated:
            self._before = None
            return -1
        action = self._choose(seen)
        self._before = seen, action
        return action


def random_choice(actions: Actions, random: np.random.Generator) -> Choose:
    """Return what chooses at random; actions of real numbers are held for some steps.

    Forces and torques that change at every step cancel out, and nothing is reached.
    """
    held = -1

    def choose(observation: Vector) -> int:
        nonlocal held
        if held < 0 or not actions.are_real or random.random() >= HOLD:
            held = int(random.integers(actions.count))
        return held

    return choose


def check_sharing(config: XCSConfig, replay: ReplayConfig | None) -> None:
    """Refuse what needs the steps of one environment, one after another."""
    check_memoryless(config, "several environments at once")
    if replay is not None and replay.return_steps > 1:
        raise ConfigError(
            "replay_return_steps (n) must be 1 for several environments at once, "
            f"got {replay.return_steps}"
        )


def actors_sharing(
    engine: XCS, count: int, epsilon: Callable[[], float], random: np.random.Generator
) -> list[Actor]:
    """Return a number of actors that all learn and choose by one engine."""
    check_sharing(engine.config, engine.replay)

    def choose(seen: Vector) -> int:
        return engine.act(seen, explore=bool(random.random() < epsilon()))

    return [ExperienceRecorder(choose, lambda one: learn_from(engine, one)) for _ in range(count)]


def count_actions(actor: Actor, counts: NDArray[np.int64]) -> Actor:
    """Return the same actor, whose actions are counted."""

    def act(observation: Vector, reward: float, terminated: bool, truncated: bool) -> int:
        action = actor(observation, reward, terminated, truncated)
        if action >= 0:
            counts[action] += 1
        return action

    return act


def best_actions(values: Vector, default: int) -> NDArray[np.int64]:
    """Return the action of largest prediction in each row; the default where there is none."""
    known = ~np.isnan(values)
    best = np.where(known, values, -np.inf).argmax(axis=1)
    return np.where(known.any(axis=1), best, default)
