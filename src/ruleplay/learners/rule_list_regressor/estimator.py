"""Short ordered lists of rules about a quantity as a scikit-learn regressor."""

from functools import partial
from os import PathLike
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.utils import Tags, check_random_state, column_or_1d
from sklearn.utils.validation import check_is_fitted

from ruleplay.learners.common.frames import as_labels, as_pandas
from ruleplay.learners.common.labelled_rows import LabelledRows, checked_weights
from ruleplay.learners.common.list_estimator import ListEstimator
from ruleplay.learners.common.model_notes import load_learner
from ruleplay.learners.common.tabular import as_table
from ruleplay.learners.regressor import XCSRegressor
from ruleplay.learners.regressor.model_file import LEARNER
from ruleplay.learners.rule_list_regressor.front import QuantityListFront
from ruleplay.learners.rule_list_regressor.learning import learn_front
from ruleplay.learners.rule_list_regressor.model_file import notes_of, rebuild
from ruleplay.rules import Explanation, explain

Vector = NDArray[np.float64]

LONGEST = 20  # rules, if nothing is said: a quantity takes more of them than a class


class RuleListRegressor(RegressorMixin, ListEstimator, BaseEstimator):  # type: ignore[misc]
    """A regressor whose model is a short list: the first rule that applies says the quantity.

    XCSF learns a population of rules. From their boxes, lists of each length are composed: a model
    of few terms is fitted to what is in a box, the box is moved to where this model gains most, by
    turns; rules are added, fitted anew and dropped, and each rule and each bound must gain its
    price, in units of the error that the population has on unseen rows. A term of a model must
    lower its description length, and there are six at most, so that a sentence shows the whole
    model. How many rules the list has is decided by rows that are held out, in
    five folds: each must take away a hundredth of the error. Then it is learned from all rows.
    `front()` shows what other lengths would do, and `take` chooses one.

    A last rule speaks about all other rows. What is said lies within the range of the training
    targets. Missing values and categories are those of `XCSRegressor`; if its `prediction` is
    "scalar", rules say constants.

    Attributes:
        estimator_: The `XCSRegressor` that learned the population.
        n_rules_: How many rules the list has, not counting the last one.
        n_features_in_, feature_names_in_: As in every scikit-learn estimator.

    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> population = XCSRegressor(n_steps=5000)
    >>> model = RuleListRegressor(estimator=population, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.4)
    True
    """

    _front: QuantityListFront

    def __init__(
        self,
        max_rules: int | None = None,
        *,
        estimator: XCSRegressor | None = None,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
    ) -> None:
        """Assign the parameters.

        Args:
            max_rules: Most rules of a list, not counting the last one. None: 20.
            estimator: The regressor that learns the population; a copy is fitted, with the other
                parameters given here. None: one population with 20 000 presentations.
            categorical_features: Which columns hold categories, as in `XCSRegressor`.
            random_state: Seed of everything random; None: another one each time.
        """
        self.max_rules = max_rules
        self.estimator = estimator
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn a population, then lists of each length, and choose one of these."""
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=2)
        targets = _single(y)
        model = self._population(int(seeds[0])).fit(X, targets, sample_weight)
        return self._compose(model, X, targets, sample_weight, int(seeds[1]))

    @classmethod
    def of(
        cls,
        model: XCSRegressor,
        X: ArrayLike,
        y: ArrayLike,
        *,
        max_rules: int | None = None,
        random_state: int = 0,
    ) -> Self:
        """Make lists of the rules of a regressor that has learned from these rows."""
        check_is_fitted(model)
        made = cls(max_rules, estimator=model, random_state=random_state)
        made.set_params(categorical_features=model.categorical_features)
        return made._compose(model, X, _single(y), None, random_state)

    def _compose(
        self, model: XCSRegressor, X: ArrayLike, y: Any, sample_weight: Any, seed: int
    ) -> Self:
        """Learn lists from a population and the rows that it has learned from."""
        answers = np.asarray(as_labels(y), np.float64)
        weights = checked_weights(sample_weight, len(answers))
        labelled = LabelledRows(model.numbers(X), answers, weights).take(weights > 0.0)
        front = learn_front(
            model.ruleset_,
            labelled,
            model.deviations(labelled.rows)[:, 0],
            self._longest(LONGEST),
            np.random.default_rng(seed),
        )
        self._take_over(model, front)
        return self

    def predict(self, X: ArrayLike) -> Vector:
        """Return what the first rule that applies to each row says."""
        rules = self.ruleset_
        return rules.estimates(self.estimator_.numbers(X))[:, 0]

    def front(self) -> QuantityListFront:
        """Return the lists of each length, with their errors; print it, or `draw()` it."""
        check_is_fitted(self)
        return self._front

    def text(self) -> str:
        """Return the list as sentences, each with the training rows that it decides."""
        return self.ruleset_.text()

    def explain(self, row: ArrayLike) -> Explanation:
        """Explain what is predicted for one row, a sequence or a frame of one."""
        rules, names = self.ruleset_, getattr(self, "feature_names_in_", None)
        return explain(rules, self.estimator_.numbers(as_table(row, names))[0])

    def _notes(self) -> dict[str, Any]:
        return notes_of(self)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read lists that were saved, here or by `ruleplay fit`; ModelFileError if it is odd."""
        made: Self = load_learner(path, LEARNER, "a regressor", partial(rebuild, cls))
        return made

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = self.categorical_features is not None
        return tags

    def _population(self, seed: int) -> XCSRegressor:
        """Return the regressor that is to learn the rules."""
        model = clone(XCSRegressor(n_steps=20_000) if self.estimator is None else self.estimator)
        made: XCSRegressor = model.set_params(
            random_state=seed, categorical_features=self.categorical_features
        )
        return made


def _single(y: Any) -> Any:
    """Return one target as a vector, which may be a series with a name, or refuse several."""
    return y if isinstance(y, pd.Series) else column_or_1d(as_labels(as_pandas(y)), warn=True)
