"""What rules are about: features, the values they take, and what a rule may say.

Everything that is read, written, drawn or explained about rules takes names, categories and
ranges from here, so that no form of them shows the number behind a category's name.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ruleplay.config import XCSConfig
from ruleplay.contrib.symbols.spans import Span, spans_in
from ruleplay.errors import ConfigError
from ruleplay.output.harmless import visible
from ruleplay.rules.spelling import (
    ABSENT,
    PLAIN,
    is_missing,
    places_by_spelling,
    plain_value,
    spelling,
)
from ruleplay.rules.wording import span_digits, told

Vector = NDArray[np.float64]

MISSING = "?"  # stands for a missing value where values are typed
_PLAIN = (str, bool, int, float)


class Readable(Protocol):
    """What reading needs of an engine."""

    @property
    def config(self) -> XCSConfig:
        """Return the configuration."""

    @property
    def low(self) -> Vector:
        """Return what an observation's features are at least, (features,)."""

    @property
    def high(self) -> Vector:
        """Return what an observation's features are at most, (features,)."""

    @property
    def n_actions(self) -> int:
        """Return the number of actions."""

    @property
    def about(self) -> dict[str, Any]:
        """Return notes on features and actions, which are believed as far as they fit."""

    def export(self) -> dict[str, NDArray[Any]]:
        """Return the parts of all rules by name; bounds scaled to [0, 1]."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature: its name, its range, and whether its values are whole numbers or categories.

    Rules compare numbers: of a category, its place among all of them.

    >>> size = Feature.of_categories("size", ("small", "large"))
    >>> size.number("large"), size.value(0.0), size.say(1.0)
    (1.0, 'small', 'large')
    """

    name: str
    low: float
    high: float
    whole: bool = False
    categories: tuple[Any, ...] = ()  # in order; none if the values are numbers
    written: str = PLAIN  # how numbers are, in the file that they come from
    stand_in: float | None = None  # the number that says: missing
    groups_others: bool = False  # whether the last category but ABSENT has all that are not named

    @classmethod
    def of_categories(
        cls, name: str, categories: Sequence[Any], *, groups_others: bool = False
    ) -> "Feature":
        """Return a feature whose values are these; the last but ABSENT may stand for all others."""
        high = max(len(categories) - 1.0, 1.0)
        return cls(name, 0.0, high, True, tuple(categories), groups_others=groups_others)

    @property
    def digits(self) -> int:
        """Return how many decimals of a value matter."""
        return 0 if self.whole else span_digits(self.low, self.high)

    @property
    def absent(self) -> float:
        """Return the number of a category that is missing or unknown; NaN if it has none."""
        return len(self.categories) - 1.0 if self.names_absent else math.nan

    @property
    def names_absent(self) -> bool:
        """Tell whether values that are missing have a category of their own."""
        return self.categories[-1:] == (ABSENT,)

    @property
    def others(self) -> int | None:
        """Return the place of the category of all that are not named, if there is one."""
        return len(self.categories) - 1 - self.names_absent if self.groups_others else None

    def number(self, value: Any) -> float:
        """Return the number that rules compare; NaN for what is missing or unknown."""
        return self.numbers([value])[0]

    def numbers(self, values: Iterable[Any]) -> list[float]:
        """Return the number of each value; a category may be spelled as `spelling` allows."""
        if not self.categories:
            return [self._number(value) for value in values]
        exact = {category: place for place, category in enumerate(self.categories)}
        spelled = places_by_spelling(self.categories)
        return [
            float(
                exact[value]
                if value in exact
                else spelled.get(spelling(value) or "", self._unknown(value))
            )
            for value in values
        ]

    def _unknown(self, value: Any) -> float:
        """Return the place of a value that is no category: of all others, or of missing ones."""
        text = spelling(value)
        if self.others is None or text is None or is_missing(text):
            return self.absent
        return float(self.others)

    def _number(self, value: Any) -> float:
        text = value.strip() if isinstance(value, str) else value
        if text is None or (isinstance(text, str) and is_missing(text)):
            return math.nan
        number = float(plain_value(text, self.written))
        return math.nan if number == self.stand_in else number

    def read(self, text: str) -> float:
        """Return the number of a typed value: a category's name, a number, or `?`."""
        for place, category in enumerate(self.categories):
            if text in (str(category), visible(str(category))):
                return float(place)
        if text == MISSING:
            return self.absent
        if self.others is not None:
            return float(self.others)
        if self.categories:
            known = ", ".join(map(str, self.categories))
            raise ConfigError(f"{self.name} must be one of {known}, or {MISSING}, got {text!r}")
        try:
            return float(plain_value(text, self.written))
        except ValueError:
            raise ConfigError(f"{self.name} must be a number, or {MISSING}, got {text!r}") from None

    def value(self, number: float) -> Any:
        """Return the value that a number stands for; None for a missing one."""
        if math.isnan(number):
            return None
        if not self.categories:
            return float(number)
        return self.categories[round(min(max(number, 0.0), len(self.categories) - 1.0))]

    def say(self, number: float) -> str:
        """Return a value in words."""
        value = self.value(number)
        if value is None:
            return "missing"
        return str(value) if self.categories else told(self, value)


class Outcome(NamedTuple):
    """What a rule may speak for: an action or a class."""

    name: str
    label: Any  # the action's number; a class as the data have it


def encode_rows(features: Sequence[Feature], rows: Any) -> Vector:
    """Return rows of values as the numbers that rules compare, (rows, features)."""
    names = [feature.name for feature in features]
    if hasattr(rows, "columns") and set(names) <= set(rows.columns):
        rows = rows[names]
    table = np.array(rows, object)
    if table.ndim != 2 or table.shape[1] != len(names):
        raise ConfigError(f"rows must have shape (rows, {len(names)}), got {table.shape}")
    numbers = np.empty(table.shape)
    for k, feature in enumerate(features):
        numbers[:, k] = feature.numbers(table[:, k])
    return numbers


def features_of(engine: Readable) -> tuple[Feature, ...]:
    """Return the features that an engine's notes describe, else x0, x1, ..."""
    about, spans = engine.about, spans_of(engine)
    count = len(spans)
    names = fitting_names(about.get("feature_names"), count, "x")
    flags: Any = about.get("whole_features")
    if not _is_list(flags, count) or any(type(flag) is not bool for flag in flags):
        flags = [False] * count
    known = about.get("categories")
    features = []
    for k, (name, whole, span) in enumerate(zip(names, flags, spans, strict=True)):
        values = _values(known.get(str(k))) if isinstance(known, dict) else None
        if span.nominal and (values is None or len(values) != span.end - span.first):
            values = list(range(span.end - span.first))
        if values:
            features.append(Feature.of_categories(name, values))
        else:
            low, high = float(engine.low[span.first]), float(engine.high[span.first])
            features.append(Feature(name, low, high, whole))
    return tuple(features)


def spans_of(engine: Readable) -> list[Span]:
    """Return the columns of each feature: of a nominal one, one for each category."""
    return spans_in(engine.config, len(engine.low))


def outcomes_of(engine: Readable) -> tuple[Outcome, ...]:
    """Return the classes or actions that an engine's notes name, else 0, 1, ..."""
    count = engine.n_actions
    names = fitting_names(engine.about.get("action_names"), count, "")
    labels = _values(engine.about.get("classes")) or []
    if len(labels) != count:
        labels = list(range(count))
    return tuple(map(Outcome, names, labels))


def classifies(engine: Readable) -> bool:
    """Tell whether an engine's actions are classes, as its notes say."""
    return len(_values(engine.about.get("classes")) or []) == engine.n_actions


class Quantities(NamedTuple):
    """The quantities that payoffs stand for, as value = shift + scale * payoff."""

    ranges: Vector  # (3, quantities): least, usual and largest values
    shift: Vector
    scale: Vector


def quantities_of(engine: Readable) -> Quantities | None:
    """Return the quantities that an engine's actions are, as its notes say; None if they do not."""
    notes, count = engine.about.get("quantities"), engine.n_actions
    if not isinstance(notes, dict):
        return None
    parts: list[Any] = [notes.get(part) for part in ("low", "mean", "high", "shift", "scale")]
    if not all(_is_list(part, count) and all(map(_is_number, part)) for part in parts):
        return None
    ranges, (shift, scale) = np.array(parts[:3], np.float64), np.array(parts[3:], np.float64)
    good = (np.diff(ranges, axis=0) >= 0.0).all() and (scale > 0.0).all()
    return Quantities(ranges, shift, scale) if good else None


def fill_of(engine: Readable) -> Vector | None:
    """Return what missing numbers count as, NaN of nominal features; None if notes do not say."""
    notes, spans = engine.about.get("fill"), spans_of(engine)
    if not isinstance(notes, Sequence) or len(notes) != len(spans):
        return None
    known = [value for value, span in zip(notes, spans, strict=True) if not span.nominal]
    if not all(map(_is_number, known)):
        return None
    return np.array([np.nan if value is None else value for value in notes], np.float64)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def fitting_names(names: Any, count: int, letter: str) -> list[str]:
    """Return names if there are enough of them, all different, else numbers after a letter.

    >>> fitting_names(["a", "b"], 2, "x"), fitting_names(["a", "a"], 2, "x")
    (['a', 'b'], ['x0', 'x1'])
    """
    is_good = _is_list(names, count) and all(isinstance(name, str) and name for name in names)
    if is_good and len(set(names)) == count:
        return list(names)
    return [f"{letter}{k}" for k in range(count)]


def plain_label(value: Any) -> Any:
    """Return a category or class as text, truth value or finite number, for notes and files."""
    plain = value.item() if isinstance(value, np.generic) else value
    is_plain = type(plain) in _PLAIN and not (isinstance(plain, float) and not math.isfinite(plain))
    return plain if is_plain else str(plain)


def _is_list(value: Any, count: int) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) == count


def _values(notes: Any) -> list[Any] | None:
    """Return the values in notes on categories or classes if they are plain and different."""
    values = notes.get("values") if isinstance(notes, dict) else None
    if not isinstance(values, list) or any(type(value) not in _PLAIN for value in values):
        return None
    return values if len(set(values)) == len(values) else None
