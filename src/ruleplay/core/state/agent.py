"""Everything a kernel needs to act and to learn, bundled."""

from typing import Annotated, Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from ruleplay.compiler.units import Table
from ruleplay.core.components.registry import Sizes
from ruleplay.core.state.arrays import PLACE, SLOT, Array, allocate
from ruleplay.core.state.counters import STATE
from ruleplay.core.state.described import SLACK
from ruleplay.core.state.population import CHUNK, RULE, Population, allocate_population, stride_for

# What an agent does that has machine code of its own, and the types that it is given.
agent_units = Table(
    form_covered_match_set="ruleplay.core.covering",
    build_prediction_array="ruleplay.core.prediction_array",
    look_at="ruleplay.core.xcs",
    form_action_set="ruleplay.core.xcs",
    learn_from_set="ruleplay.core.xcs",
    insert_child="ruleplay.core.insertion",
    delete_one="ruleplay.core.deletion",
)
STATE_VECTOR = types.float32[::1]
MEMBERS = types.uint32[::1]
RANDOM_STATE = types.uint64[::1]
INTEGER, FLOAT = types.int64, types.float64


class Nursery(NamedTuple):
    """Two rules in the making: a covered rule, or a pair of offspring."""

    rules: Annotated[NDArray[np.void], Array(RULE, (2,), "what is known of them")]
    actions: Annotated[NDArray[np.int64], Array("i8", (2,), "what they advocate")]
    alleles: Annotated[NDArray[np.float32], Array("f4", (2, "bounds"), "the genotype")]
    bounds: Annotated[NDArray[np.float32], Array("f4", (2, "bounds"), "lower, then upper bounds")]
    bits: Annotated[
        NDArray[np.uint32], Array("u4", (2, "bounds"), "the same, for hashing", view_of="bounds")
    ]
    weights: Annotated[NDArray[np.float64], Array("f8", (2, "weights"), "of their models")]


class Scratch(NamedTuple):
    """Working space that carries nothing from one step to the next, but for `previous`."""

    mask: Annotated[NDArray[np.uint8], Array("u1", ("stride",), "which rules of a block match")]
    mask8: Annotated[
        NDArray[np.uint64], Array("u8", ("stride",), "eight rules at a time", view_of="mask")
    ]
    members: Annotated[NDArray[np.uint32], Array("u4", (PLACE,), "match set, grouped by action")]
    starts: Annotated[
        NDArray[np.int64], Array("i8", ("actions + 1",), "where each action's members begin")
    ]
    values: Annotated[
        NDArray[np.float64],
        Array("f8", ("actions",), "prediction array, NaN where no rule matches"),
    ]
    shares: Annotated[
        NDArray[np.float64], Array("f8", ("stride",), "accuracy shares of an action set")
    ]
    lanes: Annotated[NDArray[np.float32], Array("f4", (CHUNK,), "votes summed by lane")]
    gains: Annotated[
        NDArray[np.float64], Array("f8", (3, "weights"), "V x, k and x of recursive least squares")
    ]
    participation: Annotated[
        NDArray[np.float64], Array("f8", ("stride + 1",), "chance to enter a tournament, by num")
    ]
    state: Annotated[NDArray[np.float32], Array("f4", ("features",), "the current state")]
    cells: Annotated[NDArray[np.uint8], Array("u1", ("features",), "a state in 256 steps")]
    previous: Annotated[
        NDArray[np.float32], Array("f4", ("features",), "the state before", saved=True)
    ]
    next_state: Annotated[
        NDArray[np.float32], Array("f4", ("features",), "a state looked at, not lived in")
    ]


class Traits(NamedTuple):
    """The component of each seam that serves this agent."""

    condition: Any
    prediction: Any
    selection: Any
    crossover: Any
    exploration: Any
    update: Any
    bootstrap: Any
    discovery: Any


class Agent(NamedTuple):
    """A classifier system: rules, parameters, counters, random state."""

    calls: NDArray[np.int64]  # where the machine code of `agent_units` is
    population: Population
    nursery: Nursery
    scratch: Scratch
    params: Any  # the settings, a record
    state: Any  # record STATE
    rng: NDArray[np.uint64]
    scaling: NDArray[np.float64]  # (2, features): lower bounds and inverse ranges
    traits: Traits


class AgentArrays(NamedTuple):
    """The memory of an agent, as the engine owns it (see `bundle_agent`), in the order of files."""

    population: Population
    nursery: Nursery
    params: NDArray[np.void]  # (1,): the settings, as kernels read them
    state: Annotated[NDArray[np.void], Array(STATE, (1,), "what changes, number by number", True)]
    scratch: Scratch
    rng: Annotated[NDArray[np.uint64], Array("u8", (4,), "the agent's random state", saved=True)]
    env_rng: Annotated[NDArray[np.uint64], Array("u8", (4,), "the environment's", saved=True)]
    scaling: Annotated[
        NDArray[np.float64], Array("f8", (2, "features"), "lower bounds and inverse ranges")
    ]


def words_of(sizes: Sizes) -> dict[str, int]:
    """Return the sizes that shapes speak of, by the words for them."""
    stride = stride_for(sizes.population_size)
    return {
        PLACE: sizes.n_actions * stride,
        SLOT: sizes.capacity,
        "stride": stride,
        "stride + 1": stride + 1,
        "actions": sizes.n_actions,
        "actions + 1": sizes.n_actions + 1,
        "features": sizes.n_features,
        "bounds": 2 * sizes.n_features,
        "weights": sizes.n_weights,
        "gains": sizes.n_gains,
    }


def allocate_agent(
    params: NDArray[np.void],
    scaling: NDArray[np.float64],
    sizes: Sizes,
    tau: float,
    rng: NDArray[np.uint64],
    env_rng: NDArray[np.uint64],
) -> AgentArrays:
    """Reserve the memory of an agent with no rules; `tau` is the tournament fraction."""
    words = words_of(sizes)
    stay_out = np.cumprod(np.full(words["stride"], 1.0 - tau))
    participation = np.concatenate([[0.0], 1.0 - stay_out])
    return allocate(
        AgentArrays,
        words,
        population=allocate_population(words),
        nursery=allocate(Nursery, words),
        scratch=allocate(Scratch, words, participation=participation),
        params=params,
        rng=rng,
        env_rng=env_rng,
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
    )


def limits_of_rules(agent: Agent) -> dict[str, float]:
    """Return the bounds of rules' numbers that only an agent knows, by the words for them."""
    n_max = int(agent.params["n_max"])
    return {
        "n_max": n_max + SLACK,
        "set_size": n_max + 2 + SLACK,  # two offspring may be in transit
        "clock": int(agent.state["clock"]),
        "last_action": int(agent.params["n_actions"]) - 1,
    }
