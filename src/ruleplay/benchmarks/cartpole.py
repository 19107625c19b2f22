"""Define the multi-step work of the benchmark: replayed CartPole transitions.

Random play is recorded once per seed, then transitions are drawn from the record uniformly and
learned from one by one: look up the next state's best payoff, form the target, update, evolve.
States come scaled to [0, 1]. Like `workload`, this file needs numpy and nothing else, so that
the peers can run it; a test compares its dynamics with Gymnasium's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .workload import Floats, Integers, RunResult

WORKLOAD = "cartpole-rls"
POPULATION_SIZE = 5_000
DISCOUNT = 0.99
COVER_SPREAD = 0.5
"""How far a covering rule reaches at most: the paper's 0.2 cannot be set in xcsf, this can."""
RECORDED_TRANSITIONS = 10_000
TIME_LIMIT = 200
TEST_EPISODES = 50
CARTS = 50

GRAVITY, CART_MASS, POLE_MASS, HALF_LENGTH = 9.8, 1.0, 0.1, 0.5
PUSH, TIME_STEP = 10.0, 0.02
POSITION_LIMIT, ANGLE_LIMIT = 2.4, 12 * 2 * np.pi / 360
SCALE = np.array([POSITION_LIMIT, 3.0, ANGLE_LIMIT, 3.5])
"""Half the range of position, velocity, angle and angular velocity that maps to [0, 1]."""

Flags = NDArray[np.bool_]


class Transitions(NamedTuple):
    """Hold recorded transitions; `terminated` marks a fall, not the time limit."""

    states: Floats
    actions: Integers
    rewards: Floats
    next_states: Floats
    terminated: Flags


class TransitionLearner(Protocol):
    """Learn from replayed transitions; what every library is wrapped in."""

    def replay(self, record: Transitions, order: Integers) -> None:
        """Learn from the record's transitions in this order, one replay each."""

    def predict(self, states: Floats) -> Floats:
        """Return the payoff of each action, (n, actions); NaN where no rule matches."""

    def macroclassifiers(self) -> int:
        """Return the number of distinct rules."""


def advance(raw: Floats, actions: Integers) -> Floats:
    """Return the raw states, (n, 4), one time step after pushing left (0) or right (1)."""
    velocity, angle, spin = raw[:, 1:].T
    force = np.where(actions == 1, PUSH, -PUSH)
    total = CART_MASS + POLE_MASS
    cosine, sine = np.cos(angle), np.sin(angle)
    thrust = (force + POLE_MASS * HALF_LENGTH * spin**2 * sine) / total
    spin_rate = (GRAVITY * sine - cosine * thrust) / (
        HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * cosine**2 / total)
    )
    acceleration = thrust - POLE_MASS * HALF_LENGTH * spin_rate * cosine / total
    rates = np.stack([velocity, acceleration, spin, spin_rate], axis=1)
    return raw + TIME_STEP * rates


def fallen(raw: Floats) -> Flags:
    """Tell which raw states lie outside the track or beyond the angle limit."""
    outside: Flags = (np.abs(raw[:, 0]) > POSITION_LIMIT) | (np.abs(raw[:, 2]) > ANGLE_LIMIT)
    return outside


def scaled(raw: Floats) -> Floats:
    """Map raw states to [0, 1], clipped."""
    shares: Floats = np.clip(0.5 + 0.5 * raw / SCALE, 0.0, 1.0)
    return shares


def starting_states(count: int, rng: np.random.Generator) -> Floats:
    """Draw raw starting states near the upright rest."""
    return rng.uniform(-0.05, 0.05, (count, 4))


def record_transitions(seed: int, count: int = RECORDED_TRANSITIONS) -> Transitions:
    """Record random play of many carts side by side: reward 1 while balanced, 0 on a fall."""
    rng = np.random.default_rng(seed)
    raw, ages = starting_states(CARTS, rng), np.zeros(CARTS, dtype=np.int64)
    rows = []
    for _ in range(-(-count // CARTS)):
        actions = rng.integers(0, 2, CARTS)
        following = advance(raw, actions)
        fell = fallen(following)
        rows.append((scaled(raw), actions, np.where(fell, 0.0, 1.0), scaled(following), fell))
        ages += 1
        fresh = fell | (ages >= TIME_LIMIT)
        raw = np.where(fresh[:, None], starting_states(CARTS, rng), following)
        ages[fresh] = 0
    return Transitions(*(np.concatenate(column)[:count] for column in zip(*rows, strict=True)))


def replay_order(seed: int, steps: int) -> Integers:
    """Draw which recorded transition is replayed at each step, uniformly."""
    return np.random.default_rng([seed, 1]).integers(0, RECORDED_TRANSITIONS, steps)


def greedy_episode_length(
    predict: Callable[[Floats], Floats], seed: int, episodes: int = TEST_EPISODES
) -> float:
    """Return how many steps the greedy policy balances the pole, 200 at most, on average."""
    raw = starting_states(episodes, np.random.default_rng([seed, 2]))
    standing, total = np.ones(episodes, dtype=np.bool_), 0
    for _ in range(TIME_LIMIT):
        payoffs = predict(scaled(raw))
        actions = np.where(np.isnan(payoffs), -np.inf, payoffs).argmax(axis=1)
        raw = advance(raw, actions)
        total += int(standing.sum())
        standing &= ~fallen(raw)
        if not standing.any():
            break
        raw[~standing] = 0.0
    return total / episodes


def measure_cartpole(
    learner: TransitionLearner, *, library: str, version: str, seed: int, steps: int
) -> RunResult:
    """Let the learner replay `steps` transitions, timed, and test its greedy policy."""
    record, order = record_transitions(seed), replay_order(seed, steps)
    began = time.process_time()
    learner.replay(record, order)
    seconds = time.process_time() - began
    return {
        "workload": WORKLOAD,
        "library": library,
        "version": version,
        "seed": seed,
        "steps": steps,
        "seconds": seconds,
        "microseconds_per_step": 1e6 * seconds / steps,
        "accuracy": None,
        "macroclassifiers": learner.macroclassifiers(),
        "checkpoints": [],
        "episode_length": greedy_episode_length(learner.predict, seed),
    }
