"""A slow-moving copy of the rules, on which payoffs bootstrap.

A payoff contains a prediction, which the payoff changes: errors feed themselves. Predictions
of a copy that is renewed every `target_interval` learning steps stand still in between (after
the target network of Mnih et al., 2015). With double estimation the rules choose the action and
the copy says what it is worth, so that the largest of several noisy values is not believed
(van Hasselt, 2010). The copy is renewed when it is first asked in a new interval.
"""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.core._arrays import copy_values
from ruleplay.core._jit import kernel
from ruleplay.core.agent import Scratch
from ruleplay.core.arrays import PLACE, Array, allocate
from ruleplay.core.families import bootstrap
from ruleplay.core.matching import match_all
from ruleplay.core.population import CHUNK, RULE, Population, allocate_models, places_of
from ruleplay.core.prediction_array import (
    best_action,
    best_value,
    state_value,
    write_prediction_array,
)


class Frozen(NamedTuple):
    """Tag of payoffs that bootstrap on a copy."""


class Double(NamedTuple):
    """Tag of payoffs for which the rules choose and a copy predicts."""


class Voters(NamedTuple):
    """What a prediction array is made of, with other rules than the agent's own."""

    population: Population
    scratch: Scratch
    params: Any
    traits: Any


class FrozenRules(NamedTuple):
    """What predictions need of a population, as `Population` holds it."""

    rules: Annotated[NDArray[np.void], Array(RULE, (PLACE,), "what was known of each", True)]
    bounds: Annotated[NDArray[np.float32], Array("f4", (PLACE, "bounds"), "as there", True)]
    cells: Annotated[NDArray[np.uint8], Array("u1", ("bounds", PLACE), "as there")]
    weights: Annotated[NDArray[np.float64], Array("f8", (PLACE, "weights"), "as there", True)]
    counts: Annotated[NDArray[np.int64], Array("i8", ("actions",), "rules per action")]
    interval: Annotated[
        NDArray[np.int64], Array("i8", (1,), "number of the interval of the copy", True, fill=-1)
    ]


def allocate_frozen(sizes: Mapping[str, int]) -> FrozenRules:
    """Reserve an empty copy of a population."""
    weights = allocate_models(sizes)["weights"]
    frozen = allocate(FrozenRules, sizes, weights=weights)
    frozen.cells[0] = 255  # an empty place matches nothing
    return frozen


def cells_of(frozen: FrozenRules, places: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return what matching compares of the rules at some places, (2 * features, places)."""
    with np.errstate(invalid="ignore"):  # bounds from a file may be anything
        return (frozen.bounds[places].T * np.float32(255.0)).astype(np.uint8)


def derive_cells(frozen: FrozenRules, stride: int) -> None:
    """Derive what matching compares from the bounds (after loading)."""
    places = places_of(frozen.counts, stride)
    frozen.cells[:, places] = cells_of(frozen, places)


@kernel
def copy_block(population, frozen, first, before, count):
    """Copy the rules of one action; places that are no longer taken match nothing."""
    stop = first + (max(before, count) + CHUNK - 1) // CHUNK * CHUNK
    for k in range(population.cells.shape[0]):
        copy_values(population.cells[k, first:stop], frozen.cells[k, first:stop])
    for place in range(first, first + count):
        frozen.rules[place] = population.rules[place]
        copy_values(population.bounds[place], frozen.bounds[place])
        if frozen.weights.shape[0] > 0:
            copy_values(population.weights[place], frozen.weights[place])


@kernel
def renew(agent):
    """Copy the rules, unless that was done in the current interval."""
    population, frozen = agent.population, agent.frozen
    interval = agent.state.time // agent.params.target_interval
    if interval == frozen.interval[0]:
        return
    frozen.interval[0] = interval
    for action in range(population.counts.shape[0]):
        before, count = frozen.counts[action], population.counts[action]
        copy_block(population, frozen, action * agent.params.stride, before, count)
        frozen.counts[action] = count


@kernel
def ask_copy(agent, state):
    """Write the prediction array of the copy into `scratch.values`."""
    renew(agent)
    own, copy = agent.population, agent.frozen
    rules = Population(
        copy.rules,
        own.alleles,
        copy.bounds,
        copy.cells,
        own.votes,
        own.hashes,
        copy.weights,
        own.gain,
        copy.counts,
    )
    voters = Voters(rules, agent.scratch, agent.params, agent.traits)
    match_all(voters, state)
    write_prediction_array(voters, state)


@bootstrap.member(Frozen)
@kernel
def take_frozen_value(tag, agent, state):
    """Return max PA of the copy; that of the rules where the copy has none."""
    values = agent.scratch.values
    own = state_value(values, agent.params)
    ask_copy(agent, state)
    return best_value(values, own)


@bootstrap.member(Double)
@kernel
def take_double_value(tag, agent, state):
    """Return what the copy predicts for the action that the rules choose.

    V(s) = PA_copy(s, argmax PA(s)); max PA_copy(s) where the copy has no rule for that action;
    max PA(s) where it has no rule at all.
    """
    values = agent.scratch.values
    own, action = state_value(values, agent.params), best_action(values)
    ask_copy(agent, state)
    if action >= 0 and not np.isnan(values[action]):
        return values[action]
    return best_value(values, own)
