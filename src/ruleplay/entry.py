"""The doors from Python into compiled code.

A door takes the agent's memory as plain nested tuples, which Python hands over quickly
(half a microsecond), and bundles it for the kernels. The traits, whose types select the
kernels, are constants of the door: one door per combination, compiled when first used.
"""

from functools import cache
from typing import Any, NamedTuple

from ruleplay.core._jit import Family, door, kernel, macro_kernel
from ruleplay.core.agent import Agent, AgentArrays, Nursery, Plain, Scratch, Traits
from ruleplay.core.batch import predict_states
from ruleplay.core.covering import form_covered_match_set
from ruleplay.core.evidence import Discoverer, Extended
from ruleplay.core.exploration import UNKNOWN_MARK, Explorer, Guided, last_mark, set_last_mark
from ruleplay.core.frozen import Double, Frozen, FrozenRules
from ruleplay.core.insertion import derive_columns
from ruleplay.core.population import Population
from ruleplay.core.xcs import act, value_of
from ruleplay.loop import (
    INVALID,
    Alternating,
    Episodes,
    EpsilonGreedy,
    finish_decision,
    finish_transition,
    play_greedily,
    run_alternating,
    run_episodes,
    run_epsilon_greedy,
    scale_observation,
    step,
)
from ruleplay.replay import SAMPLERS
from ruleplay.replay.accounts import RING, equip
from ruleplay.replay.memory import Memory, NoReplay, store

assemble_memory = Family("assemble_memory")  # (sampler, ways, arrays) -> memory
assemble_explorer = Family("assemble_explorer")  # (exploration, arrays) -> what it remembers
assemble_frozen = Family("assemble_frozen")  # (bootstrap, arrays) -> the copy
assemble_discoverer = Family("assemble_discoverer")  # (discovery, arrays) -> what it works with


@assemble_memory.member(NoReplay)
@kernel
def assemble_nothing(sampler, ways, arrays):
    """Return the memory of an agent without one."""
    return sampler


@kernel
def assemble_ring(sampler, ways, arrays):
    """Return a memory with its ways to sample, to store, to back up and to mix."""
    states, actions, rewards, next_states, terminal, rng = arrays[:RING]
    accounts = arrays[RING:]
    return Memory(
        states,
        actions,
        rewards,
        next_states,
        terminal,
        rng,
        equip(sampler, accounts),
        equip(ways.storage, accounts),
        ways.backup,
        ways.mixing,
    )


for _sampler in SAMPLERS.values():
    assemble_memory.member(_sampler)(assemble_ring)


@assemble_explorer.member(Plain)
@assemble_frozen.member(Plain)
@assemble_discoverer.member(Plain)
@kernel
def assemble_none(tag, arrays):
    """Return the memory of what is switched off."""
    return tag


@assemble_explorer.member(Guided)
@kernel
def assemble_guide(exploration, arrays):
    """Return what guided exploration remembers."""
    return Explorer(*arrays)


@assemble_frozen.member(Frozen)
@assemble_frozen.member(Double)
@kernel
def assemble_copy(bootstrap, arrays):
    """Return the copy that payoffs bootstrap on."""
    return FrozenRules(*arrays)


@assemble_discoverer.member(Extended)
@kernel
def assemble_evidence(discovery, arrays):
    """Return what rule discovery works with."""
    return Discoverer(*arrays)


@macro_kernel
def assemble_agent(arrays, traits):
    """Bundle the arrays of an agent."""
    population, nursery, scratch, params, state, rng, explorer, frozen, discoverer = arrays
    return Agent(
        Population(*population),
        Nursery(*nursery),
        Scratch(*scratch),
        params[0],
        state[0],
        rng,
        traits,
        assemble_explorer(traits.exploration, explorer),
        assemble_frozen(traits.bootstrap, frozen),
        assemble_discoverer(traits.discovery, discoverer),
    )


def plain(arrays: AgentArrays) -> tuple[Any, ...]:
    """Return the arrays as nested plain tuples, the form the doors take."""
    return tuple(tuple(part) if isinstance(part, tuple) else part for part in arrays)


class Ways(NamedTuple):
    """Which member of each family serves this memory; only the types matter."""

    sampler: Any
    storage: Any
    backup: Any
    mixing: Any


class Kinds(NamedTuple):
    """The classes whose types select an agent's kernels (instances of empty tuples are equal)."""

    condition: type
    prediction: type
    selection: type
    crossover: type
    exploration: type
    update: type
    bootstrap: type
    discovery: type
    sampler: type
    storage: type
    backup: type
    mixing: type

    def tags(self) -> tuple[Traits, Ways]:
        """Return the agent's traits, and its memory's."""
        tags = [kind() for kind in self]
        return Traits(*tags[:8]), Ways(*tags[8:])


@cache
def step_door(kinds: Kinds) -> Any:
    """Return `(arrays, ring, observation, scaling, reward, terminated, truncated) -> action`."""
    traits, ways = kinds.tags()

    @door
    def enter_step(arrays, ring, observation, scaling, reward, terminated, truncated):
        agent = assemble_agent(arrays, traits)
        memory = assemble_memory(ways.sampler, ways, ring)
        return step(agent, memory, observation, scaling, reward, terminated, truncated)

    return enter_step


@cache
def run_door(kind: type, kinds: Kinds) -> Any:
    """Return `(arrays, ring, world, recorder, steps)` that runs a compiled problem.

    The answer is False if a reward was no number that can be learned from: the run ends there.
    Each loop has a door of its own, which contains it.
    """
    traits, ways = kinds.tags()

    @door
    def enter_episodes(arrays, ring, world, recorder, steps):
        agent = assemble_agent(arrays, traits)
        memory = assemble_memory(ways.sampler, ways, ring)
        return run_episodes(agent, memory, world, recorder, steps)

    @door
    def enter_alternating(arrays, ring, world, recorder, steps):
        agent = assemble_agent(arrays, traits)
        memory = assemble_memory(ways.sampler, ways, ring)
        return run_alternating(agent, memory, world, recorder, steps)

    @door
    def enter_epsilon_greedy(arrays, ring, world, recorder, steps):
        agent = assemble_agent(arrays, traits)
        memory = assemble_memory(ways.sampler, ways, ring)
        return run_epsilon_greedy(agent, memory, world, recorder, steps)

    doors: dict[type, Any] = {
        Episodes: enter_episodes,
        Alternating: enter_alternating,
        EpsilonGreedy: enter_epsilon_greedy,
    }
    return doors[kind]


@cache
def play_door(kinds: Kinds) -> Any:
    """Return `(arrays, world, returns, lengths, episode, steps) -> the next episode`.

    It plays greedy episodes without learning.
    """
    traits, _ = kinds.tags()

    @door
    def enter_play(arrays, world, returns, lengths, episode, steps):
        agent = assemble_agent(arrays, traits)
        return play_greedily(agent, world, returns, lengths, episode, steps)

    return enter_play


@cache
def act_door(kinds: Kinds) -> Any:
    """Return `(arrays, observation, scaling, epsilon) -> action` or INVALID."""
    traits, _ = kinds.tags()

    @door
    def enter_act(arrays, observation, scaling, epsilon):
        agent = assemble_agent(arrays, traits)
        if not scale_observation(observation, scaling, agent.scratch.state, agent.params):
            return INVALID
        return act(agent, agent.scratch.state, epsilon)

    return enter_act


@kernel
def find_invalid(observations, scaling, agent):
    """Return the first row that is no valid observation, or -1."""
    for row in range(observations.shape[0]):
        if not scale_observation(
            observations[row], scaling, agent.scratch.next_state, agent.params
        ):
            return row
    return -1


@cache
def learn_door(kinds: Kinds) -> Any:
    """Return a door that learns from experiences in order.

    `(arrays, ring, scaling, first, last, observations, actions, rewards, next_observations,
    terminal)`; the last two are None if all experiences are terminal. Those from `first` up to
    `last` are learned from; if `first` is 0, all are looked at before. The answer is -1, or the
    first row with an invalid observation; then nothing was learned.
    """
    traits, ways = kinds.tags()

    @door
    def enter_learn(
        arrays,
        ring,
        scaling,
        first,
        last,
        observations,
        actions,
        rewards,
        next_observations,
        terminal,
    ):
        agent = assemble_agent(arrays, traits)
        memory = assemble_memory(ways.sampler, ways, ring)
        params, state = agent.params, agent.scratch.state
        invalid = -1
        if first == 0:
            invalid = find_invalid(observations, scaling, agent)
            if next_observations is not None and invalid < 0:
                invalid = find_invalid(next_observations, scaling, agent)
        if invalid >= 0:
            return invalid
        # These are not the actions that exploration decided on: each may be any.
        exploration, mark = agent.traits.exploration, last_mark(agent.traits.exploration, agent)
        set_last_mark(exploration, agent, UNKNOWN_MARK)
        for row in range(first, last):
            scale_observation(observations[row], scaling, state, params)
            if next_observations is None:
                form_covered_match_set(agent, state)
                finish_decision(memory, agent, state, actions[row], rewards[row])
            else:
                following, ended = agent.scratch.next_state, terminal[row]
                scale_observation(next_observations[row], scaling, following, params)
                value = 0.0 if ended else value_of(agent, following)
                form_covered_match_set(agent, state)
                finish_transition(
                    memory, agent, state, actions[row], rewards[row], following, ended, value
                )
        set_last_mark(exploration, agent, mark)
        return -1

    return enter_learn


@cache
def remember_door(kinds: Kinds) -> Any:
    """Return a door that stores experiences in order and learns nothing.

    Arguments and answer are those of `learn_door`; next observations must be given.
    """
    traits, ways = kinds.tags()

    @door
    def enter_remember(
        arrays,
        ring,
        scaling,
        first,
        last,
        observations,
        actions,
        rewards,
        next_observations,
        terminal,
    ):
        agent = assemble_agent(arrays, traits)
        memory = assemble_memory(ways.sampler, ways, ring)
        params, state, following = agent.params, agent.scratch.state, agent.scratch.next_state
        invalid = -1
        if first == 0:
            invalid = find_invalid(observations, scaling, agent)
            if invalid < 0:
                invalid = find_invalid(next_observations, scaling, agent)
        if invalid >= 0:
            return invalid
        exploration, mark = agent.traits.exploration, last_mark(agent.traits.exploration, agent)
        set_last_mark(exploration, agent, UNKNOWN_MARK)
        for row in range(first, last):
            scale_observation(observations[row], scaling, state, params)
            scale_observation(next_observations[row], scaling, following, params)
            store(memory, agent, state, actions[row], rewards[row], following, terminal[row])
        set_last_mark(exploration, agent, mark)
        return -1

    return enter_remember


@cache
def predict_door(prediction: type, space_class: type) -> Any:
    """Return `(arrays, space, observations, scaling, out) -> rows`: predictions of a batch.

    The answer is the number of rows before the first invalid one; only if there is none,
    all predictions are written. The agent's arrays are read and not changed.
    """
    tag = prediction()

    @door
    def enter_predict(arrays, space_arrays, observations, scaling, out):
        population, params = Population(*arrays[0]), arrays[3][0]
        space, n_rows = space_class(*space_arrays), observations.shape[0]
        size = space.states.shape[0]
        for first in range(0, n_rows, size):
            stop = min(first + size, n_rows)
            for row in range(first, stop):
                state = space.states[row - first]
                if not scale_observation(observations[row], scaling, state, params):
                    return row
            predict_states(space, tag, population, params, out[first:stop])
        return n_rows

    return enter_predict


@cache
def rebuild_door(kinds: Kinds) -> Any:
    """Return `(arrays)` that derives bounds, hashes and votes from alleles and rules."""
    traits, _ = kinds.tags()

    @door
    def enter_rebuild(arrays):
        agent = assemble_agent(arrays, traits)
        for action in range(agent.population.counts.shape[0]):
            first = action * agent.params.stride
            for place in range(first, first + agent.population.counts[action]):
                derive_columns(agent, place)

    return enter_rebuild
