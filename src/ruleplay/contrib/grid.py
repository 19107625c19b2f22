"""A coarse grid over states and actions: which cell an experience lies in."""

import numpy as np

from ruleplay.compiler.jit import inline_kernel

LARGEST_TABLE = 1 << 20  # cells with a number of their own

_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # an odd number with no pattern in its bits
_HALF = np.uint64(32)


def count_table_size(
    grid: int, n_features: int, n_actions: int, largest: int = LARGEST_TABLE
) -> tuple[int, bool]:
    """Return how many numbers there are, and whether each cell and action has its own."""
    size = n_actions
    for _ in range(n_features):
        size *= grid
        if size > largest:
            return largest, False
    return size, True


@inline_kernel
def spread(key):
    """Return a 64-bit key with its bits mixed."""
    key = (key ^ (key >> _HALF)) * _SPREAD
    return key ^ (key >> _HALF)


@inline_kernel
def cell_number(state, action, grid, is_direct, n_actions, table_size):
    """Return the number of a state's grid cell and an action; a missing value is in cell 0."""
    factor = np.uint64(grid) if is_direct != 0 else _SPREAD
    key = np.uint64(0)
    for k in range(state.shape[0]):
        cell = np.uint64(0)
        if not np.isnan(state[k]):
            cell = np.uint64(min(np.int64(state[k] * grid), grid - 1))
        key = key * factor + cell
    key = key * np.uint64(n_actions) + np.uint64(action)
    if is_direct == 0:
        key = spread(key)
    return np.int64(key % np.uint64(table_size))
