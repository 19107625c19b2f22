"""Breed rules: the steady-state niche genetic algorithm on one action set (Alg. 3 lines 19-20).

The order of the draws: two parents, crossover, mutation of the first child and then the second,
one draw per child that a random member of [A] subsumes, deletions.
"""

from collections.abc import Callable

from .population import Population, spin_roulette
from .random_source import RandomSource
from .rule import Condition, Rule, clip


def ga_is_due(action_set: list[Rule], clock: int, config) -> bool:
    """Say whether the micro-rules of [A] last bred more than theta_GA ago on average (line 19)."""
    micro = sum(rule.numerosity for rule in action_set)
    mean_stamp = sum(rule.time_stamp * rule.numerosity for rule in action_set) / micro
    return clock - mean_stamp > config.ga_threshold


def trust(rule: Rule) -> bool:
    """Let an experienced and accurate rule subsume without further proof."""
    return True


def run_ga(
    action_set: list[Rule],
    population: Population,
    clock: int,
    config,
    rng: RandomSource,
    stands: Callable[[Rule], bool] = trust,
) -> None:
    """Breed two children from [A] and make room for them in the population (line 20)."""
    for rule in action_set:
        rule.time_stamp = clock
    parents = [select_parent(action_set, config, rng) for _ in range(2)]
    children = [make_child(parent, clock, config) for parent in parents]
    if rng.uniform() < config.crossover_rate and not population.condenses:
        cross(*children, config, rng)
    for child in children:
        child.fitness *= config.fitness_reduction
        child.error *= config.error_reduction
    for child in children if not population.condenses else ():
        mutate(child, population.n_actions, config, rng)
    for child in children:
        settle(child, parents, action_set, population, config, rng, stands)
    while population.micro > config.population_size:
        population.delete(config, rng)


def select_parent(action_set: list[Rule], config, rng: RandomSource) -> Rule:
    """Choose a parent by tournament or by roulette."""
    if config.selection == "tournament":
        return hold_tournament(action_set, config.tournament_fraction, rng)
    if config.selection == "macro_tournament":
        return hold_macro_tournament(action_set, config.tournament_fraction, rng)
    return action_set[spin_roulette([rule.fitness for rule in action_set], rng)]


def hold_tournament(action_set: list[Rule], tau: float, rng: RandomSource) -> Rule:
    """Let each micro-rule enter with probability tau; the largest F / num wins, first of equals.

    A rule enters if any of its micro-rules does: with probability 1 - (1 - tau)^num. After 200
    tournaments that nobody entered, any micro-rule may be the only entrant.
    """
    for _ in range(200):
        entrants = [
            rule for rule in action_set if rng.uniform() < 1.0 - stay_out(tau, rule.numerosity)
        ]
        if entrants:
            return max(entrants, key=lambda rule: rule.fitness / rule.numerosity)
    micro_rules = [rule for rule in action_set for _ in range(rule.numerosity)]
    return micro_rules[rng.below(len(micro_rules))]


def hold_macro_tournament(action_set: list[Rule], tau: float, rng: RandomSource) -> Rule:
    """Let each rule enter with probability tau; the largest F wins, first of equals."""
    for _ in range(200):
        entrants = [rule for rule in action_set if rng.uniform() < 1.0 - (1.0 - tau)]
        if entrants:
            return max(entrants, key=lambda rule: rule.fitness)
    return action_set[rng.below(len(action_set))]


def stay_out(tau: float, numerosity: int) -> float:
    """Compute (1 - tau)^num as a product."""
    product = 1.0
    for _ in range(numerosity):
        product *= 1.0 - tau
    return product


def make_child(parent: Rule, clock: int, config) -> Rule:
    """Copy a parent as a new micro-rule without experience and with its share of the fitness."""
    macro = getattr(config, "inherited_fitness", "micro") == "macro"
    if getattr(config, "inherited_model", "parent") == "parent":
        model = parent.model.hand_down()
    else:
        model = parent.model.begin_anew(float(config.initial_prediction))
    return Rule(
        condition=parent.condition,
        action=parent.action,
        model=model,
        error=parent.error,
        fitness=parent.fitness if macro else parent.fitness / parent.numerosity,
        time_stamp=clock,
        experience=getattr(config, "initial_experience", 0),
        set_size=parent.set_size,
    )


def cross(first: Rule, second: Rule, config, rng: RandomSource) -> None:
    """Exchange alleles between the children; prediction, error and fitness become the means."""
    alleles = list(zip(first.alleles, second.alleles, strict=True))
    if config.crossover == "uniform":
        swapped = [rng.uniform() < 0.5 for _ in alleles]
    else:
        start, end = sorted([rng.below(len(alleles) + 1), rng.below(len(alleles) + 1)])
        swapped = [start <= j < end for j in range(len(alleles))]
    pairs = [(b, a) if swap else (a, b) for (a, b), swap in zip(alleles, swapped, strict=True)]
    first.condition = Condition([a for a, _ in pairs])
    second.condition = Condition([b for _, b in pairs])
    first.model.average_with(second.model)
    first.error = second.error = 0.5 * (first.error + second.error)
    first.fitness = second.fitness = 0.5 * (first.fitness + second.fitness)


def mutate(child: Rule, n_actions: int, config, rng: RandomSource) -> None:
    """Shift each allele with probability mu by U(-m_0, m_0); perhaps change the action."""
    child.condition = Condition(
        [mutate_allele(float(allele), config, rng) for allele in child.alleles]
    )
    if config.action_mutation_rate > 0.0 and rng.uniform() < config.action_mutation_rate:
        other = rng.below(n_actions - 1)
        child.action = other + 1 if other >= child.action else other


def mutate_allele(allele: float, config, rng: RandomSource) -> float:
    """Shift an allele with probability mu; two draws if it is shifted, else one."""
    if rng.uniform() < config.mutation_rate:
        return clip(allele + (2.0 * rng.uniform() - 1.0) * config.mutation_step)
    return allele


def settle(
    child: Rule,
    parents: list[Rule],
    action_set: list[Rule],
    population: Population,
    config,
    rng: RandomSource,
    stands: Callable[[Rule], bool] = trust,
) -> None:
    """Give the child to a subsumer (a parent, else any member of [A]), or insert it."""
    subsumer = find_subsumer(child, parents, action_set, config, rng)
    if subsumer is None or not stands(subsumer):
        population.insert(child)
    else:
        population.grow(subsumer)


def find_subsumer(
    child: Rule, parents: list[Rule], action_set: list[Rule], config, rng: RandomSource
) -> Rule | None:
    """Find who may subsume the child: the first parent, the second, a random member of [A]."""
    if not config.ga_subsumption:
        return None
    for parent in parents:
        if parent.may_subsume(child, config):
            return parent
    if getattr(config, "ga_subsumers", "set") == "parents":
        return None
    candidates = [rule for rule in action_set if rule.may_subsume(child, config)]
    return candidates[rng.below(len(candidates))] if candidates else None
