"""What stored experiences say about a rule.

With each slot of the replay memory goes the payoff that was last taught for it. A rule is
judged by such payoffs at random: those of its action within its box. `own` is the component
(`extended.Extended`).
"""

import numpy as np

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.rng import draw_below
from ruleplay.core.components.families import predict
from ruleplay.core.matching import contains_state
from ruleplay.core.reinforcement import bound_target

LOOKS = 50  # slots drawn for each experience that is wanted


@inline_kernel
def write_payoff(own, agent, slot, target):
    """Keep the payoff as rules learn it; NaN says that the slot's experience is new."""
    payoffs = own.payoffs
    if slot < payoffs.shape[0]:
        payoffs[slot] = target if np.isnan(target) else bound_target(target, agent.params)


@inline_kernel
def speaks_of(own, agent, slot, place):
    """Tell whether an experience with a known payoff belongs to the rule at a place."""
    return (
        own.actions[slot] == place // agent.params.stride
        and not np.isnan(own.payoffs[slot])
        and contains_state(agent.population.bounds[place], own.states[slot])
    )


@kernel
def gather(own, agent, place, wanted):
    """Draw experiences that belong to a rule; return how many were found.

    Slots are drawn with replacement, LOOKS times as many as are wanted at most. Those found
    are in `slots`, what their payoffs exceed the rule's predictions by in `residuals`.
    """
    population = agent.population
    size, found, looks = min(agent.state.stored, own.payoffs.shape[0]), 0, 0
    while size > 0 and found < wanted and looks < LOOKS * wanted:
        slot = draw_below(size, agent.rng)
        looks += 1
        if speaks_of(own, agent, slot, place):
            tag, state = agent.traits.prediction, own.states[slot]
            expected = predict(tag, population, place, state, agent.params)
            own.slots[found] = slot
            own.residuals[found] = own.payoffs[slot] - expected
            found += 1
    return found


@kernel
def stand_by_evidence(own, agent, i):
    """Tell whether no experience looked at contradicts rule i by 2 eps_0 or more."""
    if own.verify == 0:
        return True
    for j in range(gather(own, agent, i, own.verify)):
        if abs(own.residuals[j]) >= 2.0 * agent.params.eps_0:
            return False
    return True
