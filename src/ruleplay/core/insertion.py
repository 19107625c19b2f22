"""Rules come and rules go: insertion of a new rule, removal of an old one."""

import numpy as np

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.copying import copy_values
from ruleplay.core.components.families import express, move_model, place_model
from ruleplay.core.matching import cell_of
from ruleplay.core.state.agent import INTEGER, agent_units
from ruleplay.core.state.population import CHUNK

_FNV_OFFSET, _FNV_PRIME = np.uint64(2166136261), np.uint64(16777619)
_SMALLEST = 1e-25  # fitness below this votes as if it were this
_LOW_WORD = np.uint64(0xFFFFFFFF)


@inline_kernel
def hash_bounds(bits):
    """Return a 32-bit hash (FNV-1a by words) of a rule's bounds."""
    value = _FNV_OFFSET
    for word in bits:
        value = ((value ^ np.uint64(word)) * _FNV_PRIME) & _LOW_WORD
    return np.uint32(value ^ (value >> np.uint64(15)))


@inline_kernel
def has_bounds(population, i, bounds):
    """Tell whether the rule at place i has exactly these bounds."""
    for k in range(bounds.shape[0]):
        if population.bounds[i, k] != bounds[k]:
            return False
    return True


@inline_kernel
def find_identical(population, first, count, bounds, code):
    """Return the place of the rule with these bounds in a block, or -1.

    Hashes are compared a chunk at a time without a branch, so that the loop vectorises.
    """
    hashes = population.hashes
    for start in range(first, first + count, CHUNK):
        chunk = hashes[start : start + CHUNK]
        hits = np.uint32(0)
        for j in range(CHUNK):
            hits |= np.uint32(chunk[j] == code)
        if hits != 0:
            for i in range(start, min(start + CHUNK, first + count)):
                if hashes[i] == code and has_bounds(population, i, bounds):
                    return i
    return -1


@inline_kernel
def refresh_vote(population, i, params):
    """Recompute what the deletion vote of a rule is made of, after any change to the rule.

    The four columns: as * num; F (infinite for an inexperienced rule, whose vote is never
    raised); num; as * num * num / F, the vote of an unfit rule but for the mean fitness.
    """
    rule = population.rules[i]
    base = rule.set_size * rule.numerosity
    population.votes[0, i] = base
    population.votes[1, i] = rule.fitness if rule.experience > params.theta_del else np.inf
    population.votes[2, i] = rule.numerosity
    population.votes[3, i] = base * rule.numerosity / max(rule.fitness, _SMALLEST)


@inline_kernel
def box_volume(bounds):
    """Return the product of a box's side lengths."""
    n_features = bounds.shape[0] // 2
    volume = 1.0
    for k in range(n_features):
        volume *= np.float64(bounds[n_features + k]) - np.float64(bounds[k])
    return volume


@inline_kernel
def place_columns(population, place, bounds, code, params):
    """Write what scans read of a rule: bounds, volume, hash and vote."""
    for k in range(bounds.shape[0]):
        population.bounds[place, k] = bounds[k]
        population.cells[k, place] = cell_of(bounds[k])
    population.rules[place].volume = box_volume(bounds)
    population.hashes[place] = code
    refresh_vote(population, place, params)


@agent_units.unit(INTEGER)
def insert_child(agent, c):
    """Add rule c of the nursery to the population; an identical rule takes it in instead."""
    population, nursery, params = agent.population, agent.nursery, agent.params
    bounds, action = nursery.bounds[c], nursery.actions[c]
    first, count = action * params.stride, population.counts[action]
    code, numerosity = hash_bounds(nursery.bits[c]), nursery.rules[c].numerosity
    agent.state.micro += numerosity
    twin = find_identical(population, first, count, bounds, code)
    if twin >= 0:
        population.rules[twin].numerosity += numerosity
        refresh_vote(population, twin, params)
        return
    place = first + count
    population.counts[action] = count + 1
    population.rules[place] = nursery.rules[c]
    copy_values(nursery.alleles[c], population.alleles[place])
    place_columns(population, place, bounds, code, params)
    place_model(agent.traits.prediction, nursery, c, population, place, params)
    agent.state.fitness_sum += population.rules[place].fitness
    agent.state.volume_sum += population.rules[place].volume


@kernel
def derive_columns(agent, place):
    """Derive everything a stored rule's alleles imply (after loading)."""
    population, nursery = agent.population, agent.nursery
    express(agent.traits.condition, population.alleles[place], nursery.bounds[0])
    code = hash_bounds(nursery.bits[0])
    place_columns(population, place, nursery.bounds[0], code, agent.params)


@inline_kernel
def move_rule(agent, source, target):
    """Copy everything a rule is from one place to another."""
    population = agent.population
    population.rules[target] = population.rules[source]
    copy_values(population.alleles[source], population.alleles[target])
    copy_values(population.bounds[source], population.bounds[target])
    for k in range(population.cells.shape[0]):
        population.cells[k, target] = population.cells[k, source]
    for v in range(4):
        population.votes[v, target] = population.votes[v, source]
    population.hashes[target] = population.hashes[source]
    move_model(agent.traits.prediction, population, source, target)


@inline_kernel
def vacate(population, place):
    """Make a place invisible to scans: it matches nothing and has no vote."""
    n_features = population.bounds.shape[1] // 2
    population.cells[0, place] = 255
    population.cells[n_features, place] = 0
    population.votes[0, place] = 0.0
    population.votes[3, place] = 0.0


@inline_kernel
def remove_rule(agent, place):
    """Take a rule out; the last rule of the same action moves into its place.

    Return the place that is empty now.
    """
    population, state = agent.population, agent.state
    action = place // agent.params.stride
    rule = population.rules[place]
    state.micro -= rule.numerosity
    state.fitness_sum -= rule.fitness
    state.volume_sum -= rule.volume
    last = action * agent.params.stride + population.counts[action] - 1
    if place != last:
        move_rule(agent, last, place)
    vacate(population, last)
    population.counts[action] -= 1
    return last
