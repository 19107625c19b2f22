"""Measure how well quantities are predicted: the figures of one run."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Figures(NamedTuple):
    """What is known about the answers of a contender; errors and widths in spreads of the set."""

    rmse: float
    mae: float
    r2: float
    coverage: float | None
    width: float | None


def measure(
    targets: Floats, predictions: ArrayLike, intervals: ArrayLike | None, spread: float
) -> Figures:
    """Compare answers with the targets of the test rows.

    The spread is the standard deviation of the targets of all rows of the set. A contender without
    intervals has neither coverage nor width; targets that do not differ have no R².
    """
    errors = _finite("predictions", predictions, targets.shape) - targets
    squares, around = (errors**2).mean(), targets.var()
    coverage = width = None
    if intervals is not None:
        low, high = _finite("intervals", intervals, (len(targets), 2)).T
        coverage = float(((low <= targets) & (targets <= high)).mean())
        width = float((high - low).mean() / spread)
    return Figures(
        rmse=float(np.sqrt(squares) / spread),
        mae=float(np.abs(errors).mean() / spread),
        r2=float(1.0 - squares / around) if around > 0.0 else float("nan"),
        coverage=coverage,
        width=width,
    )


def _finite(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return numbers as they are, or refuse what are none."""
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.shape != shape or not np.isfinite(numbers).all():
        raise ValueError(f"{name} must be {shape} finite numbers, got {numbers.shape}")
    return numbers
