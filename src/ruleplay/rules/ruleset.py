"""A set of rules on its own: what a population decides, without the means to learn."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ruleplay.config import XCSConfig
from ruleplay.errors import ConfigError
from ruleplay.inputs import as_array, as_floats, shown
from ruleplay.rules import python_source, rule_file
from ruleplay.rules.table import (
    Names,
    Readable,
    checked_top,
    names_of,
    reading_order,
    rules_csv,
    rules_table,
    whole_features,
)
from ruleplay.rules.text import rules_text
from ruleplay.rules.thresholds import States, lower_thresholds, scale, upper_thresholds

Vector = NDArray[np.float64]
Integers = NDArray[np.int64]

BLOCK = 1 << 20  # pairs of an observation and a rule that are compared at a time


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleSet:
    """Rules that decide together: all that match vote, or (`ordered`) the first one decides.

    Bounds are in the user's units; an open side is infinite. A vote counts by its rule's
    fitness; the action of largest mean value is taken, the first one among equals, and the
    default action where no rule matches. Everything is read only.
    """

    lower: Vector  # (rules, features)
    upper: Vector
    action: Integers  # (rules,), as are the next five
    prediction: Vector
    error: Vector
    fitness: Vector
    numerosity: Integers
    experience: Integers
    weights: Vector | None = None  # (rules, 1 + features): linear models of scaled features
    low: Vector  # (features,): what is scaled to 0 ...
    high: Vector  # ... and to 1
    names: Names
    whole: tuple[bool, ...]  # features that take whole numbers only
    default_action: int = 0
    ordered: bool = False
    error_threshold: float = 10.0
    prediction_limit: float | None = None
    missing_values: str = "error"  # what NaN is: a mistake, or contained in all intervals

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value = value.copy()
                value.flags.writeable = False
                object.__setattr__(self, field.name, value)

    @classmethod
    def of(cls, engine: "Readable | RuleSet", default_action: int | None = None) -> "RuleSet":
        """Take the rules of an engine, or return a set of rules as it is.

        The default action is the one that an agent took most often, else the first.
        """
        if isinstance(engine, RuleSet):
            return (
                engine if default_action is None else replace(engine, default_action=default_action)
            )
        parts, low, high = engine.export(), engine.low, engine.high
        config = engine.config
        if default_action is None:
            default_action = _favourite(engine.about.get("actions_taken"), engine.n_actions)
        return cls(
            lower=lower_thresholds(parts["lower"], low, high),
            upper=upper_thresholds(parts["upper"], low, high),
            action=parts["action"].astype(np.int64),
            prediction=parts["prediction"],
            error=parts["error"],
            fitness=parts["fitness"],
            numerosity=parts["numerosity"],
            experience=parts["experience"],
            weights=parts.get("weights"),
            low=low,
            high=high,
            names=names_of(engine),
            whole=whole_features(engine),
            default_action=default_action,
            error_threshold=config.error_threshold,
            prediction_limit=config.prediction_limit,
            missing_values=config.missing_values,
        )

    def __len__(self) -> int:
        return len(self.action)

    @property
    def n_actions(self) -> int:
        """Return the number of actions."""
        return len(self.names.actions)

    @property
    def config(self) -> XCSConfig:
        """Return the settings that matter for reading the rules."""
        return XCSConfig(
            error_threshold=self.error_threshold,
            prediction="scalar" if self.weights is None else "linear",
            prediction_limit=self.prediction_limit,
            missing_values=self.missing_values,
        )

    @property
    def about(self) -> dict[str, Any]:
        """Return names and kinds of the features and actions."""
        return {
            "feature_names": list(self.names.features),
            "action_names": list(self.names.actions),
            "whole_features": list(self.whole),
        }

    def export(self) -> dict[str, NDArray[Any]]:
        """Return the parts of all rules as an engine does, and the bounds in user's units."""
        lower, upper = np.maximum(self.lower, self.low), np.minimum(self.upper, self.high)
        span = self.high - self.low
        parts: dict[str, NDArray[Any]] = {
            name: getattr(self, name)
            for name in ("action", "prediction", "error", "fitness", "numerosity", "experience")
        }
        parts |= {"user_lower": lower, "user_upper": upper}
        parts |= {"lower": (lower - self.low) / span, "upper": (upper - self.low) / span}
        parts["volume"] = np.maximum(parts["upper"] - parts["lower"], 0.0).prod(axis=1)
        return parts if self.weights is None else {**parts, "weights": self.weights}

    def take(self, places: ArrayLike, **changes: Any) -> "RuleSet":
        """Return the rules at some places only, in that order."""
        chosen = self._checked_places(places)
        parts = {
            field.name: value[chosen]
            for field in fields(self)
            if isinstance(value := getattr(self, field.name), np.ndarray)
            and field.name not in ("low", "high")
        }
        return replace(self, **{**parts, **changes})

    def strongest(self, top: int | None = None) -> "RuleSet":
        """Return the first rules of the table only."""
        return self.take(np.sort(reading_order(self, self.export())[: checked_top(top)]))

    def matches(self, observations: ArrayLike) -> NDArray[np.bool_]:
        """Tell which rules contain which observations, (observations, rules)."""
        return self._inside(self._rows(observations))

    def values(self, observations: ArrayLike) -> Vector:
        """Return the value of every action for each observation; NaN where no rule says one.

        The mean of the matching rules' predictions, weighted by fitness, exactly as an
        engine's `predict`; of an ordered set, what the first matching rule predicts.
        """
        rows = self._rows(observations)
        states = scale(rows, self.low, self.high)
        collect = self._first if self.ordered else self._vote
        values = np.empty((len(rows), self.n_actions))
        step = max(1, BLOCK // max(1, len(self)))
        with np.errstate(all="ignore"):
            for first in range(0, len(rows), step):
                part = slice(first, first + step)
                values[part] = collect(self._inside(rows[part]), states[part])
        return values

    def actions(self, observations: ArrayLike) -> Integers:
        """Return the action for each observation."""
        return best_actions(self.values(observations), self.default_action)

    def predictions(self, places: Integers, states: States) -> Vector:
        """Return what the rule at each place predicts for the scaled state beside it."""
        if self.weights is None:
            return self.prediction[places]
        weights = self.weights[places]
        value = weights[:, 0]
        for k in range(states.shape[1]):
            value = value + weights[:, k + 1] * states[:, k]
        limit = np.inf if self.prediction_limit is None else self.prediction_limit
        return np.minimum(np.maximum(value, -limit), limit)

    def table(self) -> pd.DataFrame:
        """Return one row per rule, as `rules_table`."""
        return rules_table(self)

    def text(self, top: int | None = None) -> str:
        """Return the first rules as sentences, one a line."""
        return rules_text(self, top)

    def to_csv(self) -> str:
        """Return the table as comma-separated values; names are no formulas of spreadsheets."""
        return rules_csv(self)

    def to_json(self) -> str:
        """Return everything as JSON, from which `from_json` makes an equal set."""
        return rule_file.write_rules(self)

    @classmethod
    def from_json(cls, source: str | Path) -> "RuleSet":
        """Read rules from JSON text or a file; anything wrong raises ModelFileError."""
        return cls(**rule_file.read_rules(source))

    def to_python(self) -> str:
        """Return the source of a function `decide(observation)` that needs no other package."""
        return python_source.write_function(self)

    def _checked_places(self, places: ArrayLike) -> Integers:
        """Return places of rules, or refuse them."""
        chosen = as_array("places", places)
        good = chosen.ndim == 1 and (chosen.dtype.kind in "iu" or not len(chosen))
        if not good or not ((chosen >= 0) & (chosen < len(self))).all():
            raise ConfigError(
                f"places must be a list of integers in [0, {len(self) - 1}], got {shown(places)}"
            )
        return chosen.astype(np.int64)

    def _rows(self, observations: ArrayLike) -> Vector:
        """Return checked observations."""
        rows = as_floats("observations", observations)
        if rows.ndim != 2 or rows.shape[1] != len(self.low):
            raise ConfigError(
                f"observations must have shape (rows, {len(self.low)}), got {rows.shape}"
            )
        bad = np.isinf(rows) if self.missing_values == "match" else ~np.isfinite(rows)
        for row, k in np.argwhere(bad):
            raise ConfigError(f"observations[{row}, {k}] must be finite, got {rows[row, k]}")
        return rows

    def _inside(self, rows: Vector) -> NDArray[np.bool_]:
        """Tell which rules contain which rows; a missing feature keeps none out."""
        outside = np.zeros((len(rows), len(self)), np.bool_)
        for column, lower, upper in zip(rows.T, self.lower.T, self.upper.T, strict=True):
            outside |= column[:, np.newaxis] < lower
            outside |= column[:, np.newaxis] > upper
        return ~outside

    def _vote(self, inside: NDArray[np.bool_], states: States) -> Vector:
        """Add up votes in the order of the rules, as an engine does, for the same bits."""
        rows, places = np.nonzero(inside)
        value, fitness = self.predictions(places, states[rows]), self.fitness[places]
        cell = rows * self.n_actions + self.action[places]
        size = len(inside) * self.n_actions
        weighted, plain, total, count = (
            np.bincount(cell, what, size) for what in (value * fitness, value, fitness, None)
        )
        means = np.where(total > 0.0, weighted / total, plain / count)
        return means.reshape(len(inside), self.n_actions)

    def _first(self, inside: NDArray[np.bool_], states: States) -> Vector:
        """Ask the first rule that matches."""
        values = np.full((len(inside), self.n_actions), np.nan)
        rows, places = np.nonzero(inside & (np.cumsum(inside, axis=1) == 1))
        values[rows, self.action[places]] = self.predictions(places, states[rows])
        return values


def best_actions(values: Vector, default: int) -> Integers:
    """Return the action of largest value in each row, the default where none is known.

    >>> best_actions(np.array([[1.0, 3.0], [np.nan, -1.0], [np.nan, np.nan]]), 0).tolist()
    [1, 1, 0]
    """
    known = ~np.isnan(values)
    best = np.where(known, values, -np.inf).argmax(axis=1)
    return np.where(known.any(axis=1), best, default)


def _favourite(taken: Any, n_actions: int) -> int:
    """Return the action taken most often according to notes, 0 if they say nothing."""
    if not isinstance(taken, Sequence) or len(taken) != n_actions:
        return 0
    counts = [count if type(count) is int else 0 for count in taken]
    return counts.index(max(counts))
