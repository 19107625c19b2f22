"""The population as a struct of arrays.

Rules are grouped by action: action a owns the places from a * stride on, the first
counts[a] of them are taken. Untaken places cost no memory until they are first used.
What an update touches together lies together (`rules`, one cache line a rule); what a
scan over all rules reads lies in columns (`cells`, `votes`, `hashes`).
"""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.core.state.arrays import PLACE, Array, allocate
from ruleplay.core.state.described import (
    LARGEST_ERROR,
    LARGEST_PAYOFF,
    LARGEST_TIME,
    SLACK,
    Field,
    Fields,
    record_type,
)

CHUNK = 64  # places are reserved, and scanned, in chunks of this size

ESTIMATES: Fields = (
    Field("prediction", "f8", -LARGEST_PAYOFF, LARGEST_PAYOFF, "payoff expected (scalar models)"),
    Field("error", "f8", 0, LARGEST_ERROR, "mean distance of payoffs from predictions"),
    Field("fitness", "f8", 0, "n_max", "share of the accuracy of its action sets"),
    Field("set_size", "f8", 1 - SLACK, "set_size", "mean size of its action sets"),
    Field("volume", "f8", 0, 1, "share of the space that its box takes"),
    Field("experience", "i8", 0, LARGEST_TIME, "action sets it was in"),
    Field("time_stamp", "i8", 0, "clock", "when its set last bred, or it was made"),
    Field("numerosity", "i8", 1, "n_max", "microclassifiers it stands for"),
)
RULE = record_type(ESTIMATES)


class Population(NamedTuple):
    """All rules; every array but `counts` has one entry per place."""

    rules: Annotated[
        NDArray[np.void], Array(RULE, (PLACE,), "what is known of each rule", saved=True)
    ]
    alleles: Annotated[
        NDArray[np.float32], Array("f4", (PLACE, "bounds"), "the genotype", saved=True)
    ]
    bounds: Annotated[
        NDArray[np.float32], Array("f4", (PLACE, "bounds"), "lower bounds, then upper bounds")
    ]
    cells: Annotated[
        NDArray[np.uint8], Array("u1", ("bounds", PLACE), "the same in 256 steps, for matching")
    ]
    votes: Annotated[
        NDArray[np.float32],
        Array("f4", (4, PLACE), "what deletion votes are made of (`refresh_vote`)"),
    ]
    hashes: Annotated[
        NDArray[np.uint32], Array("u4", (PLACE,), "of the bounds, to find an identical rule")
    ]
    weights: Annotated[
        NDArray[np.float64], Array("f8", (PLACE, "weights"), "of the model", saved=True)
    ]
    gain: Annotated[
        NDArray[np.float64], Array("f8", (PLACE, "gains"), "of its least squares", saved=True)
    ]
    counts: Annotated[NDArray[np.int64], Array("i8", ("actions",), "rules per action")]


def stride_for(n_max: int) -> int:
    """Return the places per action: N_max, two offspring in transit, up to a whole chunk."""
    return (n_max + 2 + CHUNK - 1) // CHUNK * CHUNK


def places_of(counts: NDArray[np.int64], stride: int) -> NDArray[np.int64]:
    """Return the places that are taken, given the rules per action, in population order."""
    blocks = [action * stride + np.arange(count) for action, count in enumerate(counts)]
    return np.concatenate(blocks)


def allocate_population(sizes: Mapping[str, int]) -> Population:
    """Reserve an empty population; rules without models have no room for any."""
    models = allocate_models(sizes)
    population = allocate(Population, sizes, **models)
    population.cells[0] = 255  # an empty place matches nothing: its lower bound exceeds its upper
    return population


def allocate_models(sizes: Mapping[str, int]) -> dict[str, NDArray[np.float64]]:
    """Return `weights` and `gain`, without any place if there are none."""
    places = sizes[PLACE] if sizes["weights"] else 0
    return {
        "weights": np.zeros((places, sizes["weights"])),
        "gain": np.zeros((places, sizes["gains"])),
    }
