"""The population as a struct of arrays.

Rules are grouped by action: action a owns the places from a * stride on, the first
counts[a] of them are taken. Untaken places cost no memory until they are first used.
What an update touches together lies together (`rules`, one cache line a rule); what a
scan over all rules reads lies in columns (`cells`, `votes`, `hashes`).
"""

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from ruleplay.core.described import (
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

    rules: NDArray[np.void]  # RULE
    alleles: NDArray[np.float32]  # (place, 2 * features): the genotype
    bounds: NDArray[np.float32]  # (place, 2 * features): lower bounds, then upper bounds
    cells: NDArray[np.uint8]  # (2 * features, place): the same in 256 steps, for matching
    votes: NDArray[np.float32]  # (4, place): what deletion votes are made of (`refresh_vote`)
    hashes: NDArray[np.uint32]  # of the bounds, to find an identical rule
    weights: NDArray[np.float64]  # (place, weights of a model): none for scalar predictions
    gain: NDArray[np.float64]  # (place, numbers of its gain matrix): the same
    counts: NDArray[np.int64]  # (action,): rules per action


def stride_for(n_max: int) -> int:
    """Return the places per action: N_max, two offspring in transit, up to a whole chunk."""
    return (n_max + 2 + CHUNK - 1) // CHUNK * CHUNK


def places_of(counts: NDArray[np.int64], stride: int) -> NDArray[np.int64]:
    """Return the places that are taken by so many rules per action, in population order."""
    blocks = [action * stride + np.arange(count) for action, count in enumerate(counts)]
    return np.concatenate(blocks)


def records(dtype: np.dtype[np.void], count: int) -> NDArray[np.void]:
    """Return zeroed records whose fields kernels read as attributes, compiled or not."""
    array = np.zeros(count, dtype)
    interpreted = getattr(numba.config, "DISABLE_JIT", 0)
    return array.view(np.recarray) if interpreted else array


def allocate_population(
    n_actions: int, n_features: int, stride: int, model_size: tuple[int, int]
) -> Population:
    """Reserve an empty population."""
    places = n_actions * stride
    weights, gains = model_size
    modelled = places if weights else 0
    cells = np.zeros((2 * n_features, places), np.uint8)
    cells[0] = 255  # an empty place matches nothing: its lower bound exceeds its upper bound
    return Population(
        rules=records(RULE, places),
        alleles=np.zeros((places, 2 * n_features), np.float32),
        bounds=np.zeros((places, 2 * n_features), np.float32),
        cells=cells,
        votes=np.zeros((4, places), np.float32),
        hashes=np.zeros(places, np.uint32),
        weights=np.zeros((modelled, weights), np.float64),
        gain=np.zeros((modelled, gains), np.float64),
        counts=np.zeros(n_actions, np.int64),
    )
