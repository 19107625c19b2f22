"""A hash table from pairs of whole numbers to whole numbers, in one array.

Row p of the array is (key, value); empty rows have the key -1. A key is looked for from its
home row on; removal closes the gap, so that no row in between is ever empty.
"""

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.contrib.grid import spread

EMPTY = np.int64(-1)


def allocate_table(count: int) -> NDArray[np.int64]:
    """Return an empty table for `count` entries, which fill half of its rows at most."""
    return np.full((1 << count.bit_length() + 1, 2), EMPTY)


@inline_kernel
def home_of(table, key):
    """Return the row where the search for a key begins."""
    return np.int64(spread(np.uint64(key)) & np.uint64(table.shape[0] - 1))


@inline_kernel
def find_row(table, key):
    """Return the row of a key, or the empty one where it belongs."""
    row = home_of(table, key)
    while table[row, 0] != key and table[row, 0] != EMPTY:
        row = (row + 1) & (table.shape[0] - 1)
    return row


@inline_kernel
def put(table, key, value):
    """Enter a key or change its value."""
    row = find_row(table, key)
    table[row, 0] = key
    table[row, 1] = value


@kernel
def drop(table, key):
    """Remove a key, which must be in the table; move up the keys that collided with it."""
    mask = table.shape[0] - 1
    gap = find_row(table, key)
    row = (gap + 1) & mask
    while table[row, 0] != EMPTY:
        home = home_of(table, table[row, 0])
        if ((row - home) & mask) >= ((row - gap) & mask):
            table[gap, 0] = table[row, 0]
            table[gap, 1] = table[row, 1]
            gap = row
        row = (row + 1) & mask
    table[gap, 0] = EMPTY
