"""What stored experiences say about a rule.

With each slot of the replay memory goes the payoff that was last taught for it. A rule is
judged by such payoffs at random: those of its action within its box.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.core._jit import inline_kernel, kernel
from ruleplay.core._rng import draw_below
from ruleplay.core.agent import Plain
from ruleplay.core.arrays import SLOT, Array, allocate
from ruleplay.core.families import note_payoff, predict, stands
from ruleplay.core.matching import contains_state
from ruleplay.core.reinforcement import bound_target

LOOKS = 50  # slots drawn for each experience that is wanted
NOTES = 2  # what `Discoverer.notes` holds: the learning step of the last turn, turns in it


class Extended(NamedTuple):
    """Tag of rule discovery that is more than the genetic algorithm."""


class Discoverer(NamedTuple):
    """What rule discovery beyond the genetic algorithm works with."""

    notes: Annotated[NDArray[np.int64], Array("i8", (NOTES,), "working space", fill=-1)]
    states: NDArray[np.float32]  # (capacity, features): the memory's own array
    actions: NDArray[np.int64]  # (capacity,): the memory's own array
    payoffs: Annotated[
        NDArray[np.float64],
        Array("f8", (SLOT,), "last taught for each experience, NaN: none", True, fill=np.nan),
    ]
    slots: Annotated[NDArray[np.int64], Array("i8", ("looks",), "experiences found")]
    residuals: Annotated[
        NDArray[np.float64], Array("f8", ("looks",), "payoff less prediction of each")
    ]


def allocate_discoverer(states: Any, actions: Any, most: int) -> Discoverer:
    """Reserve what is needed to look at so many experiences at once of a memory."""
    sizes = {SLOT: len(actions), "looks": most}
    return allocate(Discoverer, sizes, states=states, actions=actions)


@note_payoff.member(Plain)
@inline_kernel
def note_nothing(tag, agent, slot, target):
    """Do nothing: nobody looks back."""


@note_payoff.member(Extended)
@inline_kernel
def write_payoff(tag, agent, slot, target):
    """Keep the payoff as rules learn it; NaN says that the slot's experience is new."""
    payoffs = agent.discoverer.payoffs
    if slot < payoffs.shape[0]:
        payoffs[slot] = target if np.isnan(target) else bound_target(target, agent.params)


@inline_kernel
def speaks_of(agent, slot, place):
    """Tell whether an experience with a known payoff belongs to the rule at a place."""
    own = agent.discoverer
    return (
        own.actions[slot] == place // agent.params.stride
        and not np.isnan(own.payoffs[slot])
        and contains_state(agent.population.bounds[place], own.states[slot])
    )


@kernel
def gather(agent, place, wanted):
    """Draw experiences that belong to a rule; return how many were found.

    Slots are drawn with replacement, LOOKS times as many as are wanted at most. Those found
    are in `slots`, what their payoffs exceed the rule's predictions by in `residuals`.
    """
    own, population = agent.discoverer, agent.population
    size, found, looks = min(agent.state.stored, own.payoffs.shape[0]), 0, 0
    while size > 0 and found < wanted and looks < LOOKS * wanted:
        slot = draw_below(size, agent.rng)
        looks += 1
        if speaks_of(agent, slot, place):
            tag, state = agent.traits.prediction, own.states[slot]
            expected = predict(tag, population, place, state, agent.params)
            own.slots[found] = slot
            own.residuals[found] = own.payoffs[slot] - expected
            found += 1
    return found


@stands.member(Extended)
@kernel
def stand_by_evidence(tag, agent, i):
    """Tell whether no experience looked at contradicts rule i by 2 eps_0 or more."""
    if agent.params.verify_evidence == 0:
        return True
    for j in range(gather(agent, i, agent.params.verify_evidence)):
        if abs(agent.discoverer.residuals[j]) >= 2.0 * agent.params.eps_0:
            return False
    return True
