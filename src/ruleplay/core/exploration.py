"""How an agent explores in the course of an episode.

Plain: epsilon-greedy, each step by itself. Guided: random actions may last for several
steps, greedy choices may add a bonus for what was rarely tried, and it is known which
actions were not greedy.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.core._jit import inline_kernel, kernel
from ruleplay.core._rng import draw_uniform
from ruleplay.core.arrays import Array, allocate
from ruleplay.core.covering import form_covered_match_set
from ruleplay.core.grid import cell_number
from ruleplay.core.prediction_array import (
    build_prediction_array,
    choose_greedily,
    choose_randomly,
    is_greedy,
)
from ruleplay.core.seams import Exploration
from ruleplay.core.xcs import act, exploration_rate

LARGEST_COUNT = np.uint32(2**32 - 1)
NOTES = 3  # what `Explorer.notes` holds, in this order
REPEATED = 0  # the random action that goes on, or -1
NEXT_MARK = 1  # whether the action decided on was not greedy
LAST_MARK = 2  # whether the last action was not greedy

UNKNOWN_MARK = np.int64(1)  # of an action that another one chose: perhaps not greedy


class Explorer(NamedTuple):
    """What guided exploration remembers."""

    notes: Annotated[NDArray[np.int64], Array("i8", (NOTES,), "of actions", saved=True)]
    counts: Annotated[
        NDArray[np.uint32],
        Array("u4", ("counters",), "how often an action was decided on in a cell", saved=True),
    ]
    appeal: Annotated[NDArray[np.float64], Array("f8", ("actions",), "predictions with bonus")]


def allocate_explorer(n_actions: int, table_size: int) -> Explorer:
    """Reserve the memory of an explorer that has seen nothing."""
    explorer = allocate(Explorer, {"counters": table_size, "actions": n_actions})
    explorer.notes[REPEATED] = -1
    return explorer


@inline_kernel
def decide_plainly(tag, agent, state):
    """Choose epsilon-greedily."""
    return act(agent, state, exploration_rate(agent))


@inline_kernel
def persistence(agent):
    """Return L at the current time: constant, or on a straight line to 1 as epsilon falls."""
    params = agent.params
    if params.persistence_fades == 0:
        return params.persistence
    if agent.state.time >= params.epsilon_steps:
        return 1.0
    left = 1.0 - agent.state.time / params.epsilon_steps
    return 1.0 + (params.persistence - 1.0) * left


@inline_kernel
def starting_rate(epsilon, persistence):
    """Return the chance to begin a random action so that a share epsilon of steps is random.

    q L / (q L + 1 - q) = epsilon   =>   q = epsilon / (epsilon + L (1 - epsilon))
    """
    return epsilon / (epsilon + persistence * (1.0 - epsilon))


@inline_kernel
def count_index(state, action, table_size, params):
    """Return the counter of an action in the grid cell of a state."""
    grid, is_direct = params.count_grid, params.count_direct
    return cell_number(state, action, grid, is_direct, params.n_actions, table_size)


@inline_kernel
def count_of(agent, state, action):
    """Return how often an action was decided on in the cell of a state, as a float."""
    counts = agent.explorer.counts
    return float(counts[count_index(state, action, counts.shape[0], agent.params)])


@inline_kernel
def choose_appealing(agent, state):
    """Choose the action of largest prediction plus bonus: PA(a) + b / sqrt(n(s, a) + 1)."""
    values, appeal = agent.scratch.values, agent.explorer.appeal
    for action in range(values.shape[0]):
        bonus = agent.params.count_bonus / math.sqrt(count_of(agent, state, action) + 1.0)
        appeal[action] = values[action] + bonus
    return choose_greedily(appeal, agent.rng)


@inline_kernel
def add_count_bonus(tag, agent, state, action, reward):
    """Return r + b / sqrt(n(s, a)) if the bonus is part of payoffs, else r."""
    if agent.params.bonus_in_payoff == 0:
        return reward
    visits = max(count_of(agent, state, action), 1.0)
    return reward + agent.params.count_bonus / math.sqrt(visits)


@inline_kernel
def goes_on(agent):
    """Tell, by a draw, whether the random action of the step before is repeated."""
    action = agent.explorer.notes[REPEATED]
    if agent.state.has_previous == 0 or action < 0:
        return False
    if np.isnan(agent.scratch.values[action]):
        return False
    return draw_uniform(agent.rng) * persistence(agent) >= 1.0


@inline_kernel
def choose_guided(agent, state):
    """Repeat a random action, begin one, or choose greedily."""
    notes, params = agent.explorer.notes, agent.params
    if goes_on(agent):
        return notes[REPEATED]
    notes[REPEATED] = -1
    rate = starting_rate(exploration_rate(agent), persistence(agent))
    if draw_uniform(agent.rng) < rate:
        action = choose_randomly(agent.scratch.values, agent.rng)
        if params.persistence > 1.0:
            notes[REPEATED] = action
        return action
    if params.count_bonus > 0.0 and params.bonus_in_payoff == 0:
        return choose_appealing(agent, state)
    return choose_greedily(agent.scratch.values, agent.rng)


@kernel
def decide_guided(tag, agent, state):
    """Choose an action, count it, and note whether it was greedy."""
    form_covered_match_set(agent, state)
    build_prediction_array(agent, state)
    action = choose_guided(agent, state)
    explorer = agent.explorer
    explorer.notes[NEXT_MARK] = not is_greedy(agent.scratch.values, action)
    if agent.params.count_bonus > 0.0:
        index = count_index(state, action, explorer.counts.shape[0], agent.params)
        if explorer.counts[index] < LARGEST_COUNT:
            explorer.counts[index] += np.uint32(1)
    return action


@inline_kernel
def settle_mark(tag, agent):
    """Let the mark of the action decided on be that of the last action."""
    agent.explorer.notes[LAST_MARK] = agent.explorer.notes[NEXT_MARK]


@inline_kernel
def read_last_mark(tag, agent):
    """Return the mark of the last action."""
    return agent.explorer.notes[LAST_MARK]


@inline_kernel
def write_last_mark(tag, agent, mark):
    """Replace the mark of the last action."""
    agent.explorer.notes[LAST_MARK] = mark


@Exploration.register("plain", decide=decide_plainly)
class Undirected(NamedTuple):
    """Epsilon-greedy exploration, each step by itself."""


@Exploration.register(
    "guided",
    decide=decide_guided,
    settle=settle_mark,
    last_mark=read_last_mark,
    set_last_mark=write_last_mark,
    add_bonus=add_count_bonus,
)
class Guided(NamedTuple):
    """Exploration that remembers."""
