"""Compute the best mean score of finite problems, exactly."""

from ruleplay.benchmarks.control.optima.blackjack import best_of_blackjack
from ruleplay.benchmarks.control.optima.finite import best_of_model
from ruleplay.benchmarks.control.optima.models import MODELS
from ruleplay.benchmarks.control.optima.search import best_by_search
from ruleplay.benchmarks.control.problems import Problem

HOW = {
    "table": "value iteration on the environment's transition table",
    "model": "value iteration on the environment's model",
    "maze": "value iteration on the map",
    "chain": "value iteration on the chain",
    "blackjack": "value iteration on the rules of the game",
    "search": "breadth-first search in each of 100 episodes",
}

__all__ = ["HOW", "optimum"]


def optimum(problem: Problem) -> float:
    """Return the best expected score of an episode, its time limit included."""
    if problem.exact == "blackjack":
        return best_of_blackjack()
    if problem.exact == "search":
        return best_by_search(problem)
    env = problem.make()
    assert env.spec is not None
    limit = env.spec.max_episode_steps
    assert limit is not None
    model = MODELS[problem.exact](env)
    return best_of_model(model.by_length() if problem.by_length else model, limit)
