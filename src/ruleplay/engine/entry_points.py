"""The entry points from Python into compiled code.

An entry point takes the addresses of an agent and of its memory (`ruleplay.compiler.bundles`),
and what Python has to say besides. Their layouts, whose types select the kernels, are constants of
the entry point: one per combination, compiled when first used.
"""

from functools import cache
from typing import Any

from numba import typeof

from ruleplay.compiler.bundles import Layout, view
from ruleplay.compiler.jit import entry, kernel
from ruleplay.core.batch import predict_states
from ruleplay.core.components.families import last_mark, set_last_mark
from ruleplay.core.covering import form_covered_match_set
from ruleplay.core.exploration import UNKNOWN_MARK
from ruleplay.core.insertion import derive_columns
from ruleplay.core.matching import match_all
from ruleplay.core.xcs import act, value_of
from ruleplay.engine.loop import (
    INVALID,
    finish_decision,
    finish_transition,
    play_greedily,
    run,
    scale_observation,
    step,
)
from ruleplay.replay.memory import store

Known = Layout | None  # None where nothing is compiled


def compile_entry(entry: Any, *arguments: Any) -> None:
    """Compile an entry point for arguments like these, or find it on disk, without entering it."""
    if hasattr(entry, "compile"):  # unless compilation is switched off
        entry.compile(tuple(typeof(argument) for argument in arguments))


@cache
def step_entry(agent_layout: Known, memory_layout: Known) -> Any:
    """Return `(agent, memory, observation, reward, terminated, truncated) -> action`."""

    @entry
    def enter_step(agent_at, memory_at, observation, reward, terminated, truncated):
        agent, memory = view(agent_layout, agent_at), view(memory_layout, memory_at)
        return step(agent, memory, observation, reward, terminated, truncated)

    return enter_step


@cache
def run_entry(
    kind: type,
    agent_layout: Known,
    memory_layout: Known,
    world_layout: Known,
    recorder_layout: Known,
) -> Any:
    """Return `(agent, memory, world, recorder, steps)` that runs a compiled problem.

    The answer is False if a reward was no number that can be learned from: the run ends there.
    """
    tag = kind()

    @entry
    def enter_run(agent_at, memory_at, world_at, recorder_at, steps):
        agent, memory = view(agent_layout, agent_at), view(memory_layout, memory_at)
        world, recorder = view(world_layout, world_at), view(recorder_layout, recorder_at)
        return run(tag, agent, memory, world, recorder, steps)

    return enter_run


@cache
def play_entry(agent_layout: Known, world_layout: Known) -> Any:
    """Return `(agent, world, returns, lengths, episode, steps) -> the next episode`.

    It plays greedy episodes without learning.
    """

    @entry
    def enter_play(agent_at, world_at, returns, lengths, episode, steps):
        agent, world = view(agent_layout, agent_at), view(world_layout, world_at)
        return play_greedily(agent, world, returns, lengths, episode, steps)

    return enter_play


@cache
def act_entry(agent_layout: Known) -> Any:
    """Return `(agent, observation, epsilon) -> action` or INVALID."""

    @entry
    def enter_act(agent_at, observation, epsilon):
        agent = view(agent_layout, agent_at)
        if not scale_observation(agent, observation, agent.scratch.state):
            return INVALID
        return act(agent, agent.scratch.state, epsilon)

    return enter_act


@kernel
def find_invalid(agent, observations):
    """Return the first row that is no valid observation, or -1."""
    for row in range(observations.shape[0]):
        if not scale_observation(agent, observations[row], agent.scratch.next_state):
            return row
    return -1


@kernel
def find_invalid_experience(agent, first, observations, next_observations):
    """Return the first row of either that is no valid observation, or -1.

    Only the first piece looks, before anything is learned.
    """
    if first > 0:
        return -1
    invalid = find_invalid(agent, observations)
    if next_observations is not None and invalid < 0:
        invalid = find_invalid(agent, next_observations)
    return invalid


@kernel
def take_mark(agent):
    """Return what exploration thinks of the last action, which from now on may be any."""
    mark = last_mark(agent.traits.exploration, agent)
    set_last_mark(agent.traits.exploration, agent, UNKNOWN_MARK)
    return mark


@kernel
def learn_experience(agent, memory, observation, action, reward, next_observation, ended):
    """Learn from one experience; nothing follows it if there is no next observation."""
    state, following = agent.scratch.state, agent.scratch.next_state
    scale_observation(agent, observation, state)
    if next_observation is None:
        form_covered_match_set(agent, state)
        finish_decision(memory, agent, state, action, reward)
    else:
        scale_observation(agent, next_observation, following)
        value = 0.0 if ended else value_of(agent, following)
        form_covered_match_set(agent, state)
        finish_transition(memory, agent, state, action, reward, following, ended, value)


@cache
def learn_entry(agent_layout: Known, memory_layout: Known) -> Any:
    """Return `(agent, memory, observation, action, reward, next_observation)` that learns.

    The next observation is None if nothing follows. The answer is INVALID for an observation
    that was refused; else it says whether a reward or payoff was the largest of late.
    """

    @entry
    def enter_learn(agent_at, memory_at, observation, action, reward, next_observation):
        agent, memory = view(agent_layout, agent_at), view(memory_layout, memory_at)
        scratch, counters = agent.scratch, agent.state
        if not scale_observation(agent, observation, scratch.state):
            return INVALID
        if next_observation is not None and not scale_observation(
            agent, next_observation, scratch.next_state
        ):
            return INVALID
        paid, payoff = counters.reward_size, counters.payoff_size
        mark = take_mark(agent)
        learn_experience(agent, memory, observation, action, reward, next_observation, False)
        set_last_mark(agent.traits.exploration, agent, mark)
        return int(counters.reward_size > paid or counters.payoff_size > payoff)

    return enter_learn


@cache
def learn_batch_entry(agent_layout: Known, memory_layout: Known) -> Any:
    """Return an entry point that learns from experiences in order.

    `(agent, memory, first, last, observations, actions, rewards, next_observations, terminal)`;
    the last two are None if all experiences are terminal. Those from `first` up to `last` are
    learned from; if `first` is 0, all are looked at before. The answer is -1, or the first row
    with an invalid observation; then nothing was learned.
    """

    @entry
    def enter_learn_batch(
        agent_at,
        memory_at,
        first,
        last,
        observations,
        actions,
        rewards,
        next_observations,
        terminal,
    ):
        agent, memory = view(agent_layout, agent_at), view(memory_layout, memory_at)
        invalid = find_invalid_experience(agent, first, observations, next_observations)
        if invalid >= 0:
            return invalid
        mark = take_mark(agent)
        for row in range(first, last):
            seen, action, reward = observations[row], actions[row], rewards[row]
            if next_observations is None:
                learn_experience(agent, memory, seen, action, reward, None, True)
            else:
                following, ended = next_observations[row], terminal[row]
                learn_experience(agent, memory, seen, action, reward, following, ended)
        set_last_mark(agent.traits.exploration, agent, mark)
        return -1

    return enter_learn_batch


@cache
def remember_entry(agent_layout: Known, memory_layout: Known) -> Any:
    """Return an entry point that stores experiences in order and learns nothing.

    Arguments and answer are those of `learn_batch_entry`; next observations must be given.
    """

    @entry
    def enter_remember(
        agent_at,
        memory_at,
        first,
        last,
        observations,
        actions,
        rewards,
        next_observations,
        terminal,
    ):
        agent, memory = view(agent_layout, agent_at), view(memory_layout, memory_at)
        state, following = agent.scratch.state, agent.scratch.next_state
        invalid = find_invalid_experience(agent, first, observations, next_observations)
        if invalid >= 0:
            return invalid
        mark = take_mark(agent)
        for row in range(first, last):
            scale_observation(agent, observations[row], state)
            scale_observation(agent, next_observations[row], following)
            store(memory, agent, state, actions[row], rewards[row], following, terminal[row])
        set_last_mark(agent.traits.exploration, agent, mark)
        return -1

    return enter_remember


@cache
def predict_entry(agent_layout: Known, space_class: type) -> Any:
    """Return `(agent, space, observations, out) -> rows`: predictions of a batch.

    The answer is the number of rows before the first invalid one; only if there is none,
    all predictions are written. The agent is read and not changed.
    """

    @entry
    def enter_predict(agent_at, space_arrays, observations, out):
        agent = view(agent_layout, agent_at)
        tag, space, n_rows = agent.traits.prediction, space_class(*space_arrays), len(observations)
        size = space.states.shape[0]
        for first in range(0, n_rows, size):
            stop = min(first + size, n_rows)
            for row in range(first, stop):
                if not scale_observation(agent, observations[row], space.states[row - first]):
                    return row
            predict_states(space, tag, agent.population, agent.params, out[first:stop])
        return n_rows

    return enter_predict


@cache
def tally_entry(agent_layout: Known) -> Any:
    """Return `(agent, observations, payoffs, weights, expected, sums) -> rows`.

    Each rule adds up, in its place's row of `sums`, over the observations that it matches: their
    weights, their payoffs, and the distance of these from what is expected of it, both times the
    weight. The answer is the number of rows before the first invalid one.
    """

    @entry
    def enter_tally(agent_at, observations, payoffs, weights, expected, sums):
        agent = view(agent_layout, agent_at)
        scratch, n_rows = agent.scratch, len(observations)
        for row in range(n_rows):
            if not scale_observation(agent, observations[row], scratch.state):
                return row
            match_all(agent, scratch.state)
            for action in range(payoffs.shape[1]):
                payoff, weight = payoffs[row, action], weights[row]
                for place in scratch.members[scratch.starts[action] : scratch.starts[action + 1]]:
                    sums[place, 0] += weight
                    sums[place, 1] += weight * payoff
                    sums[place, 2] += weight * abs(payoff - expected[place])
        return n_rows

    return enter_tally


@cache
def rebuild_entry(agent_layout: Known) -> Any:
    """Return `(agent)` that derives bounds, hashes and votes from alleles and rules."""

    @entry
    def enter_rebuild(agent_at):
        agent = view(agent_layout, agent_at)
        for action in range(agent.population.counts.shape[0]):
            first = action * agent.params.stride
            for place in range(first, first + agent.population.counts[action]):
                derive_columns(agent, place)

    return enter_rebuild
