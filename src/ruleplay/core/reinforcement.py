"""Credit assignment: how one payoff changes the rules of an action set."""

from typing import NamedTuple

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.weight import move_others
from ruleplay.core.components.families import adapt, predict, sum_fitness, teach
from ruleplay.core.components.seams import Update
from ruleplay.core.insertion import refresh_vote

PEAK_FADES = 0.999


@inline_kernel
def accuracy(error, params):
    """Return kappa: 1 below eps_0, else alpha (error / eps_0)^-nu   [Stein2020, Eq. 1]."""
    if error < params.eps_0:
        return 1.0
    ratio = params.eps_0 / error
    if params.nu_whole == 0:
        return params.alpha * ratio**params.nu
    power = ratio
    for _ in range(params.nu_whole - 1):
        power *= ratio
    return params.alpha * power


@inline_kernel
def learning_rate(experience, params):
    """Return the rate of a rule's next update: 1 / exp while that exceeds beta (MAM)."""
    if params.early_averaging != 0 and experience * params.beta < 1.0:
        return 1.0 / experience
    return params.beta


@inline_kernel
def bound_target(target, params):
    """Return the payoff, moved into the bounds of what rules learn from."""
    return min(max(target, params.target_low), params.target_high)


@inline_kernel
def note_size(state, target):
    """Let `payoff_size` be the largest of the last payoffs, some thousand of them."""
    state.payoff_size = max(abs(target), PEAK_FADES * state.payoff_size)


@Update.register("full")
class FullStep(NamedTuple):
    """Updates that move each rule of an action set alike."""

    @inline_kernel
    def teach(self, agent, i, state, target, rate, total, weight):
        """Let a rule's prediction take its whole step."""
        adapt(agent.traits.prediction, agent, i, state, target, rate, weight)


@inline_kernel
def update_estimates(agent, members, state, target, weight):
    """Move prediction, error and action-set size of each member; return the total accuracy.

    Each member's accuracy times numerosity is left in `scratch.shares`.
    [Stein2020, Alg. 3 lines 14-16, 18]
    """
    population, params, shares = agent.population, agent.params, agent.scratch.shares
    tag, update = agent.traits.prediction, agent.traits.update
    fitness = sum_fitness(update, population, members)
    set_size = 0
    for i in members:
        set_size += population.rules[i].numerosity
    total = 0.0
    for j in range(members.shape[0]):
        i = members[j]
        rule = population.rules[i]
        rule.experience += 1
        rate = learning_rate(rule.experience, params)
        surprise = abs(target - predict(tag, population, i, state, params))
        teach(update, agent, i, state, target, rate, fitness, weight)
        if params.prediction_first != 0:
            surprise = abs(target - predict(tag, population, i, state, params))
        rate = move_others(weight, rate)
        rule.error += rate * (surprise - rule.error)
        rule.set_size += rate * (set_size - rule.set_size)
        shares[j] = accuracy(rule.error, params) * rule.numerosity
        total += shares[j]
    return total


@inline_kernel
def update_fitness(agent, members, total, weight):
    """Move each member's fitness towards its share of the set's accuracy, in place.

    F += beta (kappa num / sum of kappa num over [A] - F)        [Stein2020, Alg. 3 line 17]
    """
    population, params, state = agent.population, agent.params, agent.state
    shares, rate = agent.scratch.shares, move_others(weight, params.beta)
    for j in range(members.shape[0]):
        i = members[j]
        rule = population.rules[i]
        if params.fitness_averaging != 0:
            rate = move_others(weight, learning_rate(rule.experience, params))
        if total > 0.0:
            change = rate * (shares[j] / total - rule.fitness)
            rule.fitness += change
            state.fitness_sum += change
        refresh_vote(population, i, params)


@inline_kernel
def reinforce(agent, members, state, target, weight):
    """Update every rule of an action set with one payoff, as much as its weight says."""
    total = update_estimates(agent, members, state, target, weight)
    update_fitness(agent, members, total, weight)
