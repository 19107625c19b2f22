"""Find the best course of deterministic episodes by trying all, in copies of the environment."""

from collections import deque
from copy import deepcopy
from typing import Any

import numpy as np

from ruleplay.benchmarks.control.problems import Problem, seeds_of_test


def best_by_search(problem: Problem) -> float:
    """Return the mean of the best possible returns of the episodes that test the first run."""
    env = problem.make()
    returns = []
    for seed in seeds_of_test(0):
        env.reset(seed=seed)
        returns.append(best_return(env.unwrapped))
    return float(np.mean(returns))


def best_return(world: Any) -> float:
    """Return what the shortest way to a reward pays; MiniGrid pays less the later one arrives."""
    ahead, seen = deque([world]), {state_of(world)}
    while ahead:
        here = ahead.popleft()
        for action in range(here.action_space.n):
            there = deepcopy(here)
            _, reward, ends, cut_short, _ = there.step(action)
            if reward > 0.0:
                return float(reward)
            state = state_of(there)
            if not (ends or cut_short or state in seen):
                seen.add(state)
                ahead.append(there)
    return 0.0


def state_of(world: Any) -> Any:
    """Return what tells one state of MiniGrid from another."""
    held = world.carrying.encode() if world.carrying else None
    return tuple(world.agent_pos), world.agent_dir, held, world.grid.encode().tobytes()
