"""Everything a kernel needs to act and to learn, bundled."""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from ruleplay.core._units import Table
from ruleplay.core.params import PARAMS, STATE
from ruleplay.core.population import CHUNK, RULE, Population, allocate_population, records

# What an agent does that has machine code of its own, and the types that it is given.
agent_units = Table()
STATE_VECTOR = types.float32[::1]
MEMBERS = types.uint32[::1]
RANDOM_STATE = types.uint64[::1]
INTEGER, FLOAT = types.int64, types.float64


class Nursery(NamedTuple):
    """Two rules in the making: a covered rule, or a pair of offspring."""

    rules: NDArray[np.void]  # RULE
    actions: NDArray[np.int64]
    alleles: NDArray[np.float32]  # (2, 2 * features)
    bounds: NDArray[np.float32]  # (2, 2 * features): lower bounds, then upper bounds
    bits: NDArray[np.uint32]  # the same memory as `bounds`, for hashing
    weights: NDArray[np.float64]  # (2, weights of a model)


class Scratch(NamedTuple):
    """Working space that carries nothing from one step to the next."""

    mask: NDArray[np.uint8]  # (stride,): which rules of a block match
    mask8: NDArray[np.uint64]  # the same memory, eight rules at a time
    members: NDArray[np.uint32]  # match set, grouped by action
    starts: NDArray[np.int64]  # (actions + 1,): where each action's members begin
    values: NDArray[np.float64]  # (actions,): prediction array, NaN where no rule matches
    shares: NDArray[np.float64]  # (stride,): accuracy shares of an action set
    lanes: NDArray[np.float32]  # (CHUNK,): votes summed by lane
    gains: NDArray[np.float64]  # (2, weights): V x and k of recursive least squares
    participation: NDArray[np.float64]  # (n_max + 3,): chance to enter a tournament, by num
    state: NDArray[np.float32]  # (features,): the current state
    cells: NDArray[np.uint8]  # (features,): a state in 256 steps
    previous: NDArray[np.float32]  # (features,): the state before
    next_state: NDArray[np.float32]  # (features,): a state looked at, not lived in


class Plain(NamedTuple):
    """Tag and memory of what goes beyond the paper, while it is off."""


class Traits(NamedTuple):
    """Which member of each family serves this agent; only the types matter."""

    condition: Any
    prediction: Any
    selection: Any
    crossover: Any
    exploration: Any = Plain()
    update: Any = Plain()
    bootstrap: Any = Plain()
    discovery: Any = Plain()


class Agent(NamedTuple):
    """A classifier system: rules, parameters, counters, random state."""

    calls: NDArray[np.int64]  # where the machine code of `agent_units` is
    population: Population
    nursery: Nursery
    scratch: Scratch
    params: Any  # record PARAMS
    state: Any  # record STATE
    rng: NDArray[np.uint64]
    scaling: NDArray[np.float64]  # (2, features): lower bounds and inverse ranges
    traits: Traits
    explorer: Any = Plain()  # what exploration remembers: nothing, or an Explorer
    frozen: Any = Plain()  # the copy that payoffs bootstrap on: none, or FrozenRules
    discoverer: Any = Plain()  # what discovery remembers: nothing, or a Discoverer


class AgentArrays(NamedTuple):
    """The memory of an agent, as the engine owns it (see `bundle_agent`)."""

    population: Population
    nursery: Nursery
    scratch: Scratch
    params: NDArray[np.void]
    state: NDArray[np.void]
    rng: NDArray[np.uint64]
    scaling: NDArray[np.float64]
    explorer: Any = ()
    frozen: Any = ()
    discoverer: Any = ()


def allocate_nursery(n_features: int, n_weights: int) -> Nursery:
    """Reserve room for two rules in the making."""
    bounds = np.zeros((2, 2 * n_features), np.float32)
    return Nursery(
        rules=records(RULE, 2),
        actions=np.zeros(2, np.int64),
        alleles=np.zeros((2, 2 * n_features), np.float32),
        bounds=bounds,
        bits=bounds.view(np.uint32),
        weights=np.zeros((2, n_weights), np.float64),
    )


def allocate_scratch(
    n_actions: int, n_features: int, stride: int, n_weights: int, tau: float
) -> Scratch:
    """Reserve working space; `tau` is the tournament fraction."""
    mask = np.zeros(stride, np.uint8)
    stay_out = np.cumprod(np.full(stride, 1.0 - tau))
    return Scratch(
        mask=mask,
        mask8=mask.view(np.uint64),
        members=np.zeros(n_actions * stride, np.uint32),
        starts=np.zeros(n_actions + 1, np.int64),
        values=np.zeros(n_actions, np.float64),
        shares=np.zeros(stride, np.float64),
        lanes=np.zeros(CHUNK, np.float32),
        gains=np.zeros((2, n_weights), np.float64),
        participation=np.concatenate([[0.0], 1.0 - stay_out]),
        state=np.zeros(n_features, np.float32),
        cells=np.zeros(n_features, np.uint8),
        previous=np.zeros(n_features, np.float32),
        next_state=np.zeros(n_features, np.float32),
    )


def allocate_agent(
    params: NDArray[np.void],
    scaling: NDArray[np.float64],
    model_size: tuple[int, int],
    tau: float,
    rng: NDArray[np.uint64],
) -> AgentArrays:
    """Reserve the memory of an agent with no rules.

    `model_size` says how many weights a rule's prediction has, and how many numbers its gain.
    """
    n_actions, stride = int(params["n_actions"][0]), int(params["stride"][0])
    n_features = scaling.shape[1]
    return AgentArrays(
        population=allocate_population(n_actions, n_features, stride, model_size),
        nursery=allocate_nursery(n_features, model_size[0]),
        scratch=allocate_scratch(n_actions, n_features, stride, model_size[0], tau),
        params=params,
        state=records(STATE, 1),
        rng=rng,
        scaling=scaling,
    )


def bundle_agent(arrays: AgentArrays, traits: Traits) -> Agent:
    """Return an agent over the engine's memory."""
    return Agent(
        calls=agent_units.reserve(),
        population=arrays.population,
        nursery=arrays.nursery,
        scratch=arrays.scratch,
        params=arrays.params[0],
        state=arrays.state[0],
        rng=arrays.rng,
        scaling=arrays.scaling,
        traits=traits,
        explorer=arrays.explorer or Plain(),
        frozen=arrays.frozen or Plain(),
        discoverer=arrays.discoverer or Plain(),
    )


def new_params() -> NDArray[np.void]:
    """Return one parameter record, all zero."""
    return records(PARAMS, 1)
