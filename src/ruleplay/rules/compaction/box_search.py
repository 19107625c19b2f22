"""Find a box in which another action gains most.

One feature at a time, the best values given those of the other features are found exactly (of
numbers the run with the largest sum, of categories those that gain), until no feature alone can be
improved.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.compaction.box_kernels import (
    centre_box,
    climb_box,
    count_bounds,
    loosen_box,
)

Vector = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Box = NDArray[np.bool_]  # (cells,): which cells of all features are allowed


class Grid(NamedTuple):
    """Observations as places in cells of each feature; all cells are numbered in one row.

    Numbers lie in one cell unless a number of few digits separates them, or they have few digits
    themselves: bounds between cells are what people read. Of unordered features each whole number
    from 0 on is a cell. The last cell of a feature is for missing values: a box allows it.
    """

    first: tuple[Vector, ...]  # of each feature, the smallest value in each cell
    last: tuple[Vector, ...]  # and the largest
    edges: Integers  # (features + 1,): the number of each feature's first cell
    places: NDArray[np.int32]  # (observations, features): the cell of each value
    digits: tuple[int, ...]  # decimals of each feature's bounds
    unordered: Flags  # (features,): whether any cells may be allowed together

    @classmethod
    def of(
        cls,
        observations: Vector,
        digits: Sequence[int],
        most: int | None = None,
        categories: Sequence[int] | None = None,
    ) -> "Grid":
        """Sort each feature's values into cells, numbers into `most` cells of like size.

        `categories` says how many each feature has, in any order; 0 of numbers.
        """
        counts = [0] * len(digits) if categories is None else categories
        first, last = [], []
        for column, decimals, count in zip(observations.T, digits, counts, strict=True):
            known = column[~np.isnan(column)]
            cells = (np.arange(float(count)),) * 2 if count else _cells(known, decimals, most)
            first.append(cells[0])
            last.append(cells[1])
        edges = np.cumsum([0, *(len(cells) + 1 for cells in first)])
        unordered = np.array(counts, np.int64) > 0
        empty = np.empty((0, len(digits)), np.int32)
        grid = cls(tuple(first), tuple(last), edges, empty, tuple(digits), unordered)
        return grid._replace(places=grid.locate(observations))

    def locate(self, observations: Vector) -> NDArray[np.int32]:
        """Return the cells in which observations lie, (observations, features)."""
        places = np.empty(observations.shape, np.int32)
        for k, column in enumerate(observations.T):
            # A value between two cells, which is none of the grid's own, lies in the next one.
            inside = np.minimum(np.searchsorted(self.last[k], column), len(self.last[k]) - 1)
            places[:, k] = self.edges[k] + np.where(np.isnan(column), len(self.last[k]), inside)
        return places

    def take(self, which: Flags | Integers) -> "Grid":
        """Return the same cells with some of the observations."""
        return self._replace(places=self.places[which])

    @property
    def whole(self) -> Box:
        """Return the box that contains everything."""
        return np.ones(self.edges[-1], np.bool_)

    def box(self, lower: Vector, upper: Vector, allowed: Flags | None = None) -> Box:
        """Return the cells that have values within bounds; of categories, those allowed."""
        box, start = self.whole, 0
        for k, (first, last) in enumerate(zip(self.first, self.last, strict=True)):
            if self.unordered[k]:
                if allowed is not None:
                    box[self._cells_of(k)] = allowed[start : start + len(first)]
                start += len(first)
            else:
                box[self._cells_of(k)] = (last >= lower[k]) & (first <= upper[k])
        return box

    def is_empty(self, box: Box) -> bool:
        """Tell whether a box allows no value of a feature."""
        return not all(box[self._cells_of(k)].any() for k in range(len(self.first)))

    def inside(self, box: Box) -> Flags:
        """Tell which observations a box contains."""
        inside: Flags = np.all(box[self.places], axis=1)
        return inside

    def n_bounds(self, box: Box) -> int:
        """Return how many bounds a box has, and how many categories must be named."""
        return int(count_bounds(box, self.edges, self.unordered))

    def climb(self, start: Box, gains: Vector, cost: float = 0.0) -> tuple[Box, float]:
        """Return a box that no feature alone improves, and its worth.

        That is the sum of gains in it, less the cost of each of its bounds.
        """
        box, rows, space = start.copy(), np.flatnonzero(gains), self._space()
        known = self.places[rows], gains[rows], self.edges, self.unordered
        return box, float(climb_box(*known, cost, box, *space))

    def centre(self, box: Box, gains: Vector) -> Box:
        """Return a box with each bound in the middle of the empty cells beside it.

        Observations without a gain count for nothing.
        """
        box, rows = box.copy(), np.flatnonzero(gains)
        centre_box(self.places[rows], gains[rows], self.edges, self.unordered, box, *self._space())
        return box

    def loosen(self, box: Box, gains: Vector, slack: float) -> tuple[Box, float]:
        """Open sides of a box while that costs at most a little each; fewer bounds to read."""
        box, rows, (closed, _, flags) = box.copy(), np.flatnonzero(gains), self._space()
        known = self.places[rows], gains[rows], self.edges, self.unordered
        return box, float(loosen_box(*known, slack, box, closed, flags))

    def bounds(self, box: Box) -> tuple[Vector, Vector]:
        """Return bounds between the values in and beside a box, open where nothing is beside.

        Categories have none: `allowed` says what a box has of them.
        """
        lower, upper = np.full(len(self.first), -np.inf), np.full(len(self.first), np.inf)
        for k, (first, last) in enumerate(zip(self.first, self.last, strict=True)):
            if self.unordered[k]:
                continue
            left, right = np.flatnonzero(box[self._cells_of(k)])[[0, -1]]
            if left > 0:
                lower[k] = self._bound(k, last[left - 1], first[left], at=first[left])
            if right < len(first) - 1:
                upper[k] = self._bound(k, last[right], first[right + 1], at=last[right])
        return lower, upper

    def allowed(self, box: Box) -> Flags:
        """Tell of each category of all features whether a box allows it."""
        parts = [box[self._cells_of(k)] for k in np.flatnonzero(self.unordered).tolist()]
        return np.concatenate([np.empty(0, np.bool_), *parts])

    def _bound(self, k: int, below: float, above: float, at: float) -> float:
        """Return a number of few digits between two values; if there is none, one of these."""
        found = roundest(below, above, self.digits[k])
        return found if round(found, self.digits[k]) == found else float(at)

    def _cells_of(self, k: int) -> slice:
        return slice(self.edges[k], self.edges[k + 1] - 1)

    def _space(self) -> tuple[Integers, Vector, Flags]:
        """Return working space of the kernels."""
        n_cells = int(self.edges[-1])
        return (
            np.empty(len(self.places), np.int64),
            np.empty(n_cells),
            np.empty((2, n_cells), np.bool_),
        )


def _cells(known: Vector, decimals: int, most: int | None) -> tuple[Vector, Vector]:
    """Return the smallest and the largest value in each cell of some numbers."""
    if not len(known):
        return np.zeros(1), np.zeros(1)
    values, counts = np.unique(known, return_counts=True)
    middle = np.round(values[:-1] + np.diff(values) / 2, decimals)
    is_short = np.round(values, decimals) == values
    parted = (values[:-1] < middle) & (middle < values[1:]) | (is_short[:-1] & is_short[1:])
    if most is not None:
        before = np.cumsum(counts) - counts
        groups = before * most // len(known)
        cell = np.concatenate([[0], np.cumsum(parted)])
        parted &= _first_of_each(cell, groups)[1:]
    return (
        values[np.concatenate([[True], parted])],
        values[np.concatenate([parted, [True]])],
    )


def _first_of_each(cells: Integers, groups: Integers) -> Flags:
    """Tell at which values a cell begins that is the first of its group."""
    starts = np.concatenate([[True], np.diff(cells) > 0])
    begun = groups[starts]
    firsts = starts.copy()
    firsts[starts] = np.concatenate([[True], np.diff(begun) > 0])
    return firsts


def roundest(below: float, above: float, most: int = 17) -> float:
    """Return a number of few decimals strictly between two others, near their middle.

    >>> roundest(0.1213, 0.1391)
    0.13
    """
    middle = below + (above - below) / 2
    rounded = [round(float(middle), digits) for digits in range(-6, most + 1)]
    return next((value for value in rounded if below < value < above), float(middle))
