"""The categories that rules allow: a truth value for each rule and each category of all features.

Rules of an engine that has categories in order allow neighbours, those within an interval of
places; others allow any.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ruleplay.rules.features import Feature

Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]


def category_slices(features: "Sequence[Feature]") -> dict[int, slice]:
    """Return where the categories of each feature that has some stand among all of them."""
    slices, start = {}, 0
    for k, feature in enumerate(features):
        if feature.categories:
            slices[k] = slice(start, start + len(feature.categories))
            start += len(feature.categories)
    return slices


def within_places(lower: Vector, upper: Vector, features: "Sequence[Feature]") -> Flags:
    """Return the categories whose places lie between bounds, (rules, categories)."""
    slices = category_slices(features)
    size = max((part.stop for part in slices.values()), default=0)
    allowed = np.ones((len(lower), size), np.bool_)
    for k, part in slices.items():
        places = np.arange(part.stop - part.start)
        allowed[:, part] = (lower[:, k, None] <= places) & (places <= upper[:, k, None])
    return allowed


def reaches(
    lower: Vector, upper: Vector, allowed: Flags, features: "Sequence[Feature]"
) -> tuple[Vector, Vector]:
    """Return bounds that are, of categories, the places of the first and the last one allowed.

    A side that leaves none out is open; where none is allowed, the bounds are 1 and 0.
    """
    lower, upper = np.array(lower, np.float64), np.array(upper, np.float64)
    for k, part in category_slices(features).items():
        flags, last = allowed[:, part], part.stop - part.start - 1
        some = flags.any(axis=1)
        first_inside, last_inside = flags.argmax(axis=1), last - flags[:, ::-1].argmax(axis=1)
        lower[:, k] = np.where(some, np.where(first_inside == 0, -np.inf, first_inside), 1.0)
        upper[:, k] = np.where(some, np.where(last_inside == last, np.inf, last_inside), 0.0)
    return lower, upper


def refuses(values: Vector, allowed: Flags) -> Flags:
    """Tell which rules refuse which places of a feature's categories, (values, rules).

    A missing value is refused by none; a number that is no place counts as the nearest.
    """
    missing = np.isnan(values)
    nearest = np.clip(np.where(missing, 0.0, values), 0.0, allowed.shape[1] - 1.0)
    refused: Flags = ~allowed.T[np.rint(nearest).astype(np.int64)]
    refused[missing] = False
    return refused
