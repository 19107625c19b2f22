"""Learn from one experience: Algorithm 3, from line 12 on.

The target P is given. Every rule of the action set [A] moves towards it; then, if their turn has
come, [A] is condensed and bred.
"""

from collections.abc import Callable, Sequence

from .discovery import Discovery
from .genetic import ga_is_due, run_ga, trust
from .population import Population, add_up
from .random_source import RandomSource
from .rule import Rule, could_subsume

Experience = tuple[Sequence[float], int, float]


def reinforce(
    experience: Experience,
    population: Population,
    times: tuple[int, int],
    config,
    rng: RandomSource,
    discovery: Discovery,
    weights: tuple[float, float] = (1.0, 1.0),
) -> None:
    """Learn from (s, a, P): update [A], condense it if asked, let it evolve if due.

    `times` are the learning step and the GA's clock. The weights scale the steps of predictions,
    and of all other estimates.
    """
    time, clock = times
    state, action, target = experience
    action_set = population.action_set(state, action)
    if not action_set:
        return
    update_set(action_set, state, target, config, weights)
    fitness_sum = population.fitness_sum
    population.fitness_sum = update_fitness(action_set, fitness_sum, config, weights[1])
    if config.action_set_subsumption:
        condense(action_set, population, config, discovery.stands)
        action_set = population.action_set(state, action)
    if ga_is_due(action_set, clock, config) and discovery.takes_turn(time):
        action_set = discovery.renew(state, action, clock)
        if action_set:
            run_ga(action_set, population, clock, config, rng, discovery.stands)


def update_set(
    action_set: list[Rule],
    state: Sequence[float],
    target: float,
    config,
    weights: tuple[float, float] = (1.0, 1.0),
) -> None:
    """Update experience, prediction, error and set size (Alg. 3 lines 13-15 and 17)."""
    set_numerosity = sum(rule.numerosity for rule in action_set)
    shares = learning_shares(action_set, config)
    for rule, share in zip(action_set, shares, strict=True):
        rule.experience += 1
        rate = learning_rate(rule.experience, config)
        if config.update_order == "error_first":  # as printed: line 14, then 15
            miss = abs(target - rule.model.predict(state))
            rule.model.learn(state, target, rate, share, weights[0])
        else:
            rule.model.learn(state, target, rate, share, weights[0])
            miss = abs(target - rule.model.predict(state))
        rate *= weights[1]
        rule.error += rate * (miss - rule.error)
        rule.set_size += rate * (set_numerosity - rule.set_size)


def learning_shares(action_set: list[Rule], config) -> list[float]:
    """Return 1 for each rule, or its share of fitness if predictions follow the gradient (XCSG)."""
    if not getattr(config, "gradient_scaling", False):
        return [1.0] * len(action_set)
    total = add_up(rule.fitness for rule in action_set)
    return [rule.fitness / total for rule in action_set]


def learning_rate(experience: int, config) -> float:
    """Return beta, or 1/exp while exp < 1/beta: a young rule averages what it has seen."""
    if config.early_averaging and experience * config.learning_rate < 1.0:
        return 1.0 / experience
    return config.learning_rate


def accuracy(error: float, config) -> float:
    """Compute kappa (Eq. 1): 1 below eps_0, else alpha (eps / eps_0)^-nu.

    A whole nu is a product rather than a power, so that the last bit depends on no library.
    """
    if error < config.error_threshold:
        return 1.0
    ratio = config.error_threshold / error
    nu = config.accuracy_power
    if nu != int(nu):
        return config.accuracy_scale * ratio**nu
    power = ratio
    for _ in range(int(nu) - 1):
        power *= ratio
    return config.accuracy_scale * power


def update_fitness(
    action_set: list[Rule], fitness_sum: float, config, weight: float = 1.0
) -> float:
    """Move each fitness towards the rule's share of accuracy (Alg. 3 line 16); return the new sum.

    F += beta (kappa' - F)   with   kappa' = kappa num / (sum of kappa num over [A])
    """
    accuracies = [accuracy(rule.error, config) * rule.numerosity for rule in action_set]
    total = add_up(accuracies)
    for rule, mine in zip(action_set, accuracies, strict=True):
        rate = config.learning_rate
        if getattr(config, "fitness_averaging", False):
            rate = learning_rate(rule.experience, config)
        change = weight * rate * (mine / total - rule.fitness)
        rule.fitness += change
        fitness_sum += change
    return fitness_sum


def condense(
    action_set: list[Rule],
    population: Population,
    config,
    stands: Callable[[Rule], bool] = trust,
) -> None:
    """Let the most general of the accurate rules of [A] absorb those that lie within it."""
    able = [rule for rule in action_set if could_subsume(rule, config)]
    if not able:
        return
    subsumer = max(able, key=lambda rule: rule.condition.volume())  # the first of equals
    if not stands(subsumer):
        return
    for rule in reversed(action_set):
        if rule is not subsumer and subsumer.condition.contains(rule.condition):
            population.absorb(subsumer, rule)
