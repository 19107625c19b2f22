"""System predictions for many states at once, in tiles of rows.

A rule is compared with all rows of a tile before the next rule is looked at: its bounds
are read once per tile, and the rows' features, in columns of bytes, are compared many at
a time. A few rows are quicker one by one. Either way a row takes in its rules in
population order, as `build_prediction_array` does, so that all give the same bits; and
the working space is the caller's, so that threads may predict at the same time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import Family, inline_kernel, kernel
from ruleplay.core.basics.bits import lowest_flag, pack_flags, without_lowest_flag
from ruleplay.core.components.families import predict
from ruleplay.core.matching import cell_of, compare_cells, contains_state, write_cells
from ruleplay.core.state.population import CHUNK

TILE = 8 * CHUNK  # rows
FEW = 128  # rows up to which one by one is quicker
BLOCK = 16  # features between two looks whether any row is left

_ONE, _LAST = np.uint8(1), np.uint8(254)

# (space, tag, population, params, out): write the system predictions of the first rows of
# `space.states` into `out`, (rows, actions)
predict_states = Family("predict_states")


class Single(NamedTuple):
    """Working space for one row."""

    states: NDArray[np.float32]  # (1, features)
    cells: NDArray[np.uint8]  # (features,): the same in 256 steps
    mask: NDArray[np.uint8]  # (stride,): which rules of an action may contain the row
    mask8: NDArray[np.uint64]  # the same memory, eight rules at a time


class Tile(NamedTuple):
    """Working space for one tile of rows."""

    states: NDArray[np.float32]  # (TILE, features)
    cells: NDArray[np.uint8]  # (features, TILE): the same in 254 steps
    depth: NDArray[np.uint8]  # (TILE,): how far inside a rule a row lies (`measure_depth`)
    mask: NDArray[np.uint8]  # (TILE,): whether that is inside at all
    mask8: NDArray[np.uint64]  # the same memory, eight rows at a time
    sums: NDArray[np.float64]  # (TILE, 4): of p F, p, F and 1 over an action's matching rules


def allocate_space(rows: int, n_features: int, stride: int) -> Single | Tile:
    """Reserve the working space that suits a number of rows."""
    if rows <= FEW:
        mask = np.empty(stride, np.uint8)
        return Single(
            states=np.empty((1, n_features), np.float32),
            cells=np.empty(n_features, np.uint8),
            mask=mask,
            mask8=mask.view(np.uint64),
        )
    mask = np.empty(TILE, np.uint8)
    return Tile(
        states=np.zeros((TILE, n_features), np.float32),
        cells=np.zeros((n_features, TILE), np.uint8),
        depth=np.empty(TILE, np.uint8),
        mask=mask,
        mask8=mask.view(np.uint64),
        sums=np.empty((TILE, 4), np.float64),
    )


@inline_kernel
def mean_payoff(weighted, plain, total, count):
    """Return the mean weighted by fitness, the plain mean without any, NaN without rules."""
    if total > 0.0:
        return weighted / total
    return plain / count if count > 0 else np.nan


@predict_states.member(Single)
@kernel
def predict_single(space, tag, population, params, out):
    """Predict for one row, as `match_all` and `build_prediction_array` do."""
    state = space.states[0]
    write_cells(state, space.cells)
    for action in range(population.counts.shape[0]):
        first = action * params.stride
        chunks = (population.counts[action] + CHUNK - 1) // CHUNK
        compare_cells(population, space, state, first, chunks)
        weighted, plain, total, count = 0.0, 0.0, 0.0, 0
        for chunk in range(chunks):
            flags = pack_flags(space.mask8, 8 * chunk)
            while flags != 0:
                place = first + CHUNK * chunk + lowest_flag(flags)
                flags = without_lowest_flag(flags)
                if contains_state(population.bounds[place], state):
                    value = predict(tag, population, place, state, params)
                    fitness = population.rules[place].fitness
                    weighted += value * fitness
                    plain += value
                    total += fitness
                    count += 1
        out[0, action] = mean_payoff(weighted, plain, total, count)


@inline_kernel
def inner_cell(cell):
    """Return the cell, or its neighbour if it is the first or last: both sides have room."""
    return min(max(cell, _ONE), _LAST)


@inline_kernel
def fill_cells(tile, rows):
    """Derive what scans read of the tile's first rows."""
    for row in range(rows):
        for k in range(tile.states.shape[1]):
            tile.cells[k, row] = inner_cell(cell_of(tile.states[row, k]))


@inline_kernel
def excess(value, limit):
    """Return by how much a byte exceeds a limit, 0 if it does not."""
    return np.uint8(max(value, limit) - limit)


@inline_kernel
def measure_depth(population, tile, place, k, chunks):
    """Lower `tile.depth` to how far inside a rule's interval of feature k each row lies.

    In cells, counted from the ones just outside: 0 is outside, 1 in a bound's own cell,
    where only the exact bound can tell, more is inside.
    """
    n_features, depth, cells = tile.cells.shape[0], tile.depth, tile.cells[k]
    below = np.uint8(inner_cell(population.cells[k, place]) - _ONE)
    above = np.uint8(inner_cell(population.cells[n_features + k, place]) + _ONE)
    for chunk in range(chunks):
        start = CHUNK * chunk
        if k == 0:
            for j in range(CHUNK):
                cell = cells[start + j]
                depth[start + j] = min(excess(cell, below), excess(above, cell))
        else:
            for j in range(CHUNK):
                cell = cells[start + j]
                inside = min(excess(cell, below), excess(above, cell))
                depth[start + j] = min(depth[start + j], inside)


@inline_kernel
def deepest(tile, chunks):
    """Return the largest depth of any row."""
    largest = np.uint8(0)
    for j in range(chunks * CHUNK):
        largest = max(largest, tile.depth[j])
    return largest


@inline_kernel
def flag_rows(population, tile, place, chunks):
    """Flag the rows of the tile that the rule at a place may contain, in `tile.mask`."""
    for k in range(tile.cells.shape[0]):
        if k % BLOCK == BLOCK - 1 and deepest(tile, chunks) == 0:
            break
        measure_depth(population, tile, place, k, chunks)
    mask, depth = tile.mask, tile.depth
    for chunk in range(chunks):
        start = CHUNK * chunk
        for j in range(CHUNK):
            mask[start + j] = depth[start + j] > 0


@inline_kernel
def add_rule(tag, population, params, tile, place, chunks):
    """Add what the rule at a place predicts to the sums of the flagged rows it contains."""
    fitness, bounds, sums = population.rules[place].fitness, population.bounds[place], tile.sums
    for chunk in range(chunks):
        flags = pack_flags(tile.mask8, 8 * chunk)
        while flags != 0:
            row = CHUNK * chunk + lowest_flag(flags)
            flags = without_lowest_flag(flags)
            state = tile.states[row]
            if tile.depth[row] > 1 or contains_state(bounds, state):
                value = predict(tag, population, place, state, params)
                sums[row, 0] += value * fitness
                sums[row, 1] += value
                sums[row, 2] += fitness
                sums[row, 3] += 1.0


@predict_states.member(Tile)
@kernel
def predict_tile(tile, tag, population, params, out):
    """Predict for the rows of a tile, rule by rule."""
    sums, chunks = tile.sums, (out.shape[0] + CHUNK - 1) // CHUNK
    fill_cells(tile, out.shape[0])
    for action in range(population.counts.shape[0]):
        first = action * params.stride
        sums[:] = 0.0
        for place in range(first, first + population.counts[action]):
            flag_rows(population, tile, place, chunks)
            add_rule(tag, population, params, tile, place, chunks)
        for row in range(out.shape[0]):
            weighted, plain, total, count = sums[row, 0], sums[row, 1], sums[row, 2], sums[row, 3]
            out[row, action] = mean_payoff(weighted, plain, total, count)
