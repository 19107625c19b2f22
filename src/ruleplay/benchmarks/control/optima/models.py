"""Make finite models of environments, each from what the environment knows about itself."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ruleplay.benchmarks.control.optima.finite import FiniteModel, Outcome
from ruleplay.envs.chain import FORWARD
from ruleplay.envs.woods.maps import EMPTY, FIRST_FOOD
from ruleplay.envs.woods.woods import FOOD_REWARD


def model_of_table(env: Any) -> FiniteModel:
    """Read the transition table `P` that Gymnasium's grid worlds have."""
    inner = env.unwrapped
    outcomes = [
        [
            [(float(p), int(state), float(reward), bool(ends)) for p, state, reward, ends in found]
            for found in inner.P[state].values()
        ]
        for state in sorted(inner.P)
    ]
    return FiniteModel.of(inner.initial_state_distrib, outcomes)


def model_of_gridworld(env: Any) -> FiniteModel:
    """Ask gym-classics' environments for their transitions, each of them.

    Their own `model` takes two outcomes that leave the state as it is for one, also if only one
    of them is an end.
    """
    inner = env.unwrapped

    def found(state: int, action: int) -> list[Outcome]:
        return [
            (float(p), int(inner.encode(to)), float(reward), bool(ends))
            for to, reward, ends, p in inner._generate_transitions(inner.decode(state), action)
            if p > 0.0
        ]

    outcomes = [[found(state, action) for action in inner.actions()] for state in inner.states()]
    start = np.zeros(len(outcomes))
    for place in inner._starts:
        start[inner.encode(place)] += 1.0 / len(inner._starts)
    return FiniteModel.of(start, outcomes)


def model_of_maze(env: Any) -> FiniteModel:
    """Walk from every empty cell of a map of ours in every direction."""
    woods = env.unwrapped.problem.dynamics
    places = {tuple(place): number for number, place in enumerate(woods.starts.tolist())}
    height, width = woods.cells.shape

    def found(place: tuple[int, int], move: list[int]) -> list[Outcome]:
        to = (place[0] + move[0]) % height, (place[1] + move[1]) % width
        symbol = woods.cells[to]
        if symbol >= FIRST_FOOD:
            return [(1.0, places[place], FOOD_REWARD, True)]
        return [(1.0, places[to if symbol == EMPTY else place], 0.0, False)]

    moves = woods.moves.tolist()
    outcomes = [[found(place, move) for move in moves] for place in places]
    return FiniteModel.of(np.full(len(places), 1.0 / len(places)), outcomes)


def model_of_chain(env: Any) -> FiniteModel:
    """Follow the chain: on, or back to its beginning."""
    chain = env.unwrapped.problem.dynamics

    def go(state: int, goes_on: bool) -> tuple[int, float]:
        if not goes_on:
            return 0, chain.small
        return (state + 1, 0.0) if state < chain.last else (state, chain.large)

    def found(state: int, action: int) -> list[Outcome]:
        wanted = action == FORWARD
        chances = ((1.0 - chain.slip, wanted), (chain.slip, not wanted))
        return [(p, *go(state, goes_on), False) for p, goes_on in chances if p > 0.0]

    outcomes = [[found(state, action) for action in range(2)] for state in range(chain.last + 1)]
    start = np.zeros(len(outcomes))
    start[0] = 1.0
    return FiniteModel.of(start, outcomes)


MODELS: dict[str, Callable[[Any], FiniteModel]] = {
    "table": model_of_table,
    "model": model_of_gridworld,
    "maze": model_of_maze,
    "chain": model_of_chain,
}
