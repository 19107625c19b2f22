"""Specify: narrower rules for an action set that errs more than the others.

After Lanzi (1997), who replaces don't-cares of an over-general rule by what the current input
has there. Here a bound moves half-way to the current state.
"""

import numpy as np

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.core.components.families import express, set_interval
from ruleplay.core.deletion import delete_one
from ruleplay.core.genetic import breed
from ruleplay.core.insertion import insert_child


@kernel
def mean_error(agent):
    """Return the mean error of all microclassifiers."""
    population, total = agent.population, 0.0
    for action in range(population.counts.shape[0]):
        first = action * agent.params.stride
        for place in range(first, first + population.counts[action]):
            total += population.rules[place].error * population.rules[place].numerosity
    return total / agent.state.micro


@kernel
def errs_too_much(own, agent, members):
    """Tell whether an action set is experienced and errs twice as much as the population.

    Means are taken over microclassifiers: that of exp must exceed N_sp.
    """
    micro, experience, error = 0, 0, 0.0
    for i in members:
        rule = agent.population.rules[i]
        micro += rule.numerosity
        experience += rule.experience * rule.numerosity
        error += rule.error * rule.numerosity
    if error == 0.0 or not experience > own.threshold * micro:
        return False
    return error / micro >= 2.0 * mean_error(agent)


@inline_kernel
def select_by_error(population, members, rng):
    """Draw a rule with probability proportional to its error."""
    total = 0.0
    for i in members:
        total += population.rules[i].error
    ball = draw_uniform(rng) * total
    running = 0.0
    for i in members:
        running += population.rules[i].error
        if running > ball:
            return i
    return members[-1]


@kernel
def narrow_child(own, agent, parent, state, c):
    """Move bounds of child c half-way to the state; tell whether any was moved.

    Each bound is moved with probability P_sp; a missing value leaves its interval as it is.
    """
    bounds, alleles = agent.population.bounds[parent], agent.nursery.alleles[c]
    n_features, moved = state.shape[0], False
    for k in range(n_features):
        low, high = np.float64(bounds[k]), np.float64(bounds[n_features + k])
        raises = draw_uniform(agent.rng) < own.probability
        lowers = draw_uniform(agent.rng) < own.probability
        if np.isnan(state[k]) or not (raises or lowers):
            continue
        if raises:
            low += 0.5 * (state[k] - low)
        if lowers:
            high -= 0.5 * (high - state[k])
        set_interval(agent.traits.condition, alleles, k, low, high)
        moved = True
    express(agent.traits.condition, alleles, agent.nursery.bounds[c])
    return moved


@kernel
def specify(own, agent, members, state, action):
    """Add a narrower copy of a rule to an action set that errs too much; tell whether it did.

    Then one rule is deleted if there are too many, and the members' places no longer hold.
    """
    if not errs_too_much(own, agent, members):
        return False
    parent, child = select_by_error(agent.population, members, agent.rng), agent.nursery.rules[0]
    breed(agent, parent, action, 0)
    child.fitness *= agent.params.f_reduce
    child.error *= agent.params.eps_reduce
    if not narrow_child(own, agent, parent, state, 0):
        return False
    insert_child(agent, 0)
    if agent.state.micro > agent.params.n_max:
        delete_one(agent)
    return True
