"""Splitting: a rule that stored experiences refute is cut in two where they disagree.

After absumption (Liu, Browne and Xue, 2020), which replaces an over-general rule by more
specific ones that cover what it covered. Here the memory shows where to cut: the payoffs of
stored experiences do not fit into a band of 2 eps_0 around any correction of the rule, and one
cut explains at least half of how they vary.
"""

import numpy as np

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.contrib.discovery.evidence import gather
from ruleplay.core.basics.rng import draw_below
from ruleplay.core.components.families import express, set_interval
from ruleplay.core.deletion import delete_one
from ruleplay.core.genetic import breed
from ruleplay.core.insertion import insert_child, remove_rule

LEAST_EVIDENCE = 4  # experiences; fewer prove nothing
LEAST_SHARE = 0.5  # of the squared deviations that a cut must explain


@inline_kernel
def draw_experienced(agent, members):
    """Draw one of the members whose experience exceeds theta_sub; -1 if there is none."""
    rules, theta_sub = agent.population.rules, agent.params.theta_sub
    candidates = 0
    for i in members:
        candidates += rules[i].experience > theta_sub
    if candidates == 0:
        return np.int64(-1)
    skip = draw_below(candidates, agent.rng)
    for i in members:
        if rules[i].experience > theta_sub:
            if skip == 0:
                return np.int64(i)
            skip -= 1
    return np.int64(-1)


@inline_kernel
def deviations(residuals, count):
    """Return the sum of squared deviations from the mean, and the distance of the extremes."""
    total, low, high = 0.0, np.inf, -np.inf
    for j in range(count):
        total += residuals[j]
        low, high = min(low, residuals[j]), max(high, residuals[j])
    mean, squares = total / count, 0.0
    for j in range(count):
        squares += (residuals[j] - mean) * (residuals[j] - mean)
    return squares, high - low


@kernel
def try_cut(own, count, k, x):
    """Return what a cut right after x in feature k explains, and where it lies.

    That is n_1 m_1^2 + n_2 m_2^2 - n m^2 for means m of residuals on either side and in all;
    experiences that lack the feature are left out. The cut is half-way to the next experience.
    """
    below, above, n_below, n_above, following = 0.0, 0.0, 0, 0, np.inf
    for j in range(count):
        y = np.float64(own.states[own.slots[j], k])
        if y <= x:
            below += own.residuals[j]
            n_below += 1
        elif y > x:
            above += own.residuals[j]
            n_above += 1
            following = min(following, y)
    if n_below == 0 or n_above == 0:
        return 0.0, x
    explained = below * below / n_below + above * above / n_above
    explained -= (below + above) * (below + above) / (n_below + n_above)
    return explained, 0.5 * (x + following)


@kernel
def find_cut(own, agent, count):
    """Return feature and place of the cut that explains most; feature -1 if it is too little."""
    best, feature, where = 0.0, -1, 0.0
    squares, distance = deviations(own.residuals, count)
    if distance < 2.0 * agent.params.eps_0:
        return feature, where
    for k in range(own.states.shape[1]):
        for j in range(count):
            x = np.float64(own.states[own.slots[j], k])
            explained, cut = try_cut(own, count, k, x)
            if explained > best:
                best, feature, where = explained, k, cut
    if best < LEAST_SHARE * squares:
        return -1, where
    return feature, where


@kernel
def cut_in_two(agent, place, k, cut):
    """Replace a rule by two that share its box, numerosity and fitness."""
    population, nursery, condition = agent.population, agent.nursery, agent.traits.condition
    n_features = population.bounds.shape[1] // 2
    low = np.float64(population.bounds[place, k])
    high = np.float64(population.bounds[place, n_features + k])
    numerosity, fitness = population.rules[place].numerosity, population.rules[place].fitness
    for c in range(2):
        breed(agent, place, place // agent.params.stride, c)
        nursery.rules[c].numerosity = max(1, (numerosity + 1 - c) // 2)
        nursery.rules[c].fitness = 0.5 * fitness
    set_interval(condition, nursery.alleles[0], k, low, cut)
    set_interval(condition, nursery.alleles[1], k, cut, high)
    remove_rule(agent, place)
    for c in range(2):
        express(condition, nursery.alleles[c], nursery.bounds[c])
        insert_child(agent, c)


@kernel
def split(own, agent, members):
    """Split an experienced member of [A], drawn at random, if experiences refute it.

    Then one rule is deleted if there are too many. Return whether a rule was split: the
    members' places then no longer hold.
    """
    place = draw_experienced(agent, members)
    if place < 0:
        return False
    count = gather(own, agent, place, own.split)
    if count < LEAST_EVIDENCE:
        return False
    k, cut = find_cut(own, agent, count)
    if k < 0:
        return False
    cut_in_two(agent, place, k, cut)
    if agent.state.micro > agent.params.n_max:
        delete_one(agent)
    return True
