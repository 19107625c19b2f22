"""Models of rules: what their weights are multiplied by, and what they are in the user's units.

A model is linear or quadratic in columns: a feature is one, a nominal feature one for each of its
categories, 1 for the value and 0 for all others.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.core.components.seams import Prediction
from ruleplay.rules.features import Feature
from ruleplay.rules.thresholds import scale

Vector = NDArray[np.float64]

MODELS = ("linear", "quadratic")


class Column(NamedTuple):
    """What a column says: the value of a feature, or whether it is one of its categories."""

    feature: int
    category: int | None  # its place

    def name(self, features: Sequence[Feature]) -> str:
        """Return what the column is called in tables."""
        known = features[self.feature]
        return known.name if self.category is None else f"{known.name}={self.value(features)}"

    def value(self, features: Sequence[Feature]) -> Any:
        """Return the category."""
        assert self.category is not None
        return features[self.feature].categories[self.category]


class Terms(NamedTuple):
    """Models in the user's units: a constant, and coefficients of products of columns."""

    constant: Vector  # (rules,)
    coefficients: Vector  # (rules, terms)
    columns: tuple[tuple[int, ...], ...]  # of each term: the places of one column, or of two


def columns_of(features: Sequence[Feature], nominal: Sequence[int]) -> tuple[Column, ...]:
    """Return the columns of features, of which some are nominal."""
    found: list[Column] = []
    for k, feature in enumerate(features):
        if k in nominal:
            found += [Column(k, place) for place in range(len(feature.categories))]
        else:
            found.append(Column(k, None))
    return tuple(found)


def model_inputs(model: str, states: NDArray[Any]) -> Vector:
    """Return what the weights of a model are multiplied by, (states, weights)."""
    inputs: Vector = Prediction.find(model).inputs(states)
    return inputs


def n_weights(model: str, n_columns: int) -> int:
    """Return how many weights a model has."""
    return int(Prediction.find(model).model_size(n_columns)[0])


def wide_states(
    rows: Vector, columns: Sequence[Column], low: Vector, high: Vector
) -> NDArray[np.float32]:
    """Return rows as an engine's states, (rows, columns), exactly; a missing category is no one.

    A number that is no place of a category counts as the nearest.
    """
    wide = np.empty((len(rows), len(columns)))
    for place, column in enumerate(columns):
        values = rows[:, column.feature]
        wide[:, place] = values if column.category is None else np.rint(values) == column.category
    return scale(wide, low, high)


def products_of(model: str, n_columns: int) -> tuple[tuple[int, ...], ...]:
    """Return the columns of each term but the constant: one, or two that are multiplied.

    >>> products_of("quadratic", 2)
    ((0,), (1,), (0, 0), (0, 1), (1, 1))
    """
    single = tuple((k,) for k in range(n_columns))
    if model == "linear":
        return single
    pairs = zip(*np.triu_indices(n_columns), strict=True)
    return single + tuple((int(i), int(j)) for i, j in pairs)


def terms_of(model: str, weights: Vector, low: Vector, high: Vector) -> Terms:
    """Return models of columns that were scaled from [low, high] to [0, 1] in the user's units."""
    n_columns = len(low)
    slopes = weights[:, 1 : n_columns + 1] / (high - low)
    constant = weights[:, 0] - slopes @ low
    columns = products_of(model, n_columns)
    if model == "linear":
        return Terms(constant, slopes, columns)
    first, second = np.triu_indices(n_columns)
    products = weights[:, n_columns + 1 :] / ((high - low)[first] * (high - low)[second])
    constant = constant + products @ (low[first] * low[second])
    for pair, (i, j) in enumerate(zip(first, second, strict=True)):
        slopes[:, i] -= products[:, pair] * low[j]
        slopes[:, j] -= products[:, pair] * low[i]
    return Terms(constant, np.hstack([slopes, products]), columns)
