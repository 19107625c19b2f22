"""What scikit-learn estimators share that learn rules from the rows of a table."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.learners.common.categories import (
    Categories,
    category_bounds,
    encode_categories,
    find_categories,
    nominal_sizes,
)
from ruleplay.learners.common.columns import Columns
from ruleplay.learners.common.frames import as_labels, as_pandas
from ruleplay.learners.common.layout import Layout
from ruleplay.learners.common.rule_views import RuleViews
from ruleplay.learners.common.scaling import (
    Bounds,
    checked_margin,
    given_bounds,
    observed_bounds,
    wider_for_two,
    with_margin,
)
from ruleplay.learners.common.threads import predict_in_threads
from ruleplay.learners.common.training_table import TrainingTable
from ruleplay.rules import RuleSet
from ruleplay.rules.features import Feature, features_of, plain_label

Vector = NDArray[np.float64]


class TabularLearner(RuleViews):
    """Check, encode and scale rows, and predict by an engine.

    A subclass has the parameters `bounds`, `margin`, `categorical_features`, `prediction` and
    `n_jobs`, and sets `engine_` when it learns.
    """

    engine_: XCS
    bounds_: Bounds
    categories_: Categories
    layout_: Layout
    training_table_: TrainingTable  # of models that `ruleplay fit` has made
    n_features_in_: int
    bounds: Any
    margin: Any
    categorical_features: Any
    prediction: str
    n_jobs: int | None

    random_state: Any
    _rng: np.random.Generator

    _label_checks: ClassVar[dict[str, Any]] = {}  # of scikit-learn, beside those of rows
    _found_later: ClassVar[tuple[str, ...]] = ()  # attributes that not every training sets

    @property
    def _takes_gaps(self) -> bool:
        """Tell whether values may be missing, and features nominal."""
        return self.prediction == "scalar"

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = self._takes_gaps
        tags.input_tags.categorical = self.categorical_features is not None
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "engine_")

    def _validated(self, X: ArrayLike, reset: bool, y: Any = "no_validation") -> Any:
        """Return checked rows, and checked labels if there are any."""
        X = as_pandas(X)
        if reset:
            self.__dict__.pop("training_table_", None)
        elif hasattr(self, "training_table_"):
            X = self.training_table_.read(X)
        if reset:
            self.categories_ = find_categories(
                X, self.categorical_features, name_absent=self._takes_gaps
            )
        checked = self._encoded(X, reset, y)
        if reset:
            self._lay_out(nominal_sizes(X, self.categories_))
        return checked

    def _encoded(self, X: Any, reset: bool, y: Any) -> Any:
        """Return checked rows, categories as numbers, and checked labels if there are any."""
        labels = as_labels(y)
        label_checks = {} if isinstance(labels, str) else self._label_checks
        try:
            return validate_data(
                self,
                encode_categories(X, self.categories_),
                labels,
                dtype=np.float64,
                ensure_all_finite="allow-nan" if self._takes_gaps else True,
                reset=reset,
                **label_checks,
            )
        except OverflowError:
            raise ConfigError(
                "X must hold numbers below 1.8e308 in size, got a larger one"
            ) from None

    def _lay_out(self, nominal: dict[int, int]) -> None:
        """Decide which columns an engine has, given the sizes of nominal features."""
        self.layout_ = Layout.of(self.n_features_in_, nominal if self._takes_gaps else {})

    def numbers(self, X: ArrayLike) -> Vector:
        """Return rows as rules compare them: places of categories, and numbers within bounds."""
        check_is_fitted(self)
        return self._clipped(self._validated(X, reset=False))

    def _validated_row(self, row: ArrayLike) -> Vector:
        """Return one row, a sequence or a frame of one, as checked rows."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        rows: Vector = self._validated(as_table(row, names), reset=False)
        return rows

    def _choose_bounds(self, rows: Vector) -> tuple[Bounds, Bounds]:
        """Return the bounds of the features, and those of an engine, which has a margin."""
        if self.bounds is None:
            low, high = observed_bounds(rows)
        else:
            low, high = given_bounds(self.bounds, self.n_features_in_)
        category_bounds(low, high, self.categories_)
        margins = np.full(self.n_features_in_, checked_margin(self.margin, self.n_features_in_))
        if self.margin == "auto" and self.prediction == "scalar":
            margins = wider_for_two(margins, rows)
        return (low, high), self.layout_.column_bounds(with_margin((low, high), margins))

    def _make_engine(
        self,
        configs: tuple[XCSConfig, ReplayConfig | None],
        n_actions: int,
        limits: Bounds,
        about: dict[str, Any],
    ) -> None:
        """Make an engine without rules, and forget what an earlier one came to."""
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=2)
        low, high = limits
        self.engine_ = XCS(
            *configs, n_actions=n_actions, low=low, high=high, seed=int(seeds[0]), about=about
        )
        self._rng = np.random.default_rng(seeds[1])
        for name in self._found_later:
            self.__dict__.pop(name, None)

    def _clipped(self, rows: Vector) -> Vector:
        return np.clip(rows, *self.bounds_)

    def _columns(self, rows: Vector) -> Vector:
        """Return checked rows as the engine has them."""
        return self.layout_.columns(self._clipped(rows))

    def _predictions(self, columns: Vector) -> Vector:
        """Return the system prediction of each action for an engine's rows; NaN without a rule."""
        return predict_in_threads(self.engine_, columns, self.n_jobs)

    def _notes_for_readers(self) -> dict[str, Any]:
        """Return what readers of the engine's rules must know of its features."""
        notes: dict[str, Any] = {}
        if self.categories_:
            notes["categories"] = {
                str(k): {"values": [plain_label(value) for value in known]}
                for k, known in self.categories_.items()
            }
        if hasattr(self, "feature_names_in_"):
            notes["feature_names"] = list(self.feature_names_in_)
        return notes

    def _features(self) -> tuple[Feature, ...]:
        """Return the features with the ranges to which rows are clipped.

        The engine's own may exceed them by a margin: what a rule says beyond them never matters,
        and is not shown.
        """
        table = getattr(self, "training_table_", None)
        columns = Columns() if table is None else table.columns
        return tuple(
            replace(feature, groups_others=feature.name in columns.grouped)
            if feature.categories
            else replace(
                feature,
                low=float(low),
                high=float(high),
                whole=feature.whole or feature.name in columns.whole,
                written=columns.numbers.get(feature.name, feature.written),
                stand_in=columns.stand_ins.get(feature.name),
            )
            for feature, low, high in zip(features_of(self.engine_), *self.bounds_, strict=True)
        )

    def _rules_within_bounds(self, default_action: int) -> RuleSet:
        """Return the rules that decide, and the action where none matches."""
        return RuleSet.of(self.engine_, default_action, self._features())


def as_table(row: Any, names: NDArray[Any] | None) -> Any:
    """Return one row, a sequence or a table of one, as a table with the names of its columns."""
    row = as_pandas(row)
    if isinstance(row, pd.Series):
        return row.to_frame().T
    if isinstance(row, pd.DataFrame) or np.ndim(row) == 2:
        if len(row) != 1:
            raise ConfigError(f"row must be a single one, got {len(row)} rows")
        return row
    values = np.empty((1, len(row)), object)
    values[0] = row
    return values if names is None else pd.DataFrame(values, columns=names)
