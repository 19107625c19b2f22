"""A set of rules on its own: what a population decides, without the means to learn."""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine.inputs import as_array, as_floats, shown
from ruleplay.errors import ConfigError
from ruleplay.rules import rule_file
from ruleplay.rules.category_sets import Flags, category_slices, reaches, refuses, within_places
from ruleplay.rules.engine_rules import take_rules
from ruleplay.rules.exports import (
    c_source,
    javascript_source,
    onnx_graph,
    pmml_document,
    python_source,
    sql_query,
)
from ruleplay.rules.features import Feature, Outcome, Readable, encode_rows
from ruleplay.rules.importance import importance_of
from ruleplay.rules.models import Column, Terms, columns_of, model_inputs, terms_of, wide_states
from ruleplay.rules.notebook import rules_html
from ruleplay.rules.origins import ORIGINS
from ruleplay.rules.quantities import quantity_phrase
from ruleplay.rules.table import checked_top, csv_of, records_of, table_of
from ruleplay.rules.text import text_of
from ruleplay.rules.thresholds import States, scale, tidied
from ruleplay.rules.wording import phrase, set_phrase

if TYPE_CHECKING:
    import pandas as pd

Vector = NDArray[np.float64]
Integers = NDArray[np.int64]
Array = TypeVar("Array", bound=NDArray[Any])

BLOCK = 1 << 20  # pairs of an observation and a rule that are compared at a time
PARTS = ("action", "prediction", "error", "fitness", "numerosity", "experience", "origin")


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleSet:
    """Rules that decide together: all that match vote, or (`ordered`) the first one decides.

    Bounds are in the user's units; an open side is infinite. A vote counts by its rule's
    fitness; the action of largest mean value is taken, the first one among equals, and the
    default action where no rule matches. Rules about quantities do not decide: what they say is
    what they predict. Everything is read only.
    """

    lower: Vector  # (rules, features): of categories, the place of the first one allowed
    upper: Vector  # and of the last one
    action: Integers  # (rules,), as are the next five
    prediction: Vector
    error: Vector
    fitness: Vector
    numerosity: Integers
    experience: Integers
    origin: Integers | None = None  # (rules,): places in `ORIGINS`; None: all learned
    allowed: Flags | None = None  # (rules, categories of all features); None: those between bounds
    weights: Vector | None = None  # (rules, weights): models of scaled columns
    model: str = "linear"  # what they are: linear or quadratic
    nominal: tuple[int, ...] = ()  # features that have a column for each category in models
    scaling: Vector | None = None  # (2, columns): scaled to 0 and 1, if not features' ranges
    fill: Vector | None = None  # (features,): what a missing number counts as
    features: tuple[Feature, ...]
    outcomes: tuple[Outcome, ...]  # actions, or classes
    default_action: int = 0
    ordered: bool = False
    error_threshold: float = 10.0
    prediction_limit: float | None = None
    missing_values: str = "error"  # what NaN is: a mistake; in all intervals (match); `fill`
    quantities: Vector | None = None  # (3, outcomes): least, usual and largest value of each
    against_below: float | None = None  # what a rule predicts that speaks against its class

    def __post_init__(self) -> None:
        allowed = self.allowed
        if allowed is None:
            allowed = within_places(self.lower, self.upper, self.features)
        lower, upper = reaches(self.lower, self.upper, allowed, self.features)
        origin = np.zeros(len(self.action), np.int64) if self.origin is None else self.origin
        parts = {"lower": lower, "upper": upper, "allowed": allowed, "origin": origin}
        for name, value in parts.items():
            object.__setattr__(self, name, value)
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, field.name, _locked(value.copy()))

    @classmethod
    def of(
        cls,
        source: "Readable | RuleSet",
        default_action: int | None = None,
        features: tuple[Feature, ...] | None = None,
    ) -> "RuleSet":
        """Take the rules of an engine, or return a set of rules as it is.

        The default action is the one that an agent took most often, else the first. Features
        may be narrower than what the engine scales: to them observations are clipped.
        """
        if isinstance(source, RuleSet):
            wanted = {"default_action": default_action, "features": features}
            changes: dict[str, Any] = {k: v for k, v in wanted.items() if v is not None}
            return replace(source, **changes) if changes else source
        return cls(**take_rules(source, default_action, features))

    def __len__(self) -> int:
        return len(self.action)

    @property
    def n_actions(self) -> int:
        """Return the number of actions, or classes."""
        return len(self.outcomes)

    @property
    def classifies(self) -> bool:
        """Tell whether rules speak about classes instead of actions."""
        return self.against_below is not None

    @property
    def regresses(self) -> bool:
        """Tell whether rules speak about quantities."""
        return self.quantities is not None

    @property
    def noun(self) -> str:
        """Return what rules speak about: action, class, or target."""
        if self.regresses:
            return "target"
        return "class" if self.classifies else "action"

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """Return what the features are called."""
        return tuple(feature.name for feature in self.features)

    @cached_property
    def outcome_names(self) -> tuple[str, ...]:
        """Return what the actions or classes are called."""
        return tuple(outcome.name for outcome in self.outcomes)

    @property
    def labels(self) -> tuple[Any, ...]:
        """Return the actions' numbers, or the classes as the data have them."""
        return tuple(outcome.label for outcome in self.outcomes)

    @cached_property
    def low(self) -> Vector:
        """Return what features are at least, (features,)."""
        return _locked(np.array([feature.low for feature in self.features]))

    @cached_property
    def high(self) -> Vector:
        """Return what features are at most, (features,)."""
        return _locked(np.array([feature.high for feature in self.features]))

    @cached_property
    def bounds(self) -> tuple[Vector, Vector]:
        """Return lower and upper bounds to be shown: within the ranges, in few decimals."""
        lower, upper = np.maximum(self.lower, self.low), np.minimum(self.upper, self.high)
        ends = self.low, self.high
        return _locked(tidied(lower, *ends)), _locked(tidied(upper, *ends))

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Return the rules from the strongest to the weakest; a list's rules as they stand."""
        if self.ordered:
            return np.arange(len(self))
        return np.argsort(-self.strength, kind="stable")

    @cached_property
    def strength(self) -> Vector:
        """Return how much rules say: fitness times numerosity; about classes, if they are sure.

        Where they are about classes, a rule that is as often wrong as right says nothing.
        """
        strength = self.fitness * self.numerosity
        if self.against_below is not None:
            strength = strength * np.maximum(1.0 - self.error / self.against_below, 0.0)
        return _locked(strength)

    @cached_property
    def extent(self) -> Vector:
        """Return which share of each feature's range a rule has, (rules, features)."""
        shares: Vector = np.maximum((self.bounds[1] - self.bounds[0]) / (self.high - self.low), 0.0)
        for k in self.category_slices:
            shares[:, k] = self.allowed_of(k).mean(axis=1)
        return shares

    @cached_property
    def generality(self) -> Vector:
        """Return the share of the input space that each rule has."""
        share: Vector = self.extent.prod(axis=1)
        return share

    @cached_property
    def typical(self) -> Vector:
        """Return what each rule predicts; a model at the centre of its box."""
        if self.weights is None:
            return self.prediction
        low, high = self.scaled_between
        inputs = model_inputs(self.model, (self.model_boxes[0] - low) / (high - low))
        values = self.weights[:, 0] + (self.weights[:, 1:] * inputs[:, 1:]).sum(axis=1)
        return self._limited(values)

    @cached_property
    def model_columns(self) -> tuple[Column, ...]:
        """Return the columns of which models are made."""
        return columns_of(self.features, self.nominal)

    @cached_property
    def model_boxes(self) -> tuple[Vector, Vector]:
        """Return the centres and widths of the rules' boxes, (rules, columns)."""
        shape = len(self), len(self.model_columns)
        centres, widths = np.empty(shape), np.empty(shape)
        lower, upper = self.bounds
        for place, (k, category) in enumerate(self.model_columns):
            if category is None:
                centres[:, place] = (lower[:, k] + upper[:, k]) / 2
                widths[:, place] = upper[:, k] - lower[:, k]
            else:
                flags = self.allowed_of(k)
                centres[:, place] = flags[:, category] / np.maximum(flags.sum(axis=1), 1)
                widths[:, place] = flags[:, category] & (flags.sum(axis=1) > 1)
        return centres, widths

    @cached_property
    def model_terms(self) -> Terms | None:
        """Return the models in the user's units."""
        if self.weights is None:
            return None
        return terms_of(self.model, self.weights, *self.scaled_between)

    @cached_property
    def linear_models(self) -> dict[str, Vector]:
        """Return the intercepts and slopes of models in the user's units, by name."""
        terms = self.model_terms
        if terms is None:
            return {}
        names = [column.name(self.features) for column in self.model_columns]
        slopes = {
            "slope_" + "*".join(names[k] for k in product): terms.coefficients[:, place]
            for place, product in enumerate(terms.columns)
        }
        return {"intercept": terms.constant, **slopes}

    def conditions(self, place: int) -> dict[int, str]:
        """Return the conditions of the rule at a place in words, by the feature's number.

        Features whose values do not matter to the rule are left out.
        """
        lower, upper = self.lower[place].tolist(), self.upper[place].tolist()
        found = {}
        for k, feature in enumerate(self.features):
            if feature.categories:
                text = set_phrase(feature, self.members(place, k))
            else:
                text = phrase(feature, lower[k], upper[k])
            if text:
                found[k] = text
        return found

    def members(self, place: int, k: int) -> tuple[Any, ...]:
        """Return the categories of feature k that the rule at a place allows."""
        flags = self.allowed_of(k)[place]
        return tuple(compress(self.features[k].categories, flags))

    def allowed_of(self, k: int) -> Flags:
        """Tell which categories of feature k the rules allow, (rules, categories)."""
        assert self.allowed is not None
        return self.allowed[:, self.category_slices[k]]

    def limits(self, place: int, k: int) -> bool:
        """Tell whether feature k matters to the rule at a place."""
        if k in self.category_slices:
            return not self.allowed_of(k)[place].all()
        return bool(self.lower[place, k] > -np.inf or self.upper[place, k] < np.inf)

    @cached_property
    def category_slices(self) -> dict[int, slice]:
        """Return where the categories of features stand in `allowed`, by feature."""
        return category_slices(self.features)

    def phrases(self, place: int) -> list[str]:
        """Return the conditions of the rule at a place in words."""
        return list(self.conditions(place).values())

    def speaks_for(self, place: int) -> str:
        """Return what the rule at a place says: its action, its class or not, or a quantity."""
        if self.regresses:
            return quantity_phrase(self, place)
        name = self.outcome_names[self.action[place]]
        is_against = (
            self.against_below is not None
            and not self.ordered
            and self.typical[place] < self.against_below
        )
        return f"not {name}" if is_against else name

    @property
    def hand_written(self) -> int:
        """Return how many of the rules a person wrote."""
        assert self.origin is not None
        return int(np.count_nonzero(self.origin))

    def origin_of(self, place: int) -> str:
        """Return where the rule at a place comes from: learned, by hand, or protected."""
        assert self.origin is not None
        return ORIGINS[self.origin[place]]

    def encode(self, rows: Any) -> Vector:
        """Return rows of values as the numbers that rules compare, (rows, features).

        A frame's columns are chosen by the features' names, if it has them. A category
        becomes its place; what is missing or no category becomes NaN.
        """
        return encode_rows(self.features, rows)

    def take(self, places: ArrayLike, **changes: Any) -> "RuleSet":
        """Return the rules at some places only, in that order."""
        chosen = self._checked_places(places)
        parts = {
            name: getattr(self, name)[chosen] for name in ("lower", "upper", "allowed", *PARTS)
        }
        if self.weights is not None:
            parts["weights"] = self.weights[chosen]
        return replace(self, **{**parts, **changes})

    def strongest(self, top: int | None = None) -> "RuleSet":
        """Return the first rules of the table only."""
        return self.take(np.sort(self.order[: checked_top(top)]))

    def matches(self, observations: ArrayLike) -> NDArray[np.bool_]:
        """Tell which rules contain which observations, (observations, rules)."""
        return self.inside(self._rows(observations))

    def inside(self, rows: Vector) -> NDArray[np.bool_]:
        """Tell which rules contain which rows; a missing feature keeps none out."""
        outside = np.zeros((len(rows), len(self)), np.bool_)
        for k, column in enumerate(rows.T):
            if k in self.category_slices:
                outside |= refuses(column, self.allowed_of(k))
            else:
                outside |= column[:, np.newaxis] < self.lower[:, k]
                outside |= column[:, np.newaxis] > self.upper[:, k]
        return ~outside

    def values(self, observations: ArrayLike) -> Vector:
        """Return the value of every action for each observation; NaN where no rule says one.

        The mean of the matching rules' predictions, weighted by fitness, exactly as an
        engine's `predict`; of an ordered set, what the first matching rule predicts.
        """
        rows = self._rows(observations)
        states = self.states(rows)
        collect = self._first if self.ordered else self._vote
        values = np.empty((len(rows), self.n_actions))
        step = max(1, BLOCK // max(1, len(self)))
        with np.errstate(all="ignore"):
            for first in range(0, len(rows), step):
                part = slice(first, first + step)
                values[part] = collect(self.inside(rows[part]), states[part])
        return values

    def actions(self, observations: ArrayLike) -> Integers:
        """Return the action for each observation."""
        return best_actions(self.values(observations), self.default_action)

    def estimates(self, observations: ArrayLike) -> Vector:
        """Return each quantity for each observation, (observations, outcomes).

        What rules say together, within the quantity's range; where no rule matches, its usual
        value.
        """
        if self.quantities is None:
            raise ConfigError("estimates need rules about quantities: these decide")
        least, usual, largest = self.quantities
        values = self.values(observations)
        return np.where(np.isnan(values), usual, np.clip(values, least, largest))

    def predictions(self, places: Integers, states: States) -> Vector:
        """Return what the rule at each place predicts for the scaled state beside it."""
        if self.weights is None:
            return self.prediction[places]
        weights, inputs = self.weights[places], model_inputs(self.model, states)
        value = weights[:, 0]
        for k in range(1, inputs.shape[1]):
            value = value + weights[:, k] * inputs[:, k]
        return self._limited(value)

    def states(self, rows: Vector) -> States:
        """Return observations as models take them: within the ranges, in [0, 1]."""
        rows = np.clip(self.filled(rows), self.low, self.high)
        if self.nominal:
            return wide_states(rows, self.model_columns, *self.scaled_between)
        return scale(rows, *self.scaled_between)

    def filled(self, rows: Vector) -> Vector:
        """Return rows in which missing numbers are what they count as, if that is something."""
        return rows if self.fill is None else np.where(np.isnan(rows), self.fill, rows)

    def table(self) -> "pd.DataFrame":
        """Return one row per rule, as `rules_table`."""
        return table_of(self)

    def records(self, top: int | None = None) -> list[dict[str, Any]]:
        """Return the first rules as plain values, as `rules_records`."""
        return records_of(self, top)

    def text(self, top: int | None = None) -> str:
        """Return the first rules as sentences, one a line."""
        return text_of(self, top)

    def importance(self) -> Vector:
        """Return how much each feature matters, (features,): shares that add up to 1.

        What rules demand of a feature, 1 - the share of its range that they have, weighted by
        fitness times numerosity; accurate rules alone count if a quarter of the weight is theirs.
        """
        return importance_of(self)

    def _repr_html_(self) -> str:
        """Return what notebooks show: a table of the weightiest rules."""
        return rules_html(self)

    def to_csv(self, top: int | None = None) -> str:
        """Return the table as comma-separated values; names are no formulas of spreadsheets."""
        return csv_of(self, top)

    def to_json(self) -> str:
        """Return everything as JSON, from which `from_json` makes an equal set."""
        return rule_file.write_rules(self)

    @classmethod
    def from_json(cls, source: str | Path) -> "RuleSet":
        """Read rules from JSON text or a file; anything wrong raises ModelFileError."""
        return cls(**rule_file.read_rules(source))

    def to_python(self) -> str:
        """Return the source of a function `decide(observation)` that needs no other package.

        It takes categories by their names, and returns an action's number, or the class.
        """
        return python_source.write_function(self._deciding("Python"))

    def to_c(self) -> str:
        """Return the source of a C99 function `int decide(const double *observation)`.

        It returns the number of the action or class; `category_number` says which number
        stands for a category.
        """
        return c_source.write_c(self._deciding("C"))

    def to_javascript(self) -> str:
        """Return a module of JavaScript with a function `decide(observation)`.

        It takes categories by their names, and returns an action's number, or the class.
        """
        return javascript_source.write_javascript(self._deciding("JavaScript"))

    def to_sql(self, table: str = "observations") -> str:
        """Return a query for a table's rows, each with the `decision`: a class, or a number."""
        return sql_query.write_sql(self._deciding("SQL"), table)

    def to_onnx(self) -> bytes:
        """Return an ONNX graph, with inputs `numbers` and `categories` and output `decision`.

        The package onnx is needed: `pip install 'ruleplay[onnx]'`.
        """
        return onnx_graph.write_onnx(self._deciding("ONNX"))

    def to_pmml(self) -> str:
        """Return a decision list as a RuleSetModel of PMML; a vote is refused."""
        return pmml_document.write_pmml(self._deciding("PMML"))

    @property
    def scaled_between(self) -> Vector:
        """Return what is scaled to 0 and to 1, (2, columns)."""
        return np.array([self.low, self.high]) if self.scaling is None else self.scaling

    def _limited(self, values: Vector) -> Vector:
        limit = np.inf if self.prediction_limit is None else self.prediction_limit
        return np.minimum(np.maximum(values, -limit), limit)

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
        bad = ~np.isfinite(rows) if self.missing_values == "error" else np.isinf(rows)
        for row, k in np.argwhere(bad):
            raise ConfigError(f"observations[{row}, {k}] must be finite, got {rows[row, k]}")
        return self.filled(rows)

    def _deciding(self, form: str) -> "RuleSet":
        """Return the rules if they decide, which is all that a form can say."""
        if self.regresses:
            raise ConfigError(
                f"rules about quantities cannot be written as {form}: use JSON or CSV"
            )
        return self

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


def _locked(array: Array) -> Array:
    """Return an array that nobody can change."""
    array.flags.writeable = False
    return array


def best_actions(values: Vector, default: int) -> Integers:
    """Return the action of largest value in each row, the default where none is known.

    >>> best_actions(np.array([[1.0, 3.0], [np.nan, -1.0], [np.nan, np.nan]]), 0).tolist()
    [1, 1, 0]
    """
    known = ~np.isnan(values)
    best = np.where(known, values, -np.inf).argmax(axis=1)
    return np.where(known.any(axis=1), best, default)
