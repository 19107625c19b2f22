"""Turn River's dictionaries into rows of numbers, and learn the features' ranges on the way."""

import math
from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ruleplay.errors import ConfigError
from ruleplay.rules import Feature
from ruleplay.rules.features import fitting_names

ROOM = 0.1  # a range reaches this share of itself beyond the values seen
LARGEST_GROWTH = 4.0  # times a range may become as large at once: a lone outlier is clipped
LARGEST_VALUE = 1e100  # beyond that a value counts as missing
_SMALLEST_RANGE = 1e-150
_NUMBERS = (Real, Decimal, np.bool_)
_USUAL = (float, int, bool)  # recognised without asking what else is a number


class Range(NamedTuple):
    """What is known of a feature: how often it was there, and between which values."""

    times: int
    low: float
    high: float

    def with_value(self, value: float) -> "Range":
        """Return what is known after one more value."""
        return Range(self.times + 1, min(self.low, value), max(self.high, value))

    def bounds(self) -> tuple[float, float]:
        """Return scaling bounds with some room; a constant feature gets more."""
        room = ROOM * (self.high - self.low)
        if room <= _SMALLEST_RANGE or self.low - room == self.high + room:
            room = 0.5 * max(1.0, abs(self.high))
        return self.low - room, self.high + room


def widen_bounds(low: float, high: float, value: float) -> tuple[float, float]:
    """Return bounds that contain a value, or come nearer to it if it lies far outside.

    >>> widen_bounds(0.0, 1.0, 2.0)
    (0.0, 2.2)
    >>> widen_bounds(0.0, 1.0, 1e9)
    (0.0, 4.0)
    """
    if value > high:
        return low, min(value + ROOM * (value - low), low + LARGEST_GROWTH * (high - low))
    return max(value - ROOM * (high - value), high - LARGEST_GROWTH * (high - low)), high


class Features:
    """The features of a stream: their columns, codes, ranges and means.

    A feature gets a column once it was there `grace_period` times. Values that are no
    numbers get running integers as codes, per feature. Missing are: what is not there,
    None, NaN, infinity, and a word that was never learned from.
    """

    def __init__(self, grace_period: int) -> None:
        self.grace_period = grace_period
        self.names: list[Any] = []
        self.low: list[float] = []
        self.high: list[float] = []
        self.means: list[float] = []
        self.counts: list[int] = []
        self.grown = False  # columns were added or ranges widened since this was last cleared
        self._known: set[Any] = set()
        self._waiting: dict[Any, Range] = {}
        self._codes: dict[Any, dict[Any, int]] = {}
        self._mixed: set[Any] = set()  # features that were numbers and words

    def row(self, x: Mapping[Any, Any]) -> list[float]:
        """Return the values of the columns, NaN where missing."""
        values = [
            value if type(value := x.get(name)) is float else self._number(name, value)
            for name in self.names
        ]
        return [value if -LARGEST_VALUE < value < LARGEST_VALUE else math.nan for value in values]

    def described(self) -> tuple[Feature, ...]:
        """Return the columns as readers of rules should know them.

        The words of a feature that was never a number are categories.
        """
        features = []
        shown = fitting_names(list(map(str, self.names)), len(self.names), "x")
        for name, text, low, high in zip(self.names, shown, self.low, self.high, strict=True):
            words = self._codes.get(name)
            if words and name not in self._mixed:
                features.append(Feature.of_categories(text, tuple(words)))
            else:
                features.append(Feature(text, low, high))
        return tuple(features)

    def filled(self, row: list[float]) -> list[float]:
        """Return a row with the features' means for what is missing."""
        return [
            mean if math.isnan(value) else value
            for value, mean in zip(row, self.means, strict=True)
        ]

    def learn(self, x: Mapping[Any, Any]) -> list[float]:
        """Take in an example; return its row."""
        for name, value in x.items():
            if type(value) not in _USUAL:
                self._note_word(name, value)
            elif name in self._codes and value == value:  # a number, not NaN
                self._mixed.add(name)
        row = self.row(x)
        for k, value in enumerate(row):
            if not math.isnan(value):
                self.counts[k] += 1
                self.means[k] += (value - self.means[k]) / self.counts[k]
                if not self.low[k] <= value <= self.high[k]:
                    self.low[k], self.high[k] = widen_bounds(self.low[k], self.high[k], value)
                    self.grown = True
        if x.keys() != self._known and self._add_frequent(x):
            return self.row(x)
        return row

    def _note_word(self, name: Any, value: Any) -> None:
        """Give a code to a value that is no number and was not met before."""
        if value is None or isinstance(value, _NUMBERS):
            if name in self._codes and value is not None and value == value:
                self._mixed.add(name)
            return
        try:
            if name not in self._codes and (name in self._known or name in self._waiting):
                self._mixed.add(name)
            codes = self._codes.setdefault(name, {})
            codes.setdefault(value, len(codes))
        except TypeError:
            raise ConfigError(
                f"feature {name!r} must be a number or hashable, got {type(value).__name__}"
            ) from None

    def _number(self, name: Any, value: Any) -> float:
        """Return a value as a number, NaN if it is missing or a word never met."""
        if value is None:
            return math.nan
        if type(value) in _USUAL or isinstance(value, _NUMBERS):
            try:
                return float(value)
            except OverflowError:
                return math.nan
        return float(self._codes.get(name, {}).get(value, math.nan))

    def _add_frequent(self, x: Mapping[Any, Any]) -> bool:
        """Count the features without a column; give one to those met often enough."""
        frequent = []
        for name in x.keys() - self._known:
            value = self._number(name, x[name])
            if -LARGEST_VALUE < value < LARGEST_VALUE:
                seen = self._waiting.get(name, Range(0, value, value)).with_value(value)
                self._waiting[name] = seen
                if seen.times >= self.grace_period:
                    frequent.append(name)
        for name in sorted(frequent, key=lambda name: (str(type(name)), str(name))):
            self._add(name, *self._waiting.pop(name).bounds())
        return bool(frequent)

    def _add(self, name: Any, low: float, high: float) -> None:
        self.names.append(name)
        self._known.add(name)
        self.low.append(low)
        self.high.append(high)
        self.means.append((low + high) / 2)
        self.counts.append(1)
        self.grown = True
