"""Who teaches lists, and what their decisions pay: to agree, or to make no costly mistakes."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.ruleset import best_actions

Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]
Values = Callable[[Vector], Vector]  # observations -> what each action is worth


class Teacher(NamedTuple):
    """Who lists learn from: what actions are worth to it, and what they pay in a list for that."""

    values: Values
    pays: Callable[[Vector, int], Vector]  # values, the default action -> payoffs


def agreement(values: Vector, default: int) -> Vector:
    """Return what each action pays if the best one pays 1, (observations, actions)."""
    payoff: Vector = np.eye(values.shape[1])[best_actions(values, default)]
    return payoff


def advantage(values: Vector, default: int) -> Vector:
    """Return what each action pays if the worst costs 1 on average, and the best nothing.

    Where all are worth the same, mistakes cost nothing (Bastani, Pu and Solar-Lezama 2018). An
    action about which nothing is known is worse than the worst.
    """
    known = np.isfinite(values)
    worst = np.where(known, values, np.inf).min(axis=1, keepdims=True)
    best = np.where(known, values, -np.inf).max(axis=1, keepdims=True)
    some: Flags = np.any(known, axis=1)
    if not some.any():
        return np.zeros(values.shape)
    spread = float((best - worst)[some].mean()) or 1.0
    told = np.where(known, values, worst - spread)
    return np.where(some[:, np.newaxis], (told - best) / spread, 0.0)
