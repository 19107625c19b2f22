"""Short ordered lists of rules as a scikit-learn classifier."""

from functools import partial
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Tags, check_random_state, column_or_1d, compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.classifier.labels import class_numbers
from ruleplay.learners.classifier.model_file import LEARNER
from ruleplay.learners.common.class_shares import sharpen
from ruleplay.learners.common.labelled_rows import LabelledRows, checked_weights
from ruleplay.learners.common.list_estimator import ListEstimator
from ruleplay.learners.common.list_front import ListFront
from ruleplay.learners.common.model_notes import load_learner
from ruleplay.learners.rule_list.front import RuleListFront
from ruleplay.learners.rule_list.learning import learn_front
from ruleplay.learners.rule_list.model_file import notes_of, rebuild
from ruleplay.rules import RuleSet
from ruleplay.rules.deciding import deciding_rules
from ruleplay.rules.wording import missing_sentence

Vector = NDArray[np.float64]

LONGEST = 16  # rules, if nothing is said; one for each class if there are more classes


class RuleListClassifier(ClassifierMixin, ListEstimator, BaseEstimator):  # type: ignore[misc]
    """A classifier whose model is a short list: the first rule that applies decides.

    XCS with experience replay learns a population of rules. From their boxes, lists of each
    length are composed: bounds are moved to where they pay most, rules are added, fitted anew
    and dropped, and each rule and each bound must gain its price. What counts is in equal parts
    how many rows are right and how the population votes, which dampens noise: on each row those
    vote that have not learned from it, if there are several. In the end, rules and conditions go
    that make no more than one row right. How many rules the list has is decided by rows that are
    held out, in five folds; then it is learned from all rows. `front()` shows what other lengths
    would do, and `take` chooses one.

    Missing values and categories are those of `XCSClassifier`.

    Attributes:
        classes_: The labels.
        estimator_: The `XCSClassifier` that learned the population.
        n_rules_: How many rules the list has, not counting the default class.
        n_features_in_, feature_names_in_: As in every scikit-learn estimator.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RuleListClassifier(random_state=0).fit(X, y)
    >>> model.n_rules_, bool(model.score(X, y) > 0.9)
    (2, True)
    """

    _front: RuleListFront

    def __init__(
        self,
        max_rules: int | None = None,
        *,
        estimator: XCSClassifier | None = None,
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
    ) -> None:
        """Assign the parameters.

        Args:
            max_rules: Most rules of a list, not counting the default class. None: 16, or as many
                as there are classes.
            estimator: The classifier that learns the population; a copy is fitted, with the other
                parameters given here. None: ten populations with 20 000 presentations each.
            class_weight: Weight of each class: a dictionary, "balanced", or None for equal ones.
            categorical_features: Which columns hold categories, as in `XCSClassifier`.
            random_state: Seed of everything random; None: another one each time.
        """
        self.max_rules = max_rules
        self.estimator = estimator
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn a population, then lists of each length, and choose one of these."""
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=2)
        model = self._population(int(seeds[0])).fit(X, y, sample_weight)
        return self._compose(model, X, y, sample_weight, int(seeds[1]))

    @classmethod
    def of(
        cls,
        model: XCSClassifier,
        X: ArrayLike,
        y: ArrayLike,
        *,
        max_rules: int | None = None,
        random_state: int = 0,
    ) -> Self:
        """Make lists of the rules of a classifier that has learned from these rows."""
        check_is_fitted(model)
        made = cls(max_rules, estimator=model, random_state=random_state)
        made.set_params(
            class_weight=model.class_weight, categorical_features=model.categorical_features
        )
        return made._compose(model, X, y, None, random_state)

    def _compose(
        self,
        model: XCSClassifier,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: Any,
        seed: int,
    ) -> Self:
        """Learn lists from a population and the rows that it has learned from.

        Where it has them, the votes on a row are those of populations that have not seen it.
        """
        labels = column_or_1d(y)
        most = self._longest(max(LONGEST, len(model.classes_)))
        weights = checked_weights(sample_weight, len(labels))
        weights = weights * compute_sample_weight(self.class_weight, labels)
        codes = class_numbers(labels, model.classes_)
        there = weights > 0.0
        labelled = LabelledRows(model.numbers(X), codes, weights).take(there)
        votes = sharpen(model.shares(labelled.rows), model.share_power_)
        unseen = getattr(model, "oob_decision_function_", None)
        if unseen is not None:
            votes = np.where(np.isnan(unseen[there]), votes, unseen[there])
        front = learn_front(model.ruleset_, labelled, votes, most, np.random.default_rng(seed))
        self._take_over(model, front)
        return self

    def _take_over(self, model: XCSClassifier, front: ListFront[Any]) -> None:
        """Become the lists that were made of a classifier's rules."""
        super()._take_over(model, front)
        self.classes_ = model.classes_

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class that the first rule which applies to each row speaks for."""
        places = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[places]
        return labels

    def predict_proba(self, X: ArrayLike) -> Vector:
        """Return the probability of each class for each row, (rows, classes).

        The share of each class in the training rows that the same rule decides, with one row of
        each class added.
        """
        chosen = self.front().in_use
        rows = self.estimator_.numbers(X)
        return chosen.shares()[deciding_rules(chosen.ruleset, rows)]

    def front(self) -> RuleListFront:
        """Return the lists of each length, with their accuracies; print it, or `draw()` it."""
        check_is_fitted(self)
        return self._front

    @property
    def ruleset_(self) -> RuleSet:
        """Return the list on its own, to be written as JSON, CSV, Python, or drawn.

        The value of a rule is 1000 times its share of right training rows, and `experience`
        how many it decides.
        """
        return super().ruleset_

    def text(self) -> str:
        """Return the list as sentences, each with the training rows that it decides."""
        rules = self.ruleset_
        remarks = [missing_sentence(rules.missing_values, rules.features)] * (
            rules.missing_values == "match"
        )
        return "\n".join([self.front().in_use.text(), *remarks])

    def _notes(self) -> dict[str, Any]:
        return notes_of(self)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read lists that were saved, here or by `ruleplay fit`; ModelFileError if it is odd."""
        made: Self = load_learner(path, LEARNER, "a classifier", partial(rebuild, cls))
        return made

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._population(0).prediction == "scalar"
        tags.input_tags.categorical = self.categorical_features is not None
        return tags

    def _population(self, seed: int) -> XCSClassifier:
        """Return the classifier that is to learn the rules."""
        usual = XCSClassifier(n_populations=10, n_steps=20_000, oob_score=True, calibrate=False)
        model = clone(usual if self.estimator is None else self.estimator)
        made: XCSClassifier = model.set_params(
            random_state=seed,
            class_weight=self.class_weight,
            categorical_features=self.categorical_features,
        )
        return made
