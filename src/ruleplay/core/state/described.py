"""Records whose numbers are described: type, range and meaning stand in one place.

What kernels compute with relies on these ranges. Whoever reads an engine from a file, or
checks one, asks for the `faults` of its records.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Sums of squares and products of a few of these are finite.
LARGEST_PAYOFF = 1e100  # of rewards, payoffs and predictions, in size
LARGEST_ERROR = 2.0 * LARGEST_PAYOFF
LARGEST_MODEL = 1e120  # of a linear model's weights and gains, in size
# Of a gain matrix's mean diagonal: where it is larger, sixteen digits do not tell any more what
# a model knows well from rounding, and the errors feed on themselves.
LARGEST_GAIN = 1e8
# A million microclassifiers times this fit into 64 bits; 50 days of a step a microsecond.
LARGEST_TIME = 1 << 42
SLACK = 1e-6  # of running sums and means


class Field(NamedTuple):
    """One number of a record; a bound may be a word for what an engine knows."""

    name: str
    kind: str  # of NumPy
    low: float | str
    high: float | str
    meaning: str


Fields = tuple[Field, ...]


def record_type(fields: Sequence[Field]) -> "np.dtype[np.void]":
    """Return the type of records with these numbers."""
    return np.dtype([(field.name, field.kind) for field in fields], align=True)


def faults(
    what: str, fields: Sequence[Field], records: NDArray[np.void], limits: Mapping[str, float]
) -> list[str]:
    """Return a sentence for each number that leaves its range in any of the records."""
    found = []
    for field in fields:
        low, high = (_bound(bound, limits) for bound in (field.low, field.high))
        values = records[field.name]
        if not ((values >= low) & (values <= high)).all():  # false for NaN, too
            found.append(f"{what}{field.name} must lie in [{low:g}, {high:g}]")
    return found


def _bound(bound: float | str, limits: Mapping[str, float]) -> float:
    return limits[bound] if isinstance(bound, str) else bound
