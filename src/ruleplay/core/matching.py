"""Which rules contain a state."""

import numpy as np

from ruleplay.compiler.jit import ZERO, inline_kernel
from ruleplay.core.basics.bits import lowest_flag, pack_flags, without_lowest_flag
from ruleplay.core.state.population import CHUNK

# Features compared over all rules; the few rules that pass are then compared exactly.
DENSE_FEATURES = 256


@inline_kernel
def cell_of(value):
    """Return which of 256 steps a value of [0, 1] lies in; never decreases with the value."""
    return np.uint8(value * np.float32(255.0))


@inline_kernel
def contains_state(bounds, state):
    """Tell whether a box, given by lower, then upper bounds, contains the state.

    Every interval contains NaN, a missing value.
    """
    n_features = state.shape[0]
    for k in range(n_features):
        if state[k] < bounds[k] or state[k] > bounds[n_features + k]:
            return False
    return True


@inline_kernel
def compare_cells(population, scratch, state, first, chunks):
    """Flag the rules of one action that may contain the state, in `scratch.mask`.

    Bounds rounded to bytes are compared a chunk of places at a time, which compiles to a
    few vector instructions. Rounding never separates what matches: an unflagged rule does
    not contain the state, and neither does an empty place, whose first bounds are crossed.
    """
    mask, size, n_features = scratch.mask, chunks * CHUNK, state.shape[0]
    for k in range(min(n_features, DENSE_FEATURES)):
        x = scratch.cells[k]
        low = population.cells[k, first : first + size]
        high = population.cells[n_features + k, first : first + size]
        for chunk in range(chunks):
            start = CHUNK * chunk
            if k == 0 and np.isnan(state[0]):
                for j in range(CHUNK):
                    mask[start + j] = low[start + j] <= high[start + j]
            elif k == 0:
                for j in range(CHUNK):
                    mask[start + j] = (low[start + j] <= x) & (x <= high[start + j])
            elif not np.isnan(state[k]):
                for j in range(CHUNK):
                    mask[start + j] &= (low[start + j] <= x) & (x <= high[start + j])


@inline_kernel
def match_block(population, scratch, state, first, count, found):
    """Append the rules of one action that contain the state; return the new total."""
    chunks = (count + CHUNK - 1) // CHUNK
    compare_cells(population, scratch, state, first, chunks)
    for chunk in range(chunks):
        flags = pack_flags(scratch.mask8, 8 * chunk)
        base = first + CHUNK * chunk
        while flags != 0:
            place = base + lowest_flag(flags)
            flags = without_lowest_flag(flags)
            if contains_state(population.bounds[place], state):
                scratch.members[found] = place
                found += 1
    return found


@inline_kernel
def write_cells(state, cells):
    """Round a state to bytes; those of missing values are not read."""
    for k in range(state.shape[0]):
        if not np.isnan(state[k]):
            cells[k] = cell_of(state[k])


@inline_kernel
def match_all(agent, state):
    """Form the match set [M] in `scratch.members`; return how many actions are present."""
    population, scratch, stride = agent.population, agent.scratch, agent.params.stride
    found, present = ZERO, ZERO
    write_cells(state, scratch.cells)
    scratch.starts[0] = 0
    for action in range(population.counts.shape[0]):
        before = found
        count = population.counts[action]
        found = match_block(population, scratch, state, action * stride, count, found)
        scratch.starts[action + 1] = found
        present += found > before
    return present


@inline_kernel
def match_action(agent, state, action):
    """Form the action set [A] in `scratch.members`; return its number of rules."""
    first, count = action * agent.params.stride, agent.population.counts[action]
    write_cells(state, agent.scratch.cells)
    return match_block(agent.population, agent.scratch, state, first, count, ZERO)
