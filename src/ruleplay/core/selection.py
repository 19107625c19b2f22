"""How the genetic algorithm picks a parent from an action set."""

from typing import NamedTuple

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.rng import draw_below, draw_uniform
from ruleplay.core.components.seams import Selection

# With tau = 0.1 and a single microclassifier, one in a billion choices gets that far.
MOST_TOURNAMENTS = 200


@kernel
def draw_microclassifier(population, members, rng):
    """Return a rule with probability proportional to its numerosity."""
    total = 0
    for i in members:
        total += population.rules[i].numerosity
    left = draw_below(total, rng)
    for i in members:
        left -= population.rules[i].numerosity
        if left < 0:
            return i
    return members[-1]


@inline_kernel
def select_by_tournament(tag, population, members, scratch, rng):
    """Return the rule of largest fitness per microclassifier among those that enter.

    A rule enters with probability 1 - (1 - tau)^num, as if each of its microclassifiers
    entered with probability tau; an empty tournament is held again (fidelity note F-07). Where
    hardly anybody ever enters, in the end one microclassifier is drawn: who enters alone, wins.
    """
    winner = members[0]
    best = -1.0
    for _ in range(MOST_TOURNAMENTS):
        for i in members:
            rule = population.rules[i]
            enters = draw_uniform(rng) < scratch.participation[rule.numerosity]
            score = rule.fitness / rule.numerosity if enters else -1.0
            winner = i if score > best else winner
            best = max(best, score)
        if best >= 0.0:
            return winner
    return draw_microclassifier(population, members, rng)


@inline_kernel
def select_by_macro_tournament(tag, population, members, scratch, rng):
    """Return the rule of largest fitness among those that enter, each with probability tau.

    How many microclassifiers a rule stands for plays no part (fidelity note F-07).
    """
    winner = members[0]
    best = -1.0
    for _ in range(MOST_TOURNAMENTS):
        for i in members:
            enters = draw_uniform(rng) < scratch.participation[1]
            score = population.rules[i].fitness if enters else -1.0
            winner = i if score > best else winner
            best = max(best, score)
        if best >= 0.0:
            return winner
    return members[draw_below(members.shape[0], rng)]


@inline_kernel
def select_by_roulette(tag, population, members, scratch, rng):
    """Return a rule with probability proportional to its fitness."""
    total = 0.0
    for i in members:
        total += population.rules[i].fitness
    ball = draw_uniform(rng) * total
    running = 0.0
    for i in members:
        running += population.rules[i].fitness
        if running > ball:
            return i
    return members[-1]


@Selection.register("tournament", select_parent=select_by_tournament)
class Tournament(NamedTuple):
    """Tournament selection."""


@Selection.register("macro_tournament", select_parent=select_by_macro_tournament)
class MacroTournament(NamedTuple):
    """Tournament selection among macroclassifiers."""


@Selection.register("roulette", select_parent=select_by_roulette)
class Roulette(NamedTuple):
    """Fitness-proportionate selection."""
