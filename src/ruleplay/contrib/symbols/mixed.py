"""Numbers and categories side by side: intervals, and sets of any categories.

A nominal feature has a column for each of its categories, 1 for the value and 0 for all others; a
missing value is NaN in all of them. A rule that allows a category leaves its column free; one that
does not wants a 0 there. So a box over the columns is a set of categories, and all that matches,
compares and stores boxes serves as it is. A rule that allows no category of a feature would match
nothing: it stands for one that allows all.

The first allele of such a column is 1 if the category is allowed and 0 if not.
"""

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel
from ruleplay.contrib.symbols.settings import MIXED
from ruleplay.contrib.symbols.spans import read_spans
from ruleplay.core.basics.rng import draw_below, draw_uniform
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import Encoding
from ruleplay.core.encodings.center_spread import set_center_spread
from ruleplay.core.encodings.unordered import clip_unit, set_unordered
from ruleplay.errors import ConfigError

ALLOWED = 0.5  # alleles from here on allow a category
SETS_CHANGED = 1.5  # in a child at most, on average
FORBIDDEN = 0.5  # the upper bound of a column that must be 0


@inline_kernel
def allows_any(alleles, first, end):
    """Tell whether a rule allows any category of the feature in these columns."""
    allowed = False
    for k in range(first, end):
        allowed = allowed or alleles[2 * k] >= ALLOWED
    return allowed


@inline_kernel
def express_mixed(own, alleles, bounds):
    """Write the lower, then the upper bounds of intervals, and of columns of categories."""
    n_features = alleles.shape[0] // 2
    for k in range(n_features):
        first, second = np.float64(alleles[2 * k]), np.float64(alleles[2 * k + 1])
        if own.centered != 0:
            first, second = clip_unit(first - second), clip_unit(first + second)
        bounds[k], bounds[n_features + k] = min(first, second), max(first, second)
    for g in range(own.spans.shape[0]):
        start, end = own.spans[g]
        free = not allows_any(alleles, start, end)
        for k in range(start, end):
            bounds[k] = 0.0
            bounds[n_features + k] = 1.0 if free or alleles[2 * k] >= ALLOWED else FORBIDDEN


@inline_kernel
def cover_interval(own, alleles, k, value, params, rng):
    """Write an interval around a number as the plain encodings do."""
    one, other, side = draw_uniform(rng), draw_uniform(rng), draw_uniform(rng)
    if own.centered != 0:
        missing = np.isnan(value)
        alleles[2 * k] = 0.5 if missing else value
        alleles[2 * k + 1] = 0.5 if missing else one * params.r_0
        return
    low, high = clip_unit(value - one * params.r_0), clip_unit(value + other * params.r_0)
    if np.isnan(value):
        low, high = 0.0, 1.0
    swapped = side >= 0.5
    alleles[2 * k], alleles[2 * k + 1] = (high, low) if swapped else (low, high)


@inline_kernel
def draw_set(alleles, start, end, rng):
    """Allow each category of a feature with the same probability, itself drawn at random."""
    share = draw_uniform(rng)
    for k in range(start, end):
        alleles[2 * k], alleles[2 * k + 1] = np.float64(draw_uniform(rng) < share), 0.0


@inline_kernel
def allow_all(alleles, start, end):
    """Allow all categories of a feature."""
    for k in range(start, end):
        alleles[2 * k], alleles[2 * k + 1] = 1.0, 0.0


@inline_kernel
def cover_mixed(own, alleles, state, params, rng):
    """Cover numbers by intervals; of categories allow the state's and, by chance, others.

    With probability P_# all are allowed, and if the value is missing.
    """
    for k in range(state.shape[0]):
        if own.is_number[k] != 0:
            cover_interval(own, alleles, k, state[k], params, rng)
    for g in range(own.spans.shape[0]):
        start, end = own.spans[g]
        if draw_uniform(rng) < own.free_share or np.isnan(state[start]):
            allow_all(alleles, start, end)
        else:
            draw_set(alleles, start, end, rng)
            for k in range(start, end):
                if state[k] > FORBIDDEN:
                    alleles[2 * k] = 1.0


@inline_kernel
def mutate_set(alleles, start, end, rng):
    """Allow or forbid one category; or free the feature, or, if it is free, draw a new set."""
    if draw_uniform(rng) < 0.5:
        k = start + draw_below(end - start, rng)
        alleles[2 * k] = 0.0 if alleles[2 * k] >= ALLOWED else 1.0
        return
    free = True
    for k in range(start, end):
        free = free and alleles[2 * k] >= ALLOWED
    if free:
        draw_set(alleles, start, end, rng)
    else:
        allow_all(alleles, start, end)


@inline_kernel
def mutate_mixed(own, alleles, params, rng):
    """Move the alleles of numbers, and change sets, which have two chances, as intervals do.

    Of very many sets only a few change: nearly all are free, a change limits them, and a rule that
    is limited in several at once matches hardly anything.
    """
    for k in range(alleles.shape[0] // 2):
        if own.is_number[k] != 0:
            for j in range(2 * k, 2 * k + 2):
                if draw_uniform(rng) < params.mu:
                    step = (2.0 * draw_uniform(rng) - 1.0) * params.m_0
                    alleles[j] = clip_unit(alleles[j] + step)
    n_sets = own.spans.shape[0]
    for g in range(n_sets):
        if draw_uniform(rng) < min(2.0 * params.mu, SETS_CHANGED / n_sets):
            mutate_set(alleles, own.spans[g, 0], own.spans[g, 1], rng)


@inline_kernel
def set_mixed(own, alleles, k, low, high):
    """Write an interval; of a category, whether it is allowed."""
    if own.is_number[k] == 0:
        alleles[2 * k], alleles[2 * k + 1] = np.float64(high > FORBIDDEN), 0.0
    elif own.centered != 0:
        set_center_spread(own, alleles, k, low, high)
    else:
        set_unordered(own, alleles, k, low, high)


@Encoding.register(
    "mixed",
    settings=MIXED,
    express=express_mixed,
    cover_alleles=cover_mixed,
    mutate_alleles=mutate_mixed,
    set_interval=set_mixed,
)
class Mixed(NamedTuple):
    """Intervals of numbers and sets of categories."""

    spans: NDArray[np.int64]  # (nominal features, 2): first column and the one after the last
    is_number: NDArray[np.uint8]  # (columns,)
    free_share: float
    centered: int

    @property
    def fixed(self) -> tuple[NDArray[Any], ...]:
        """Return the arrays that follow from the settings."""
        return self.spans, self.is_number

    @staticmethod
    def check_settings(settings: Any) -> None:
        """Refuse spans that are none."""
        read_spans(settings.nominal_columns)

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> Self:
        """Return the encoding for the columns that the settings name."""
        spans = np.array(read_spans(settings.nominal_columns), np.int64).reshape(-1, 2)
        if len(spans) and spans[-1, 1] > sizes.n_features:
            raise ConfigError(
                f"nominal_columns must lie in [0, {sizes.n_features - 1}], "
                f"got {settings.nominal_columns[-20:]!r}"
            )
        is_number = np.ones(sizes.n_features, np.uint8)
        for first, end in spans:
            is_number[first:end] = 0
        centered = int(settings.intervals == "center_spread")
        return cls(spans, is_number, float(settings.free_share), centered)
