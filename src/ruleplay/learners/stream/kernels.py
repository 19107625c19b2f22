"""One compiled call per example: guess its class or quantity, then learn from it."""

from functools import cache
from typing import Any

import numpy as np

from ruleplay.compiler.bundles import view
from ruleplay.compiler.jit import entry, kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.core.covering import cover
from ruleplay.core.deletion import delete_one
from ruleplay.core.xcs import form_action_set, look_at
from ruleplay.engine.entry_points import Known
from ruleplay.engine.loop import INVALID, finish_transition, scale_observation
from ruleplay.envs.classification import RIGHT_REWARD


@kernel
def guess_class(values: Any, n_classes: Any) -> Any:
    """Return the class of largest system prediction, -1 if none has a rule."""
    best, guess = -np.inf, -1
    for action in range(n_classes):
        if values[action] > best:
            best, guess = values[action], action
    return guess


@kernel
def free_features(state: Any, masked: Any, share: Any, rng: Any) -> Any:
    """Write the state with features missing at random: covering leaves these free."""
    for k in range(state.shape[0]):
        masked[k] = np.nan if share > 0.0 and draw_uniform(rng) < share else state[k]


@kernel
def cover_class(agent: Any, state: Any, action: Any, share: Any) -> Any:
    """Make a rule for a class that has none for the state."""
    if form_action_set(agent, state, action) == 0:
        free_features(state, agent.scratch.next_state, share, agent.rng)
        cover(agent, agent.scratch.next_state, action)
        if agent.state.micro > agent.params.n_max:
            delete_one(agent)


@cache
def teach_entry(agent_layout: Known, memory_layout: Known) -> Any:
    """Return `(agent, memory, observation, answer, n_classes, share) -> guess`.

    The guess is made before learning; -1 is none, INVALID a refused observation. `share` is
    the probability that a covering rule leaves a feature free.
    """

    @entry
    def enter_teach(
        agent_at: Any, memory_at: Any, observation: Any, answer: Any, n_classes: Any, share: Any
    ) -> Any:
        agent, memory = view(agent_layout, agent_at), view(memory_layout, memory_at)
        state = agent.scratch.state
        if not scale_observation(agent, observation, state):
            return INVALID
        look_at(agent, state)
        guess = guess_class(agent.scratch.values, n_classes)
        for action in range(n_classes):
            cover_class(agent, state, action, share)
            reward = RIGHT_REWARD if action == answer else 0.0
            finish_transition(memory, agent, state, action, reward, state, True, 0.0)
        return guess

    return enter_teach


@cache
def teach_quantity_entry(agent_layout: Known, memory_layout: Known) -> Any:
    """Return `(agent, memory, observation, payoff, share) -> guess`.

    The guess is the prediction before learning; NaN where no rule matches, or for an observation
    that is refused. `share` is the probability that a covering rule leaves a feature free.
    """

    @entry
    def enter_teach_quantity(
        agent_at: Any, memory_at: Any, observation: Any, payoff: Any, share: Any
    ) -> Any:
        agent, memory = view(agent_layout, agent_at), view(memory_layout, memory_at)
        state = agent.scratch.state
        if not scale_observation(agent, observation, state):
            return np.nan
        look_at(agent, state)
        guess = agent.scratch.values[0]
        cover_class(agent, state, 0, share)
        finish_transition(memory, agent, state, 0, payoff, state, True, 0.0)
        return guess

    return enter_teach_quantity
