"""The system prediction for each action, and the choice of an action from it."""

import numpy as np

from ruleplay.core._jit import inline_kernel
from ruleplay.core._rng import draw_below
from ruleplay.core.agent import STATE_VECTOR, Plain, agent_units
from ruleplay.core.families import bootstrap, predict

_TIE = 1e-12  # predictions this close, relative to their size, are equal (fidelity note F-12)


@inline_kernel
def predict_jointly(agent, start, stop, state):
    """Return sum of p F / sum of F over a part of `scratch.members`; NaN without rules."""
    population, scratch, tag = agent.population, agent.scratch, agent.traits.prediction
    weighted, plain, total = 0.0, 0.0, 0.0
    for j in range(start, stop):
        i = scratch.members[j]
        value = predict(tag, population, i, state, agent.params)
        fitness = population.rules[i].fitness
        weighted += value * fitness
        plain += value
        total += fitness
    return weighted / total if total > 0.0 else plain / (stop - start)


@inline_kernel
def write_prediction_array(agent, state):
    """Write PA(a) = sum of p F / sum of F over [M] into `scratch.values`; NaN without rules.

    [Stein2020, Alg. 1 line 3]
    """
    scratch = agent.scratch
    for action in range(scratch.values.shape[0]):
        start, stop = scratch.starts[action], scratch.starts[action + 1]
        scratch.values[action] = predict_jointly(agent, start, stop, state)


@agent_units.unit(STATE_VECTOR)
def build_prediction_array(agent, state):
    """Do as `write_prediction_array` does."""
    write_prediction_array(agent, state)


@inline_kernel
def best_value(values, fallback):
    """Return the largest defined system prediction, or the fallback if there is none."""
    best = -np.inf
    for value in values:
        if value > best:
            best = value
    return best if best > -np.inf else fallback


@inline_kernel
def state_value(values, params):
    """Return what a payoff takes from the next prediction array: its maximum.

    The option `bootstrap_argmax` takes the number of the best action instead, as printed in
    the paper (fidelity note F-23). Without any matching rule it is p_ini (note F-27).
    """
    best = best_value(values, params.p_ini)
    if params.bootstrap_argmax != 0:
        for action in range(values.shape[0]):
            if values[action] == best:
                return float(action)
    return best


@bootstrap.member(Plain)
@inline_kernel
def take_value(tag, agent, state):
    """Return the value by the prediction array of the rules as they are."""
    return state_value(agent.scratch.values, agent.params)


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
