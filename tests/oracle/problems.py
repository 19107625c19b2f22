"""Pose three small problems to the oracle."""

from collections.abc import Sequence

import numpy as np

from .oracle import Oracle, largest


def multiplex(instance: Sequence[float]) -> int:
    """Answer the 3-bit real multiplexer: the first number chooses which other one decides."""
    return int(instance[2 if instance[0] >= 0.5 else 1] >= 0.5)


def train_multiplexer(oracle: Oracle, steps: int, rng: np.random.Generator) -> None:
    """Pay 1000 for a right answer to random instances; answers are random too."""
    for _ in range(steps):
        instance = rng.random(3)
        action = oracle.act(instance, explore=True)
        oracle.learn_single(instance, action, 1000.0 * (action == multiplex(instance)))


def multiplexer_accuracy(oracle: Oracle, rng: np.random.Generator) -> float:
    """Count the right greedy answers to 400 new instances."""
    instances = rng.random((400, 3))
    return float(np.mean([oracle.act(x, explore=False) == multiplex(x) for x in instances]))


def linear_payoff(state: Sequence[float], action: int) -> float:
    """Pay an amount that is linear in the state."""
    return 300.0 + 200.0 * state[0] - 100.0 * state[1] + 50.0 * action


def train_linear_payoff(oracle: Oracle, steps: int, rng: np.random.Generator) -> None:
    """Pay by `linear_payoff` for random actions in random states."""
    for _ in range(steps):
        state = rng.random(2)
        action = oracle.act(state, explore=True)
        oracle.learn_single(state, action, linear_payoff(state, action))


def linear_payoff_error(oracle: Oracle, rng: np.random.Generator) -> float:
    """Take the median error of the predictions for 100 new states and both actions."""
    errors = []
    for state in rng.random((100, 2)):
        oracle.act(state, explore=False)
        for action, prediction in enumerate(oracle.prediction_array):
            errors.append(abs(prediction - linear_payoff(state, action)))
    return float(np.median(errors))


def walk_chain(oracle: Oracle, episodes: int, length: int = 5, limit: int = 20) -> None:
    """Walk a chain: action 1 goes one state on, 0 back to the first; going on at the end pays 1."""
    for _ in range(episodes):
        place, action = 0, oracle.step([0])
        for moves in range(1, limit + 1):
            reward = float(action == 1 and place == length - 1)
            place = min(place + 1, length - 1) if action == 1 else 0
            action = oracle.step([place], reward, terminated=False, truncated=moves == limit)
        assert action == -1


def chain_policy(oracle: Oracle, length: int = 5) -> tuple[list[int], list[float]]:
    """List the greedy action and its predicted payoff for each state of the chain."""
    actions, values = [], []
    for place in range(length):
        actions.append(oracle.act([place], explore=False))
        values.append(largest(oracle.prediction_array))
    return actions, values
