"""The choice of an action from the system predictions; NaN is that of an action without rules."""

import numpy as np

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.rng import draw_below

_TIE = 1e-12  # predictions this close, relative to their size, are equal (fidelity note F-12)


@inline_kernel
def best_value(values, fallback):
    """Return the largest defined system prediction, or the fallback if there is none."""
    best = -np.inf
    for value in values:
        if value > best:
            best = value
    return best if best > -np.inf else fallback


@inline_kernel
def choose_greedily(values, rng):
    """Choose an action of largest system prediction; draw among ties."""
    best = best_value(values, 0.0)
    limit = best - _TIE * max(1.0, abs(best))
    ties = 0
    for value in values:
        ties += value >= limit
    skip = draw_below(ties, rng) if ties > 1 else 0
    for action in range(values.shape[0]):
        if values[action] >= limit:
            if skip == 0:
                return action
            skip -= 1
    return 0


@inline_kernel
def best_action(values):
    """Return the first action of largest system prediction, or -1 if none has a rule."""
    best, action = -np.inf, -1
    for a in range(values.shape[0]):
        if values[a] > best:
            best, action = values[a], a
    return action


@inline_kernel
def is_greedy(values, action):
    """Tell whether an action is one of largest system prediction, ties included."""
    best = best_value(values, 0.0)
    return values[action] >= best - _TIE * max(1.0, abs(best))


@inline_kernel
def choose_randomly(values, rng):
    """Draw uniformly among the actions that have a system prediction."""
    present = 0
    for value in values:
        present += value == value
    skip = draw_below(present, rng)
    for action in range(values.shape[0]):
        if values[action] == values[action]:
            if skip == 0:
                return action
            skip -= 1
    return 0
