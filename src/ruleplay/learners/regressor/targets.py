"""The quantities to predict: their names, their ranges, and the payoffs that stand for them."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.core.state.described import LARGEST_PAYOFF
from ruleplay.engine.inputs import shown
from ruleplay.engine.refitting import LEAST_ERROR
from ruleplay.errors import ConfigError
from ruleplay.learners.common.frames import as_labels, as_pandas
from ruleplay.learners.regressor.deviations import means_and_deviations

Vector = NDArray[np.float64]


class Targets(NamedTuple):
    """What is known of each target; all but the names are vectors, (targets,).

    A payoff is (value - shift) / scale. A single target is its own payoff; several have zero mean
    and unit variance, so that one error threshold serves all.
    """

    names: tuple[str, ...]
    low: Vector
    mean: Vector
    high: Vector
    deviation: Vector  # the standard deviation
    shift: Vector
    scale: Vector

    @classmethod
    def of(cls, names: tuple[str, ...], values: Vector, weights: Vector) -> "Targets":
        """Look at the values of rows, (rows, targets), of which each has a weight."""
        there = values[weights > 0]
        low, high = there.min(axis=0), there.max(axis=0)
        mean = np.clip(np.average(values, axis=0, weights=weights), low, high)
        size = np.maximum(np.abs(low), np.abs(high))
        size[size == 0.0] = 1.0
        squares = np.average(((values - mean) / size) ** 2, axis=0, weights=weights)
        deviation = np.where(high > low, size * np.sqrt(squares), 0.0)
        shift, scale = np.zeros(len(mean)), np.ones(len(mean))
        if len(mean) > 1:
            shift, scale = mean, np.where(deviation > 0.0, deviation, 1.0)
        return cls(names, low, mean, high, deviation, shift, scale)

    def payoffs(self, values: Vector) -> Vector:
        """Return what is paid for values, (rows, targets)."""
        return (values - self.shift) / self.scale

    def values(self, payoffs: Vector) -> Vector:
        """Return the values of payoffs, within the targets' ranges; the mean for NaN."""
        values = np.clip(payoffs * self.scale + self.shift, self.low, self.high)
        return np.where(np.isnan(payoffs), self.mean, values)

    @property
    def noise(self) -> float:
        """Return the standard deviation of payoffs, the largest of all; positive in any case."""
        largest = float((self.deviation / self.scale).max())
        return largest if largest > 0.0 else max(1e-3 * float(np.abs(self.mean).max()), 1e-3)

    def notes(self) -> dict[str, Any]:
        """Return what readers of the engine's rules must know."""
        parts = ("low", "mean", "high", "shift", "scale")
        return {
            "action_names": list(self.names),
            "quantities": {part: getattr(self, part).tolist() for part in parts},
        }


def numeric_targets(y: Any) -> Any:
    """Return targets as numbers where they are text, or refuse them; the rest is scikit-learn's."""
    values = np.asarray(as_labels(as_pandas(y)))
    if values.dtype.kind in "OUS":
        for value in values.ravel():
            if isinstance(value, (str, bytes)):
                raise ConfigError(f"y must hold numbers, got the text {shown(str(value))}")
    return y if values.dtype.kind != "b" else values.astype(np.float64)


def check_sizes(values: Vector) -> None:
    """Refuse targets that are too large to be squared and added up."""
    for value in values[~(np.abs(values) <= LARGEST_PAYOFF)]:
        raise ConfigError(
            f"y must lie in [{-LARGEST_PAYOFF:g}, {LARGEST_PAYOFF:g}], got {value:g}; rescale it"
        )


def target_names(y: Any, n_targets: int) -> tuple[str, ...]:
    """Return what the targets are called: a series' or frame's names, or y.

    >>> target_names([1.0, 2.0], 1), target_names([[1.0, 2.0]], 2)
    (('y',), ('y0', 'y1'))
    """
    y = as_pandas(y)
    if isinstance(y, pd.DataFrame) and len(set(map(str, y.columns))) == n_targets:
        return tuple(map(str, y.columns))
    name = getattr(y, "name", None)
    if n_targets == 1:
        return (str(name) if isinstance(name, str) and name else "y",)
    return tuple(f"y{k}" for k in range(n_targets))


def spoken(targets: Targets, moments: Vector) -> tuple[Vector, Vector]:
    """Return what rules say about each row, (rows, targets), and how far off they think they are.

    Where no rule votes, that is the mean, and the standard deviation of all rows.
    """
    means, deviations = means_and_deviations(moments, targets.payoffs(targets.mean))
    stated = np.maximum(deviations * targets.scale, LEAST_ERROR * targets.deviation)
    return targets.values(means), np.where(np.isnan(deviations), targets.deviation, stated)
