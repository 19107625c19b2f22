"""The steady-state niche genetic algorithm."""

from typing import NamedTuple

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.copying import copy_values
from ruleplay.core.basics.rng import draw_below, draw_uniform
from ruleplay.core.components.families import (
    average_models,
    cross,
    express,
    inherit_model,
    may_vary,
    mutate_alleles,
    new_model,
    select_parent,
)
from ruleplay.core.components.seams import Discovery
from ruleplay.core.deletion import delete_one
from ruleplay.core.insertion import insert_child
from ruleplay.core.subsumption import subsume_child


@inline_kernel
def is_due(agent, members):
    """Tell whether the niche has waited longer than theta_GA   [Stein2020, Alg. 3 line 20]."""
    stamps, total = 0, 0
    for i in members:
        rule = agent.population.rules[i]
        stamps += rule.time_stamp * rule.numerosity
        total += rule.numerosity
    return agent.state.clock - stamps / total > agent.params.theta_ga


@inline_kernel
def breed(agent, parent, action, c):
    """Make child c of the nursery a copy of a parent, as one new microclassifier."""
    population, nursery = agent.population, agent.nursery
    source, child = population.rules[parent], nursery.rules[c]
    copy_values(population.alleles[parent], nursery.alleles[c])
    nursery.actions[c] = action
    child.error = source.error
    child.fitness = source.fitness
    if agent.params.whole_fitness == 0:
        child.fitness = source.fitness / source.numerosity
    child.set_size = source.set_size
    child.experience = agent.params.exp_ini
    child.time_stamp = agent.state.clock
    child.numerosity = 1
    if agent.params.new_models == 0:
        inherit_model(agent.traits.prediction, population, parent, nursery, c)
    else:
        new_model(agent.traits.prediction, nursery, c, agent.params)


@inline_kernel
def recombine(agent):
    """Cross the two children with probability chi; discount fitness and error of both."""
    nursery, params = agent.nursery, agent.params
    one, other = nursery.rules[0], nursery.rules[1]
    crosses = draw_uniform(agent.rng) < params.chi
    if crosses and may_vary(agent.traits.discovery, agent):
        cross(agent.traits.crossover, nursery.alleles[0], nursery.alleles[1], agent.rng)
        average_models(agent.traits.prediction, nursery)
        error = 0.5 * (one.error + other.error)
        fitness = 0.5 * (one.fitness + other.fitness)
        one.error, other.error = error, error
        one.fitness, other.fitness = fitness, fitness
    one.fitness *= params.f_reduce
    other.fitness *= params.f_reduce
    one.error *= params.eps_reduce
    other.error *= params.eps_reduce


@inline_kernel
def mutate(agent, c):
    """Mutate child c: its condition and, at its own rate, its action."""
    nursery, params, rng = agent.nursery, agent.params, agent.rng
    if not may_vary(agent.traits.discovery, agent):
        express(agent.traits.condition, nursery.alleles[c], nursery.bounds[c])
        return
    mutate_alleles(agent.traits.condition, nursery.alleles[c], params, rng)
    express(agent.traits.condition, nursery.alleles[c], nursery.bounds[c])
    if params.mu_a > 0.0 and draw_uniform(rng) < params.mu_a:
        other = draw_below(params.n_actions - 1, rng)
        nursery.actions[c] = other + (other >= nursery.actions[c])


@kernel
def evolve(agent, members, action):
    """Run the genetic algorithm on an action set: two offspring in, as many rules out.

    Insertion appends and deletion comes last, so the members' places hold until then.
    """
    population, selection = agent.population, agent.traits.selection
    for i in members:
        population.rules[i].time_stamp = agent.state.clock
    first = select_parent(selection, population, members, agent.scratch, agent.rng)
    second = select_parent(selection, population, members, agent.scratch, agent.rng)
    parents = (first, second)
    for c in range(2):
        breed(agent, parents[c], action, c)
    recombine(agent)
    for c in range(2):
        mutate(agent, c)
    for c in range(2):
        subsumed = agent.params.ga_subsumption != 0 and subsume_child(
            agent, members, action, parents, c
        )
        if not subsumed:
            insert_child(agent, c)
    while agent.state.micro > agent.params.n_max:
        delete_one(agent)


@Discovery.register("genetic")
class Genetic(NamedTuple):
    """Discovery by the genetic algorithm alone."""

    @inline_kernel
    def discover(self, agent, members, state, action):
        """Run the genetic algorithm on an action set whose turn has come."""
        if is_due(agent, members):
            evolve(agent, members, action)
