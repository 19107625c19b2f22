"""How far predictions are off: what rules say of themselves, made right by unseen rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Vector = NDArray[np.float64]

LEVELS = 200  # steps in which the distribution of ratios is kept
LEAST_ROWS = 20  # unseen rows without which rules are taken at their word


class Deviations(NamedTuple):
    """How many times the deviation that rules state predictions are off, on unseen rows."""

    factor: float  # the root of the mean square
    quantiles: tuple[
        float, ...
    ]  # of the size, at evenly spaced levels; none: a normal distribution

    @classmethod
    def stated(cls) -> "Deviations":
        """Take rules at their word."""
        return cls(1.0, ())

    @classmethod
    def found(cls, errors: Vector, stated: Vector, weights: Vector) -> "Deviations":
        """Compare errors on unseen rows with the deviations that rules state."""
        known = ~np.isnan(errors) & (weights > 0.0)
        errors, stated, weights = np.abs(errors[known]), stated[known], weights[known]
        if len(errors) < LEAST_ROWS:
            return cls.stated()
        ratios = np.divide(errors, stated, out=np.zeros(len(errors)), where=stated > 0.0)
        order = np.argsort(ratios, kind="stable")
        ratios, heavy = ratios[order], weights[order]
        reach = np.cumsum(heavy) / (heavy.sum() + min(1.0, heavy.mean()))  # one more is to come
        levels = np.arange(1, LEVELS + 1) / LEVELS
        places = np.minimum(np.searchsorted(reach, levels - 1e-12), len(ratios) - 1)
        factor = float(np.sqrt(np.average(ratios**2, weights=heavy)))
        return cls(factor, tuple(ratios[places].tolist()))

    def reach(self, coverage: float) -> float:
        """Return how many stated deviations an interval must reach to each side."""
        if not self.quantiles:
            return float(ndtri(0.5 + 0.5 * coverage))
        levels = np.arange(LEVELS + 1) / LEVELS
        return float(np.interp(coverage, levels, [0.0, *self.quantiles]))


def means_and_deviations(moments: Vector, centres: Vector) -> tuple[Vector, Vector]:
    """Return what rules predict together and the deviation that they state; NaN without votes.

    The variance is that of a mixture: the mean of the rules' squared errors, and of the squares
    of their distances from what they predict together.
    """
    votes = moments[:, :, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        offset, squares = (moments[:, :, k] / votes for k in (1, 2))
    return centres + offset, np.sqrt(np.maximum(squares - offset**2, 0.0))
