"""What a replayed experience pays: the reward and the next state's value, or n rewards first."""

from typing import NamedTuple

import numpy as np

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.choice import best_value
from ruleplay.core.components.families import add_bonus, last_mark, note_payoff
from ruleplay.core.components.seams import Returns
from ruleplay.core.xcs import look_at, value_of

back_up, annotate = Returns.back_up, Returns.annotate
break_sequence = Returns.break_sequence

# Flags of an experience, kept where a memory of single steps only says "terminal" (1).
TERMINAL = np.uint8(1)  # nothing follows: no value is added
LAST = np.uint8(2)  # the next slot does not follow, but the next state has a value
EXPLORED = np.uint8(4)  # the action was not greedy
_END = np.uint8(3)


@inline_kernel
def reward_of(memory, agent, slot):
    """Return the reward of a stored experience, with what curiosity adds to it now."""
    state, action = memory.states[slot], memory.actions[slot]
    return add_bonus(agent.traits.exploration, agent, state, action, memory.rewards[slot])


@inline_kernel
def back_up_one(backup, memory, agent, slot):
    """Return r + gamma V(s')   [Stein2020, Alg. 3 lines 5-11]."""
    target = reward_of(memory, agent, slot)
    if memory.terminal[slot] & TERMINAL == 0:
        target += agent.params.gamma * value_of(agent, memory.next_states[slot])
    return target


@inline_kernel
def annotate_nothing(backup, memory, agent, state):
    """Return no flags: experiences stand alone."""
    return np.uint8(0)


@inline_kernel
def newest_slot(memory, agent):
    """Return where the newest experience is; there must be one."""
    return (agent.state.stored - 1) % memory.actions.shape[0]


@kernel
def back_up_many(backup, memory, agent, slot):
    """Return r_i + gamma r_i+1 + ... + gamma^k V(s_i+k) with k = n, or fewer at a cut.

    The sum ends after a terminal experience, without a value; with a value after the last
    one of a sequence (time limit, newest experience) and, if so configured, before an action
    that was not greedy.
    """
    flags, params = memory.terminal, agent.params
    newest = newest_slot(memory, agent)
    target, weight, last = reward_of(memory, agent, slot), params.gamma, slot
    rewarded = memory.rewards[slot] != 0.0
    for _ in range(params.return_steps - 1):
        if last == newest or flags[last] & _END != 0:
            break
        following = last + 1 if last + 1 < flags.shape[0] else 0
        if params.cut_at_exploration != 0 and flags[following] & EXPLORED != 0:
            break
        target += weight * reward_of(memory, agent, following)
        rewarded |= memory.rewards[following] != 0.0
        weight *= params.gamma
        last = following
    if params.rewarded_return != 0 and not rewarded:
        return back_up_one(backup, memory, agent, slot)
    if flags[last] & TERMINAL == 0:
        target += weight * value_of(agent, memory.next_states[last])
    if params.best_return != 0 and last != slot:
        target = max(target, back_up_one(backup, memory, agent, slot))
    return target


@inline_kernel
def shortfall(memory, agent, slot):
    """Return V(s) - Q(s, a): how far a stored action's prediction lies below the best one."""
    look_at(agent, memory.states[slot])
    chosen = agent.scratch.values[memory.actions[slot]]
    return best_value(agent.scratch.values, 0.0) - chosen if chosen == chosen else 0.0


@kernel
def payoff_of(memory, agent, slot):
    """Return what a stored experience teaches now, and note it for whoever wants evidence."""
    target = back_up(memory.backup, memory, agent, slot)
    if agent.params.action_gap > 0.0:
        target -= agent.params.action_gap * shortfall(memory, agent, slot)
    note_payoff(agent.traits.discovery, agent, slot, target)
    return target


@inline_kernel
def are_equal(one, other):
    """Tell whether two states are the same; missing values are equal."""
    for k in range(one.shape[0]):
        if one[k] != other[k] and not (np.isnan(one[k]) and np.isnan(other[k])):
            return False
    return True


@inline_kernel
def flag_newest(flags, stored):
    """Flag the newest experience as the last of its sequence, unless it is terminal."""
    if stored > 0:
        newest = (stored - 1) % flags.shape[0]
        if flags[newest] & TERMINAL == 0:
            flags[newest] |= LAST


@inline_kernel
def end_sequence(backup, memory, agent):
    """Let the newest experience be the last of its sequence."""
    flag_newest(memory.terminal, agent.state.stored)


@kernel
def annotate_experience(backup, memory, agent, state):
    """Return the flags of a new experience; end the sequence if it begins somewhere else.

    Experiences that `learn` was given may come from anywhere.
    """
    if agent.state.stored > 0:
        newest = newest_slot(memory, agent)
        ended = memory.terminal[newest] & _END != 0
        if not ended and not are_equal(memory.next_states[newest], state):
            end_sequence(backup, memory, agent)
    explored = last_mark(agent.traits.exploration, agent) != 0
    return EXPLORED if explored else np.uint8(0)


@Returns.register("one_step", back_up=back_up_one, annotate=annotate_nothing)
class OneStep(NamedTuple):
    """Payoffs of one reward and a value."""


@Returns.register(
    "n_step", back_up=back_up_many, annotate=annotate_experience, break_sequence=end_sequence
)
class MultiStep(NamedTuple):
    """Payoffs of up to n rewards and a value, from consecutive slots of a FIFO memory."""
