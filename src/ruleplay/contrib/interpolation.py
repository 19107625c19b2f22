"""Interpolated experiences: what may lie between two neighbours that were lived through.

With some probability a drawn experience is mixed with another one of the same action: the
nearest of a few drawn at random, if near enough. State and payoff are mixed alike:

    s = s_i + u (s_j - s_i),   P = P_i + u (P_j - P_i),   u uniform in [0, 1)
"""

from typing import Any, NamedTuple

import numpy as np

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.config.fields import param
from ruleplay.core.basics.rng import draw_below, draw_uniform
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import Mixing
from ruleplay.replay.returns import TERMINAL, payoff_of

SETTINGS = {
    "interpolation": param(
        0.0,
        at_least=0.0,
        at_most=1.0,
        later=True,
        doc="Probability that a drawn experience is mixed with a neighbour.",
    ),
    "interpolation_distance": param(
        0.1, above=0.0, later=True, doc="Largest distance of a neighbour, of scaled states."
    ),
}

CANDIDATES = 8  # experiences looked at for a neighbour
NONE = -1


@inline_kernel
def squared_distance(one, other):
    """Return the squared Euclidean distance of two states; NaN if a value is missing."""
    total = 0.0
    for k in range(one.shape[0]):
        gap = np.float64(one[k]) - np.float64(other[k])
        total += gap * gap
    return total


@kernel
def draw_neighbour(memory, slot, size, limit, rng):
    """Draw a few slots; return the nearest that fits, within a squared distance, or NONE."""
    nearest, action = NONE, memory.actions[slot]
    is_end = memory.terminal[slot] & TERMINAL
    for _ in range(CANDIDATES):
        other = draw_below(size, rng)
        if other == slot or memory.actions[other] != action:
            continue
        if memory.terminal[other] & TERMINAL != is_end:
            continue
        distance = squared_distance(memory.states[slot], memory.states[other])
        if distance <= limit:
            nearest, limit = other, distance
    return nearest


@inline_kernel
def mix_states(one, other, share, out):
    """Write the state that lies a share of the way from one to another."""
    for k in range(out.shape[0]):
        start = np.float64(one[k])
        out[k] = start + share * (np.float64(other[k]) - start)


@kernel
def present_mixed(mixing, memory, agent, slot, target):
    """Return state and payoff of an experience, perhaps mixed with those of a neighbour."""
    rng, state = memory.rng, memory.states[slot]
    if not draw_uniform(rng) < mixing.chance:
        return state, target
    size = min(agent.state.stored, memory.actions.shape[0])
    other = draw_neighbour(memory, slot, size, mixing.reach * mixing.reach, rng)
    if other == NONE:
        return state, target
    share = draw_uniform(rng)
    target += share * (payoff_of(memory, agent, other) - target)
    mixed = agent.scratch.next_state
    mix_states(state, memory.states[other], share, mixed)
    return mixed, target


@Mixing.register("interpolated", settings=SETTINGS, present=present_mixed)
class Interpolated(NamedTuple):
    """Experiences that may be mixed with a neighbour."""

    chance: float
    reach: float  # how far away a neighbour may be

    @staticmethod
    def serves(settings: Any) -> bool:
        """Tell whether the settings ask for it."""
        return bool(settings.interpolation > 0.0)

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> "Interpolated":
        """Take over the settings."""
        return cls(settings.interpolation, settings.interpolation_distance)
