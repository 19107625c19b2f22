"""XCSF as a scikit-learn regressor."""

from functools import partial
from os import PathLike
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ruleplay.errors import ConfigError
from ruleplay.learners.common.labelled_rows import find_equal_rows, hold_out, merge_equal_rows
from ruleplay.learners.common.model_notes import load_learner, save_with_notes
from ruleplay.learners.common.plan_checks import check_learns_alone
from ruleplay.learners.common.training import EarlyStopping, teach
from ruleplay.learners.regressor.learning import RegressorLearning
from ruleplay.learners.regressor.model_file import LEARNER, notes_of, rebuild
from ruleplay.learners.regressor.presentation import Presenter
from ruleplay.learners.regressor.settings import read_plan
from ruleplay.rules import Explanation, RuleSet, explain

Vector = NDArray[np.float64]


class XCSRegressor(RegressorLearning):
    """A regressor whose model is a set of rules that people can read.

    Learning is that of XCSF: a rule has a model of the target, constant, linear or quadratic, that
    holds within a box of the feature space. Rules are drawn from those of ten populations, unless
    something else is asked for (`drawn_from`). At the end each model is fitted anew to all rows
    that its rule matches (`settle`). What is predicted is the mean of all rules that match, the
    more weight for each the better it has predicted rows left out, within the range of the
    training targets; where no rule matches, the mean target.

    Features are scaled to [0, 1] between the smallest and the largest value that the first
    call of `fit` or `partial_fit` sees, or between `bounds`; values outside are clipped.
    Rules are shown in the features' and the target's own units. What is learned does not depend
    on the order of the rows, and a row of weight 2 counts as two rows.

    A missing number (NaN) counts as the mean of its feature in the training rows, a missing
    category satisfies every condition; with `prediction="scalar"`, whose rules need no value,
    so does a missing number. A feature needs one value at least, or `bounds`.

    Of a categorical column a rule allows any set of categories, and its model has a weight for
    each; if its dtype is an ordered `category`, neighbours in that order, and one weight for the
    place in it. A value that is no category when predicting counts as missing.

    The parameters, each with its default: `help(XCSRegressor.__init__)`.

    Attributes:
        targets_: What is known of each target: names, ranges, means.
        error_threshold_: The tolerance that was given or found (eps_0).
        bounds_: The smallest and the largest value of each feature, as used for scaling.
        categories_: The categories of each categorical column, by its number.
        engine_: The learning engine, an `XCS`.
        n_features_in_, feature_names_in_: As in every scikit-learn estimator.
        n_steps_: Presentations made by the last call of `fit` or `partial_fit`.
        deviations_: Of each target, how far predictions of unseen rows are off, as a multiple of
            what the rules say.
        validation_scores_: R² at each look, with early stopping.
        oob_score_, oob_prediction_: With `oob_score`, R² on the training rows, and what is
            predicted for them, by the populations whose samples have not got them; NaN where
            all have.

    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = XCSRegressor(n_steps=10_000, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.4)
    True
    """

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn rules from rows and their targets; a row's weight is how often it is presented."""
        plan = read_plan(self)
        goes_on = self.warm_start and hasattr(self, "engine_")
        rows, values, weights = self._take_in(X, y, sample_weight, reset=not goes_on)
        if goes_on:
            self._check_unchanged(values.shape[1])
            self._widen(values[weights > 0])
        else:
            self._start(y, rows, values, weights, plan)
        plan = plan.for_width(self.engine_.n_features)
        labelled, stopping = self._labelled(rows, values, weights), None
        if plan.early_stopping:
            labelled, held_out = hold_out(
                labelled, plan.validation_fraction, self._rng, by_class=False
            )
            stopping = EarlyStopping(held_out, plan.patience, plan.tolerance)
        distinct, places = find_equal_rows(labelled)
        if not goes_on:
            self._try(distinct, plan)
        if plan.n_apart > 1:
            judged = self._train_apart(distinct, plan)
            if plan.calibrates:
                self._calibrate(judged)
            if plan.oob_score:
                unseen = np.where(places[:, np.newaxis] < 0, np.nan, judged.errors[places])
                self._score_out_of_bag(unseen, values, weights)
        else:
            self._train(distinct, plan, stopping)
        self._settle(distinct, plan)
        return self

    def partial_fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Go on learning: as many presentations as there are rows, of each target.

        The rows of the first call fix the scaling, unless there are `bounds`, and the range of the
        target within which predictions stay; later rows widen that range.
        """
        plan = read_plan(self)
        check_learns_alone(self, "partial_fit")
        is_first = not hasattr(self, "engine_")
        rows, values, weights = self._take_in(X, y, sample_weight, reset=is_first)
        if is_first:
            self._start(y, rows, values, weights, plan)
        else:
            self._check_unchanged(values.shape[1])
            self._widen(values[weights > 0])
        labelled = merge_equal_rows(self._labelled(rows, values, weights))
        self.n_steps_ = len(rows) * values.shape[1]
        teach(self.engine_, Presenter(labelled, self._rng), self.n_steps_)
        return self

    def predict(self, X: ArrayLike, return_std: bool = False) -> Vector | tuple[Vector, Vector]:
        """Return what is predicted for each row; of several targets, (rows, targets).

        With `return_std`, also how far that is off, as a standard deviation: the errors of the
        rules that speak and their disagreement, times a factor found on unseen rows.
        """
        check_is_fitted(self)
        rows = self._validated(X, reset=False)
        values = self._shaped(self._values(rows))
        if not return_std:
            return values
        return values, self._shaped(self.deviations(rows))

    def deviations(self, numbers: Vector) -> Vector:
        """Return how far predictions are off, (rows, targets), for rows as `numbers` has them."""
        factors: Vector = np.array([one.factor for one in self.deviations_])
        return self._spoken(numbers)[1] * factors

    def interval(self, X: ArrayLike, coverage: float = 0.9) -> tuple[Vector, Vector]:
        """Return the ends of intervals that hold the targets of so large a share of new rows."""
        check_is_fitted(self)
        if not isinstance(coverage, (int, float, np.floating)) or not 0.0 < coverage < 1.0:
            raise ConfigError(f"coverage must lie in (0, 1), got {coverage!r}")
        rows = self._validated(X, reset=False)
        reach = np.array([one.reach(float(coverage)) for one in self.deviations_])
        values, half = self._values(rows), self._spoken(rows)[1] * reach
        return self._shaped(values - half), self._shaped(values + half)

    def covered(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Tell of each row whether any rule speaks about it; else the mean is predicted."""
        predictions = self._predictions(self._columns(self.numbers(X)))
        return np.asarray(~np.isnan(predictions).all(axis=1))

    @property
    def error_threshold_(self) -> float:
        """Return the error below which a rule counts as accurate, given or found."""
        check_is_fitted(self)
        return self.engine_.config.error_threshold

    @property
    def ruleset_(self) -> RuleSet:
        """Return the rules on their own, to be written as JSON or CSV.

        `estimates` of it are what `predict` returns; `encode` turns rows into the numbers that
        rules compare.
        """
        check_is_fitted(self)
        return self._rules_within_bounds(0)

    def explain(self, row: ArrayLike) -> Explanation:
        """Explain what is predicted for one row, a sequence or a frame of one: which rules spoke.

        Print it, or read its `votes`.
        """
        return explain(self.ruleset_, self._clipped(self._validated_row(row))[0])

    def save(self, path: str | PathLike[str]) -> None:
        """Write the whole regressor to one file without pickled code.

        Left out are a callback and a random state that is not a number.
        """
        check_is_fitted(self)
        save_with_notes(self.engine_, notes_of(self), path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a regressor that goes on bit by bit; an odd file raises ModelFileError."""
        regressor: Self = load_learner(path, LEARNER, "an XCSRegressor", partial(rebuild, cls))
        return regressor

    def _widen(self, values: Vector) -> None:
        """Let predictions reach further values of the targets."""
        low, high = values.min(axis=0, initial=np.inf), values.max(axis=0, initial=-np.inf)
        targets = self.targets_
        self.targets_ = targets._replace(
            low=np.minimum(targets.low, low), high=np.maximum(targets.high, high)
        )
        self.engine_.about = self.engine_.about | self.targets_.notes()
