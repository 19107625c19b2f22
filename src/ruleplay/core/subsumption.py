"""Subsumption: a rule that is accurate and more general takes over a narrower one."""

import numpy as np

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.rng import draw_below
from ruleplay.core.components.families import stands
from ruleplay.core.insertion import refresh_vote, remove_rule


@inline_kernel
def is_trusted(rule, params):
    """Tell whether a rule is experienced and accurate enough to subsume others."""
    return rule.experience > params.theta_sub and rule.error < params.eps_0


@inline_kernel
def contains_box(population, i, bounds):
    """Tell whether the rule at place i contains a box given by lower, then upper bounds."""
    own = population.bounds[i]
    n_features = bounds.shape[0] // 2
    for k in range(n_features):
        if bounds[k] < own[k] or bounds[n_features + k] > own[n_features + k]:
            return False
    return True


@inline_kernel
def may_subsume_child(agent, i, action, c):
    """Tell whether the rule at place i, of the given action, may subsume child c."""
    return (
        agent.nursery.actions[c] == action
        and is_trusted(agent.population.rules[i], agent.params)
        and contains_box(agent.population, i, agent.nursery.bounds[c])
    )


@inline_kernel
def absorb(agent, i):
    """Let the rule at place i stand for one more microclassifier."""
    agent.population.rules[i].numerosity += 1
    agent.state.micro += 1
    refresh_vote(agent.population, i, agent.params)


@inline_kernel
def find_subsumer(agent, members, action, parents, c):
    """Return a parent, else a random member of [A] if asked, that may subsume child c, or -1."""
    for parent in parents:
        if may_subsume_child(agent, parent, action, c):
            return np.int64(parent)
    if agent.params.only_parents != 0:
        return np.int64(-1)
    candidates = 0
    for i in members:
        candidates += may_subsume_child(agent, i, action, c)
    if candidates == 0:
        return np.int64(-1)
    skip = draw_below(candidates, agent.rng)
    for i in members:
        if may_subsume_child(agent, i, action, c):
            if skip == 0:
                return np.int64(i)
            skip -= 1
    return np.int64(-1)


@inline_kernel
def subsume_child(agent, members, action, parents, c):
    """Let a rule that stands subsume child c; tell whether one did."""
    subsumer = find_subsumer(agent, members, action, parents, c)
    if subsumer < 0 or not stands(agent.traits.discovery, agent, subsumer):
        return False
    absorb(agent, subsumer)
    return True


@kernel
def find_most_general(agent, members):
    """Return the position in [A] of the largest trusted rule, or -1."""
    best, volume = -1, -1.0
    for j in range(members.shape[0]):
        rule = agent.population.rules[members[j]]
        if is_trusted(rule, agent.params) and rule.volume > volume:
            best, volume = j, rule.volume
    return best


@kernel
def subsume_action_set(agent, members):
    """Let the most general trusted rule of [A] take over the rules it contains.

    Members are visited from last to first: a removal moves only rules at later places.
    Return whether any rule was removed (the members' places then no longer hold).
    """
    best = find_most_general(agent, members)
    if best < 0 or not stands(agent.traits.discovery, agent, np.int64(members[best])):
        return False
    population, subsumer, gained = agent.population, members[best], 0
    for j in range(members.shape[0] - 1, -1, -1):
        i = members[j]
        if i != subsumer and contains_box(population, subsumer, population.bounds[i]):
            gained += population.rules[i].numerosity
            if remove_rule(agent, np.int64(i)) == subsumer:
                subsumer = i
    population.rules[subsumer].numerosity += gained
    agent.state.micro += gained
    refresh_vote(population, subsumer, agent.params)
    return gained > 0
