"""From features to an engine's columns: a nominal feature has one for each of its categories."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.contrib.symbols.spans import Span, Spans
from ruleplay.learners.common.scaling import Bounds

Vector = NDArray[np.float64]


class Layout(NamedTuple):
    """Which columns each feature has."""

    spans: tuple[Span, ...]

    @classmethod
    def of(cls, n_features: int, nominal: dict[int, int]) -> "Layout":
        """Return the layout of features, of which some are nominal, with so many categories."""
        spans, column = [], 0
        for k in range(n_features):
            end = column + nominal.get(k, 1)
            spans.append(Span(column, end, k in nominal))
            column = end
        return cls(tuple(spans))

    @property
    def nominal_columns(self) -> Spans:
        """Return the columns of nominal features."""
        return tuple((span.first, span.end) for span in self.spans if span.nominal)

    def columns(self, rows: Vector) -> Vector:
        """Return rows of features as an engine has them; a missing category is NaN everywhere.

        >>> Layout.of(2, {1: 3}).columns(np.array([[0.5, 2.0]]))
        array([[0.5, 0. , 0. , 1. ]])
        """
        if not self.nominal_columns:
            return rows
        wide = np.empty((len(rows), self.spans[-1].end))
        for k, span in enumerate(self.spans):
            values = rows[:, k, np.newaxis]
            if span.nominal:
                flags = (values == np.arange(span.end - span.first)).astype(np.float64)
                values = np.where(np.isnan(values), np.nan, flags)
            wide[:, span.first : span.end] = values
        return wide

    def column_bounds(self, bounds: Bounds) -> Bounds:
        """Return bounds of features as those of columns; of categories, 0 and 1."""
        if not self.nominal_columns:
            return bounds
        low, high = np.zeros(self.spans[-1].end), np.ones(self.spans[-1].end)
        for k, span in enumerate(self.spans):
            if not span.nominal:
                low[span.first], high[span.first] = bounds[0][k], bounds[1][k]
        return low, high
