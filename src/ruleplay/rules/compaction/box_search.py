"""Find a box in which another action gains most.

One feature at a time, the best interval given those of the other features is found exactly
(the run of values with the largest sum), until no feature's interval can be improved.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Integers = NDArray[np.int64]
Box = NDArray[np.int64]  # (features, 2): first and last place in each feature's grid


class Grid(NamedTuple):
    """Observations as places in cells, in order, of each feature.

    Values lie in one cell unless a number of few digits separates them: bounds between
    cells are what people read.
    """

    first: tuple[Vector, ...]  # of each feature, the smallest value in each cell
    last: tuple[Vector, ...]  # and the largest
    places: NDArray[np.int32]  # (features, observations)
    digits: tuple[int, ...]  # decimals of each feature's bounds

    @classmethod
    def of(cls, observations: Vector, digits: tuple[int, ...]) -> "Grid":
        """Sort each feature's values into cells."""
        first, last, places = [], [], []
        for column, decimals in zip(observations.T, digits, strict=True):
            values, place = np.unique(column, return_inverse=True)
            middle = np.round(values[:-1] + np.diff(values) / 2, decimals)
            parted = (values[:-1] < middle) & (middle < values[1:])
            first.append(values[np.concatenate([[True], parted])])
            last.append(values[np.concatenate([parted, [True]])])
            places.append(np.concatenate([[0], np.cumsum(parted)])[place])
        return cls(tuple(first), tuple(last), np.array(places, np.int32), digits)

    @property
    def whole(self) -> Box:
        """Return the box that contains everything."""
        return np.array([[0, len(cells) - 1] for cells in self.first])

    def box(self, lower: Vector, upper: Vector) -> Box:
        """Return the places within bounds; an empty interval ends before it begins."""
        return np.array(
            [
                [np.searchsorted(last, low), np.searchsorted(first, high, "right") - 1]
                for first, last, low, high in zip(self.first, self.last, lower, upper, strict=True)
            ]
        )

    def inside(self, box: Box) -> NDArray[np.bool_]:
        """Tell which observations a box contains."""
        inside: NDArray[np.bool_] = np.logical_and.reduce(self._within(box))
        return inside

    def _within(self, box: Box) -> NDArray[np.bool_]:
        return (self.places >= box[:, :1]) & (self.places <= box[:, 1:])

    def climb(self, start: Box, gains: Vector) -> tuple[Box, float]:
        """Return a box, and the sum of gains in it, that no single interval improves."""
        box, best = start.copy(), float(gains[self.inside(start)].sum())
        while True:
            before = best
            for k, cells in enumerate(self.first):
                within = self._within(box)
                within[k] = True
                others = within.all(axis=0)
                sums = np.bincount(
                    self.places[k, others], weights=gains[others], minlength=len(cells)
                ).astype(np.float64)
                interval, total = best_interval(sums)
                if total > best + 1e-9 * abs(best):
                    box[k], best = interval, total
            if not best > before:
                return box, best

    def loosen(self, box: Box, gains: Vector, slack: float) -> tuple[Box, float]:
        """Open sides of a box while that costs at most a little each; fewer bounds to read."""
        box, best = box.copy(), float(gains[self.inside(box)].sum())
        whole = self.whole
        for k, side in np.argwhere(box != whole):
            wider = box.copy()
            wider[k, side] = whole[k, side]
            total = float(gains[self.inside(wider)].sum())
            if total >= best - slack:
                box, best = wider, total
        return box, best

    def bounds(self, box: Box) -> tuple[Vector, Vector]:
        """Return bounds between the values in and beside a box, open where nothing is beside."""
        lower, upper = np.full(len(box), -np.inf), np.full(len(box), np.inf)
        for k, (first, last) in enumerate(box):
            if first > 0:
                lower[k] = roundest(self.last[k][first - 1], self.first[k][first], self.digits[k])
            if last < len(self.first[k]) - 1:
                upper[k] = roundest(self.last[k][last], self.first[k][last + 1], self.digits[k])
        return lower, upper


def best_interval(sums: Vector) -> tuple[tuple[int, int], float]:
    """Return first and last place of the run with the largest sum, and the sum.

    >>> best_interval(np.array([1.0, -3.0, 2.0, -1.0, 4.0]))
    ((2, 4), 5.0)
    """
    totals = np.concatenate([[0.0], np.cumsum(sums)])
    rises = totals[1:] - np.minimum.accumulate(totals)[:-1]
    last = int(rises.argmax())
    first = int(totals[: last + 1].argmin())
    return (first, last), float(rises[last])


def roundest(below: float, above: float, most: int = 17) -> float:
    """Return a number of few decimals strictly between two others, near their middle.

    >>> roundest(0.1213, 0.1391)
    0.13
    """
    middle = below + (above - below) / 2
    rounded = [round(float(middle), digits) for digits in range(-6, most + 1)]
    return next((value for value in rounded if below < value < above), float(middle))
