"""Define the common work of the benchmark: the 6-bit real multiplexer, learned in timed blocks.

The peers run in an environment of their own, so this file needs numpy and nothing else. Every
library sees the same experiences: uniform states in [0, 1), uniform random actions, reward 1000
for the right action and 0 for the wrong one. Only learning is timed, as CPU time; the greedy
tests between the blocks are free.
"""

from __future__ import annotations

import json
import time
from itertools import pairwise
from typing import NamedTuple, NotRequired, Protocol, TypedDict

import numpy as np
from numpy.typing import NDArray

POPULATION_SIZE = 800
DEFAULT_STEPS = 20_000
BLOCK_STEPS = 500
TEST_ROWS = 2_000
ADDRESS_BITS = 2
STATE_BITS = ADDRESS_BITS + 2**ADDRESS_BITS
REPLAY_CAPACITY = 50_000
REPLAY_WARMUP = 1_000
ACCURACY_TARGETS = (0.95, 0.98)
PATIENCE = 3
"""How many times the asked steps a run may take in all to reach 98 % accuracy."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Experiences(NamedTuple):
    """Hold single-step experiences: states (n, features), actions (n,), rewards (n,)."""

    states: Floats
    actions: Integers
    rewards: Floats

    def part(self, start: int, stop: int) -> Experiences:
        """Return the experiences from `start` up to `stop`, without copying."""
        rows = slice(start, stop)
        return Experiences(self.states[rows], self.actions[rows], self.rewards[rows])


class Checkpoint(TypedDict):
    """State how accurate a learner is after some steps and CPU seconds of learning."""

    steps: int
    seconds: float
    accuracy: float


class RunResult(TypedDict):
    """Describe one run of one library on one workload; the peers print it as JSON."""

    workload: str
    library: str
    version: str
    seed: int
    steps: int
    seconds: float
    microseconds_per_step: float
    accuracy: float | None
    macroclassifiers: int
    checkpoints: list[Checkpoint]
    episode_length: NotRequired[float]


class BlockLearner(Protocol):
    """Learn the multiplexer block by block; what every library is wrapped in."""

    def learn(self, block: Experiences) -> None:
        """Learn from the experiences in their order, one learning step each."""

    def predict(self, states: Floats) -> Floats:
        """Return the payoff of each action, (n, actions); NaN where no rule matches."""

    def macroclassifiers(self) -> int:
        """Return the number of distinct rules."""


def multiplexer_answers(states: Floats) -> Integers:
    """Return the data bit that the address bits point to, for each row of states.

    >>> multiplexer_answers(np.array([[0.9, 0.1, 0.0, 0.0, 0.7, 0.0]])).tolist()
    [1]
    """
    bits = (states > 0.5).astype(np.int64)
    address = bits[:, :ADDRESS_BITS] @ (1 << np.arange(ADDRESS_BITS)[::-1])
    answers: Integers = bits[np.arange(len(bits)), ADDRESS_BITS + address]
    return answers


def training_experiences(seed: int, count: int) -> Experiences:
    """Draw random states and random actions; a longer draw begins with the shorter one."""
    of_states, of_actions, _ = np.random.SeedSequence(seed).spawn(3)
    states = np.random.default_rng(of_states).random((count, STATE_BITS))
    actions = (np.random.default_rng(of_actions).random(count) < 0.5).astype(np.int64)
    rewards = np.where(actions == multiplexer_answers(states), 1000.0, 0.0)
    return Experiences(states, actions, rewards)


def held_out_states(seed: int) -> Floats:
    """Draw the states of the greedy test, independent of the training stream."""
    of_tests = np.random.SeedSequence(seed).spawn(3)[2]
    return np.random.default_rng(of_tests).random((TEST_ROWS, STATE_BITS))


def greedy_accuracy(payoffs: Floats, answers: Integers) -> float:
    """Return the share of rows whose best-paid action is right; a missing payoff is the worst."""
    known = np.where(np.isnan(payoffs), -np.inf, payoffs)
    return float(np.mean(known.argmax(axis=1) == answers))


def workload_name(replay: int) -> str:
    """Name the multiplexer workload with a number of replays per step (0: none)."""
    return f"rmp6-replay{replay}" if replay else "rmp6"


def measure_multiplexer(
    learner: BlockLearner, *, library: str, version: str, seed: int, steps: int, replay: int = 0
) -> RunResult:
    """Teach the learner block by block and report its time, accuracy and size.

    Time per step, accuracy and size are those after `steps`; with replay, the warm-up without
    learning counts in `seconds` and in the checkpoints but not in the time per step. A learner
    that has not been 98 % accurate by then goes on, at most to PATIENCE times as many steps, for
    the checkpoints' sake.
    """
    warmup = REPLAY_WARMUP if replay else 0
    if steps <= warmup:
        raise ValueError(f"steps must be more than the warm-up of {warmup}, got {steps}")
    training = training_experiences(seed, PATIENCE * steps)
    test_states = held_out_states(seed)
    answers = multiplexer_answers(test_states)
    seconds, idle, best, checkpoints = 0.0, 0.0, 0.0, list[Checkpoint]()
    at_end: tuple[float, float, int] | None = None
    for start, stop in block_bounds(steps, PATIENCE * steps):
        block = training.part(start, stop)
        began = time.process_time()
        learner.learn(block)
        seconds += time.process_time() - began
        accuracy = greedy_accuracy(learner.predict(test_states), answers)
        best = max(best, accuracy)
        checkpoints.append({"steps": stop, "seconds": seconds, "accuracy": accuracy})
        if stop == warmup:
            idle = seconds
        if stop == steps:
            at_end = seconds, accuracy, learner.macroclassifiers()
        if at_end is not None and best >= max(ACCURACY_TARGETS):
            break
    assert at_end is not None
    return {
        "workload": workload_name(replay),
        "library": library,
        "version": version,
        "seed": seed,
        "steps": steps,
        "seconds": at_end[0],
        "microseconds_per_step": 1e6 * (at_end[0] - idle) / (steps - warmup),
        "accuracy": at_end[1],
        "macroclassifiers": at_end[2],
        "checkpoints": checkpoints,
    }


def block_bounds(steps: int, limit: int) -> list[tuple[int, int]]:
    """Cut the steps, and what may follow up to the limit, into blocks; one ends at `steps`.

    >>> block_bounds(700, 1000)
    [(0, 500), (500, 700), (700, 1000)]
    """
    edges = [*range(0, steps, BLOCK_STEPS), *range(steps, limit, BLOCK_STEPS), max(steps, limit)]
    return list(pairwise(edges))


def first_reaching(checkpoints: list[Checkpoint], target: float) -> Checkpoint | None:
    """Return the first checkpoint at which the accuracy is at least the target, if any."""
    return next((c for c in checkpoints if c["accuracy"] >= target), None)


def show_result(result: RunResult, as_json: bool) -> None:
    """Print one run as a JSON document on one line, or as a sentence."""
    if as_json:
        print(json.dumps(result))
        return
    accuracy, length = result["accuracy"], result.get("episode_length")
    quality = f"accuracy {accuracy:.4f}" if accuracy is not None else f"{length:.1f} steps balanced"
    print(
        f"{result['library']} {result['version']} on {result['workload']}, seed {result['seed']}: "
        f"{result['microseconds_per_step']:.2f} microseconds per step over {result['steps']} "
        f"steps, {quality}, {result['macroclassifiers']} rules"
    )
