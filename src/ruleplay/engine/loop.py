"""One time step with replay (Algorithm 2), and a whole run over a compiled problem.

`step` is everything an agent does at one time step: act, store, sample, replay, evolve.
Python calls it for Gymnasium environments; `run_episodes` calls it for compiled ones.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import Family, inline_kernel, kernel
from ruleplay.core.basics.copying import copy_values
from ruleplay.core.choice import best_action
from ruleplay.core.components.families import add_bonus, bootstrap, decide, settle
from ruleplay.core.covering import form_covered_match_set
from ruleplay.core.state.described import LARGEST_PAYOFF
from ruleplay.core.xcs import (
    EXPLOIT,
    EXPLORE,
    act,
    exploration_rate,
    learn,
    learn_and_tell,
    learn_at_once,
    look_at,
    value_of,
)
from ruleplay.engine.recorder import finish_episode, record_explore, record_step
from ruleplay.envs.dynamics import answer_action, begin_problem
from ruleplay.replay.memory import (
    UNDRAWN,
    Memory,
    NoReplay,
    note_surprise,
    present,
    sample,
    store,
    wants_surprise,
    weigh,
)
from ruleplay.replay.returns import TERMINAL, break_sequence, payoff_of

# (memory, agent, state, action, reward, next_state, terminal, next_value): learn somehow
finish_transition = Family("finish_transition")
# (memory, agent, state, action, reward): the same for a single-step problem, right after `act`
finish_decision = Family("finish_decision")
end_sequence = Family("end_sequence")  # (memory, agent): the next experience does not follow
remember = Family("remember")  # (memory, agent, state, action, reward): store, do not learn

run = Family("run")  # (tag, agent, memory, world, recorder, steps) -> all rewards were payable

FIRST, LATER = 1, 2  # which transition of an episode waits, if anybody asks
EPISODE_ENDED = -1  # what `step` returns when there is no next action
INVALID = -2  # what `step` returns for an observation that it refused; nothing has changed


@kernel
def scale_observation(agent, observation, state):
    """Write the observation, scaled to [0, 1], as the state; tell whether it is valid.

    An observation outside its bounds is clipped or refused, NaN is kept as a missing value or
    refused, an infinity always refused.
    """
    scaling, params = agent.scaling, agent.params
    for k in range(observation.shape[0]):
        if params.missing_match != 0 and np.isnan(observation[k]):
            continue
        scaled = (observation[k] - scaling[0, k]) * scaling[1, k]
        if not (-1e300 < scaled < 1e300):
            return False
        if params.clips == 0 and not (0.0 <= scaled <= 1.0):
            return False
    for k in range(observation.shape[0]):
        scaled = (observation[k] - scaling[0, k]) * scaling[1, k]
        state[k] = scaled if np.isnan(scaled) else min(max(scaled, 0.0), 1.0)
    return True


@inline_kernel
def meet_reward(agent, reward):
    """Note how large a reward is, and let hope end at the first that is not 0."""
    agent.state.reward_size = max(agent.state.reward_size, abs(reward))
    if agent.params.hope_ends != 0 and reward != 0.0:
        end_hope(agent)


@kernel
def end_hope(agent):
    """Let p_ini be 0 from now on; rules that have not learned yet, in a warm-up, predict 0 too."""
    agent.params.p_ini = 0.0
    agent.params.hope_ends = 0
    agent.state.hope_ended = 1
    if agent.state.time >= agent.params.warmup:
        return
    population = agent.population
    for action in range(population.counts.shape[0]):
        first = action * agent.params.stride
        for i in range(first, first + population.counts[action]):
            population.rules[i].prediction = 0.0
            if population.weights.shape[0] > 0:
                population.weights[i, :] = 0.0


@finish_transition.member(NoReplay)
@kernel
def learn_online(memory, agent, state, action, reward, next_state, terminal, next_value):
    """Learn from a transition at once: P = r + gamma max PA(s')   [Stein2020, Alg. 1]."""
    meet_reward(agent, reward)
    agent.state.time += 1
    agent.state.clock += 1
    target = add_bonus(agent.traits.exploration, agent, state, action, reward)
    if not terminal:
        target += agent.params.gamma * next_value
    learn(agent, state, action, target)


@finish_decision.member(NoReplay)
@kernel
def learn_decision(memory, agent, state, action, reward):
    """Learn from a decision at once: P = r."""
    meet_reward(agent, reward)
    agent.state.time += 1
    agent.state.clock += 1
    learn_at_once(agent, state, action, reward)


@inline_kernel
def payoff_unstored(agent, state, action, reward, next_state, terminal):
    """Return what an experience teaches that the memory did not keep."""
    target = add_bonus(agent.traits.exploration, agent, state, action, reward)
    if not terminal:
        target += agent.params.gamma * value_of(agent, next_state)
    return target


@kernel
def keep_transition(memory, agent, state, action, reward, next_state, terminal):
    """Store a transition; return the slot of what was stored last, or -1.

    As printed, the first step of an episode is stored as if it were the only one, and a last one
    that is not the first is not stored at all   [Stein2020, Alg. 2 lines 4-12; F-25].
    """
    params, waits = agent.params, agent.state.has_previous
    if params.first_ends != 0 and waits == FIRST:
        newest = store(memory, agent, state, action, reward, state, True)
        if terminal:
            return newest
    elif params.keep_last == 0 and waits != 0 and terminal:
        return np.int64(-1)
    return store(memory, agent, state, action, reward, next_state, terminal)


@kernel
def cover_experience(memory, agent, slot):
    """Make rules for the two states of a stored experience where too few rules match them."""
    if memory.terminal[slot] & TERMINAL == 0:
        form_covered_match_set(agent, memory.next_states[slot])
    form_covered_match_set(agent, memory.states[slot])


@finish_transition.member(Memory)
@kernel
def learn_by_replay(memory, agent, state, action, reward, next_state, terminal, next_value):
    """Store a transition, then learn from m sampled ones   [Stein2020, Alg. 2].

    The newest, if it is to be among them, is learned from as it was and in full.
    """
    params, counters, sampler = agent.params, agent.state, memory.sampler
    meet_reward(agent, reward)
    newest = keep_transition(memory, agent, state, action, reward, next_state, terminal)
    counters.time += 1
    counters.clock += 1 - params.clock_per_replay
    if counters.time <= params.warmup or counters.stored == 0:
        return
    size = min(counters.stored, memory.actions.shape[0])
    for k in range(params.batch):
        counters.clock += params.clock_per_replay
        slot, drawn, seen, taken = newest, UNDRAWN, state, action
        if k > 0 or params.include_newest == 0:
            slot = drawn = sample(sampler, memory, size, memory.rng)
        if slot >= 0:
            if params.replay_covers != 0:
                cover_experience(memory, agent, slot)
            seen, taken = memory.states[slot], memory.actions[slot]
            target = payoff_of(memory, agent, slot)
        else:
            target = payoff_unstored(agent, state, action, reward, next_state, terminal)
        if drawn != UNDRAWN:
            seen, target = present(memory.mixing, memory, agent, slot, target)
        weight, asked = weigh(sampler, agent, drawn), wants_surprise(sampler)
        surprise = learn_and_tell(agent, seen, taken, target, weight, asked)
        if slot >= 0:
            note_surprise(sampler, slot, surprise, params)


@finish_decision.member(Memory)
@kernel
def replay_decision(memory, agent, state, action, reward):
    """Store a decision, then learn from m sampled experiences."""
    learn_by_replay(memory, agent, state, action, reward, state, True, 0.0)


@end_sequence.member(NoReplay)
@inline_kernel
def end_nothing(memory, agent):
    """Do nothing: nothing is stored."""


@end_sequence.member(Memory)
@inline_kernel
def end_stored_sequence(memory, agent):
    """Tell the memory that its newest experience is the last of its episode."""
    break_sequence(memory.backup, memory, agent)


@remember.member(NoReplay)
@inline_kernel
def forget(memory, agent, state, action, reward):
    """Do nothing: without a memory an experience that is not learned from is gone."""


@remember.member(Memory)
@kernel
def keep(memory, agent, state, action, reward):
    """Store a terminal experience without learning, if such ones are kept."""
    if agent.params.keeps_exploits != 0:
        store(memory, agent, state, action, reward, state, True)


@inline_kernel
def value_ahead(agent, state, ended, terminal):
    """Return what a new state is worth; while an episode goes on, its PA(s) has been built."""
    if not ended:
        return bootstrap(agent.traits.bootstrap, agent, state)
    return 0.0 if terminal else value_of(agent, state)


@kernel
def finish_previous(agent, memory, state, reward, terminated, ended):
    """Finish the transition that waits; at a time limit it bootstraps if so configured."""
    counters = agent.state
    terminal = terminated or (ended and agent.params.bootstrap_on_truncation == 0)
    value = value_ahead(agent, state, ended, terminal)
    counters.surprise = abs(reward + agent.params.gamma * value - counters.previous_value)
    action = counters.previous_action
    previous = agent.scratch.previous
    finish_transition(memory, agent, previous, action, reward, state, terminal, value)
    if ended:
        end_sequence(memory, agent)


@inline_kernel
def await_outcome(agent, state, action, value):
    """Remember what was decided on, and which payoff was expected of it."""
    counters = agent.state
    copy_values(state, agent.scratch.previous)
    follows = agent.params.first_ends != 0 and counters.has_previous != 0
    counters.has_previous = LATER if follows else FIRST
    counters.previous_action = action
    counters.previous_value = value
    settle(agent.traits.exploration, agent)


@kernel
def step(agent, memory, observation, reward, terminated, truncated):
    """Do everything an agent does at one time step; return its next action.

    `reward`, `terminated` and `truncated` are the outcome of the action returned before;
    at an episode's first observation they are ignored.
    """
    state, ended = agent.scratch.state, terminated or truncated
    action, value = EPISODE_ENDED, 0.0
    if not scale_observation(agent, observation, state):
        return INVALID
    if not ended:
        action = decide(agent.traits.exploration, agent, state)
        value = agent.scratch.values[action]
    if agent.state.has_previous != 0:
        finish_previous(agent, memory, state, reward, terminated, ended)
    if ended:
        agent.state.has_previous = 0
    else:
        await_outcome(agent, state, action, value)
    return action


@inline_kernel
def is_payable(reward):
    """Tell whether rules can learn from a reward: a number of sensible size."""
    return abs(reward) <= LARGEST_PAYOFF


@kernel
def begin_episode(agent, world):
    """Reset a problem and decide on the first action."""
    state = agent.scratch.state
    begin_problem(world.problem, world.observation, world.rng)
    scale_observation(agent, world.observation, state)
    action = decide(agent.traits.exploration, agent, state)
    await_outcome(agent, state, action, agent.scratch.values[action])


class Episodes(NamedTuple):
    """Tag of a run over a multi-step problem."""


class Alternating(NamedTuple):
    """Tag of a run over a single-step problem, exploring and exploiting in turn."""


class EpsilonGreedy(NamedTuple):
    """Tag of a run over a single-step problem with epsilon-greedy answers."""


class World(NamedTuple):
    """A compiled problem and what belongs to it during a run."""

    problem: Any  # as `ruleplay.envs.dynamics.reach` returns it
    observation: NDArray[np.float64]  # the problem's last observation, in its own units
    limit: int  # steps per episode, 0 = none
    rng: NDArray[np.uint64]


@run.member(Episodes)
@kernel
def run_episodes(tag, agent, memory, world, recorder, steps):
    """Interact with a multi-step problem for a number of steps, recording as it goes.

    Return whether every reward was a sensible number; it ends at the first that is not.
    """
    observation, counters = world.observation, recorder.counters
    for _ in range(steps):
        if agent.state.has_previous == 0:
            begin_episode(agent, world)
        action = agent.state.previous_action
        reward, terminated = answer_action(world.problem, action, observation, world.rng)
        if not is_payable(reward):
            return False
        counters.length += 1
        truncated = world.limit > 0 and counters.length >= world.limit and not terminated
        step(agent, memory, observation, reward, terminated, truncated)
        record_step(recorder, agent, reward, agent.state.surprise)
        if terminated or truncated:
            finish_episode(recorder)
    return True


@kernel
def play_greedily(agent, world, returns, lengths, episode, steps):
    """Play on by the rules there are, without learning, for a number of steps at most.

    `episode` is under way if it has a length, else it begins. Write what came of each, and
    return the number of the one that is played next.
    """
    observation, state = world.observation, agent.scratch.next_state
    for _ in range(steps):
        if episode == returns.shape[0]:
            break
        if lengths[episode] == 0:
            begin_problem(world.problem, observation, world.rng)
        scale_observation(agent, observation, state)
        look_at(agent, state)
        action = max(best_action(agent.scratch.values), 0)
        reward, terminated = answer_action(world.problem, action, observation, world.rng)
        returns[episode] += reward
        lengths[episode] += 1
        if terminated or (world.limit > 0 and lengths[episode] >= world.limit):
            episode += 1
    return episode


@kernel
def try_once(agent, world, epsilon):
    """Draw one instance of a single-step problem and answer it; return action and reward."""
    state, counters = agent.scratch.state, agent.state
    begin_problem(world.problem, world.observation, world.rng)
    scale_observation(agent, world.observation, state)
    action = act(agent, state, epsilon)
    reward, _ = answer_action(world.problem, action, world.observation, world.rng)
    if is_payable(reward):
        counters.surprise = abs(agent.scratch.values[action] - reward)
    return action, reward


@kernel
def follow_exploit(memory, agent, state, action, reward):
    """Remember an exploit step, or learn from it like from an explore step."""
    if agent.params.learns_exploits != 0:
        finish_decision(memory, agent, state, action, reward)
    else:
        remember(memory, agent, state, action, reward)
        agent.state.clock += agent.params.clock_per_exploit


@run.member(Alternating)
@kernel
def run_alternating(tag, agent, memory, world, recorder, steps):
    """Learn from random answers and record greedy ones, in turn, on a single-step problem.

    Return whether every reward was a sensible number.
    """
    state = agent.scratch.state
    for _ in range(steps):
        action, reward = try_once(agent, world, EXPLORE)
        if not is_payable(reward):
            return False
        record_explore(recorder, reward, agent.state.surprise)
        finish_decision(memory, agent, state, action, reward)
        action, reward = try_once(agent, world, EXPLOIT)
        if not is_payable(reward):
            return False
        follow_exploit(memory, agent, state, action, reward)
        record_step(recorder, agent, reward, agent.state.surprise)
    return True


@run.member(EpsilonGreedy)
@kernel
def run_epsilon_greedy(tag, agent, memory, world, recorder, steps):
    """Learn from and record every answer on a single-step problem, chosen epsilon-greedily.

    Return whether every reward was a sensible number.
    """
    state = agent.scratch.state
    for _ in range(steps):
        action, reward = try_once(agent, world, exploration_rate(agent))
        if not is_payable(reward):
            return False
        record_step(recorder, agent, reward, agent.state.surprise)
        finish_decision(memory, agent, state, action, reward)
    return True
