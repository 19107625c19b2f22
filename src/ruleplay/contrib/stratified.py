"""Stratified sampling: each visited part of the world has the same chance to be replayed.

States and actions are divided by a grid. A cell that holds any experience is drawn uniformly,
then one of its experiences: to be sent to places at random, within what is remembered
("virtual teletransportation"). Every operation takes constant time.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.config.fields import param
from ruleplay.contrib.grid import LARGEST_TABLE, cell_number, count_table_size
from ruleplay.contrib.pair_table import EMPTY, allocate_table, drop, find_row, put
from ruleplay.core.basics.rng import draw_below
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import Sampler

SETTINGS = {
    "strata_grid": param(8, at_least=1, later=True, doc="Cells per feature of stratified sampling.")
}

NOWHERE = np.int64(-1)
LEAST_CELLS = 1024  # that have a number of their own, in however small a memory


def most_cells(capacity: int) -> int:
    """Return how many cells may have a number of their own; more of them share numbers."""
    return min(LARGEST_TABLE, max(LEAST_CELLS, 1 << (2 * capacity).bit_length()))


def strata(settings: Any, sizes: Sizes) -> tuple[int, bool]:
    """Return how many cells are told apart, and whether each has its own number."""
    grid, limit = settings.strata_grid, most_cells(sizes.capacity)
    return count_table_size(grid, sizes.n_features, sizes.n_actions, limit)


@kernel
def find_cells(sampler, cells, states, actions, n_actions):
    """Write the cell of each experience."""
    grid, is_direct, n_cells = sampler.grid, sampler.is_direct, sampler.counts.shape[0]
    for k in range(cells.shape[0]):
        cells[k] = cell_number(states[k], actions[k], grid, is_direct, n_actions, n_cells)


@inline_kernel
def key_of(sampler, cell, position):
    """Return the key of a place in a cell's list."""
    return cell * sampler.cells.shape[0] + position


@kernel
def sample_by_cell(sampler, memory, size, rng):
    """Draw a cell in use, then one of its experiences."""
    cell = sampler.opened[draw_below(sampler.open[0], rng)]
    position = draw_below(sampler.counts[cell], rng)
    return sampler.table[find_row(sampler.table, key_of(sampler, cell, position)), 1]


@kernel
def take_out(sampler, slot):
    """Remove a slot from its cell's list; the last one takes its place."""
    cell, position = sampler.cells[slot], sampler.positions[slot]
    last = sampler.counts[cell] - 1
    sampler.counts[cell] = last
    last_key = key_of(sampler, cell, last)
    moved = sampler.table[find_row(sampler.table, last_key), 1]
    put(sampler.table, key_of(sampler, cell, position), moved)
    sampler.positions[moved] = position
    drop(sampler.table, last_key)
    if last == 0:
        sampler.open[0] -= 1
        number, other = sampler.numbers[cell], sampler.opened[sampler.open[0]]
        sampler.opened[number] = other
        sampler.numbers[other] = number


@kernel
def put_in(sampler, slot, cell):
    """Append a slot to a cell's list."""
    position = sampler.counts[cell]
    if position == 0:
        sampler.numbers[cell] = sampler.open[0]
        sampler.opened[sampler.open[0]] = cell
        sampler.open[0] += 1
    sampler.counts[cell] = position + 1
    sampler.cells[slot] = cell
    sampler.positions[slot] = position
    put(sampler.table, key_of(sampler, cell, position), slot)


@kernel
def sort_in(sampler, memory, slot, params):
    """Move a slot from the cell of its former experience to that of the new one."""
    if sampler.cells[slot] != NOWHERE:
        take_out(sampler, slot)
    here = slice(slot, slot + 1)
    states, actions = memory.states[here], memory.actions[here]
    find_cells(sampler, sampler.cells[here], states, actions, params.n_actions)
    put_in(sampler, slot, sampler.cells[slot])


@Sampler.register("stratified", settings=SETTINGS, sample=sample_by_cell, note_stored=sort_in)
class Stratified(NamedTuple):
    """Stratified sampling, and its accounts.

    The experiences of a cell are numbered from 0, and so are the cells that have any.
    """

    cells: Any = ()  # (capacity,): the cell of each slot, or NOWHERE
    positions: Any = ()  # (capacity,): the number of each slot within its cell
    opened: Any = ()  # (capacity,): the cells that have any, by their number
    counts: Any = ()  # (cells,): how many experiences a cell holds
    numbers: Any = ()  # (cells,): the number of a cell that holds any
    table: Any = ()  # from cell and position to the slot
    open: Any = ()  # (1,): how many cells hold any
    grid: int = 1  # cells per feature
    is_direct: int = 1  # whether every cell and action has a number, or they are hashed (0)

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> "Stratified":
        """Reserve accounts of an empty memory."""
        capacity, (n_cells, is_direct) = sizes.capacity, strata(settings, sizes)
        return cls(
            cells=np.full(capacity, NOWHERE),
            positions=np.zeros(capacity, np.int64),
            opened=np.zeros(capacity, np.int64),
            counts=np.zeros(n_cells, np.int64),
            numbers=np.zeros(n_cells, np.int64),
            table=allocate_table(capacity),
            open=np.zeros(1, np.int64),
            grid=settings.strata_grid,
            is_direct=int(is_direct),
        )

    def slots(self) -> tuple[NDArray[Any], ...]:
        """Return the accounts per slot from which, with the memory, the others follow."""
        return self.positions, self.opened

    def whole(self) -> tuple[NDArray[Any], ...]:
        """Return the accounts that belong to no slot."""
        return ()

    def adopt(
        self, other: "Stratified", slots: NDArray[np.int64], memory: Any, params: Any
    ) -> None:
        """Sort in the experiences anew that now are in the first slots, one after another."""
        self._clear()
        cells = self.cells[: len(slots)]
        find_cells(self, cells, memory.states, memory.actions, int(params["n_actions"]))
        for slot, cell in enumerate(cells.tolist()):
            put_in(self, slot, cell)

    def restore(self, memory: Any, size: int, params: Any) -> None:
        """Derive all accounts from those per slot, if these can be right."""
        self._clear()
        n_actions = int(params["n_actions"])
        find_cells(self, self.cells[:size], memory.states, memory.actions, n_actions)
        if not self._is_numbered(size):
            return
        self.counts[:] = np.bincount(self.cells[:size], minlength=len(self.counts))
        self.open[0] = n_open = np.count_nonzero(self.counts)
        self.numbers[self.opened[:n_open]] = np.arange(n_open)
        for slot in range(size):
            put(self.table, self._key(slot), slot)

    def faults(self, memory: Any, stored: int, params: Any) -> list[str]:
        """Return a sentence for each thing that does not hold of the accounts."""
        size = min(stored, len(memory.actions))
        cells = np.zeros(size, np.int64)
        find_cells(self, cells, memory.states, memory.actions, int(params["n_actions"]))
        if not (np.array_equal(cells, self.cells[:size]) and self._is_numbered(size)):
            return ["experiences must be numbered within their cells, and so must the cells"]
        counts = np.bincount(cells, minlength=len(self.counts))
        n_open = np.count_nonzero(counts)
        right = self.open[0] == n_open and np.array_equal(counts, self.counts)
        right &= np.array_equal(self.numbers[self.opened[:n_open]], np.arange(n_open))
        right &= np.count_nonzero(self.table[:, 0] != EMPTY) == size
        rows = [find_row(self.table, self._key(slot)) for slot in range(size)]
        right &= np.array_equal(self.table[rows, 1], np.arange(size))
        return [] if right else ["cells must list the experiences that lie in them"]

    def _clear(self) -> None:
        self.cells[:], self.table[:, 0] = NOWHERE, EMPTY
        self.counts[:], self.open[0] = 0, 0

    def _key(self, slot: int) -> Any:
        return self.cells[slot] * len(self.cells) + self.positions[slot]

    def _is_numbered(self, size: int) -> bool:
        """Tell whether positions and opened cells fit the cells of the experiences."""
        cells, positions = self.cells[:size], self.positions[:size]
        order = np.lexsort((positions, cells))
        present, first, count = np.unique(cells[order], return_index=True, return_counts=True)
        expected = np.arange(size) - np.repeat(first, count)
        listed = np.sort(self.opened[: len(present)])
        return np.array_equal(positions[order], expected) and np.array_equal(listed, present)
