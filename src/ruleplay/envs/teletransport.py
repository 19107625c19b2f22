"""Where episodes begin: in the problem's own start states, or anywhere.

Teletransportation [Lanzi 1999; Stein2020, Sec. 5.2] only changes the distribution of first
states: instead of the problem's narrow start they are drawn uniformly from all of the state
space. Here both are boxes, so that switching it on swaps one box for another, and a run
draws as many random numbers with it as without.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.envs._options import flag


class StartBox(NamedTuple):
    """The box first states are drawn from, each value in [low, high)."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


Interval = tuple[float, float]


def choose_start(
    usual: Sequence[Interval], everywhere: Sequence[Interval], teletransport: Any
) -> StartBox:
    """Take the usual start states, or the whole state space under teletransportation."""
    chosen = everywhere if flag("teletransport", teletransport) else usual
    low, high = np.array(chosen, dtype=np.float64).T
    return StartBox(low.copy(), high.copy())


@inline_kernel
def draw_start(start, state, rng):
    """Draw a first state uniformly from the box `start` into `state`."""
    for k in range(state.shape[0]):
        width = start.high[k] - start.low[k]
        state[k] = start.low[k] + width * draw_uniform(rng)
