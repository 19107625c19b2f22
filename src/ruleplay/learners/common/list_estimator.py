"""What scikit-learn estimators share whose model is a list that was chosen from a front."""

from copy import copy
from os import PathLike
from typing import Any, Self

from sklearn.utils.validation import check_is_fitted

from ruleplay.engine.inputs import checked_integer
from ruleplay.learners.common.list_front import ListFront
from ruleplay.learners.common.model_notes import save_with_notes
from ruleplay.learners.common.rule_views import RuleViews
from ruleplay.rules import RuleSet

LARGEST = 1000  # rules that may be asked for


class ListEstimator(RuleViews):
    """Shows, saves and exchanges the lists that were made of the rules of an estimator."""

    estimator_: Any
    max_rules: int | None
    n_features_in_: int
    _front: ListFront[Any]

    def _notes(self) -> dict[str, Any]:
        """Return what a file must hold besides the engine to make the lists again."""
        raise NotImplementedError

    def _take_over(self, model: Any, front: ListFront[Any]) -> None:
        """Become the lists that were made of an estimator's rules."""
        self.estimator_, self._front = model, front
        self.n_features_in_ = model.n_features_in_
        self.__dict__.pop("feature_names_in_", None)
        if hasattr(model, "feature_names_in_"):
            self.feature_names_in_ = model.feature_names_in_

    def take(self, n_rules: int) -> Self:
        """Return this estimator with another list of the front."""
        check_is_fitted(self)
        other = copy(self)
        other._front = self._front.take(n_rules)
        return other

    @property
    def n_rules_(self) -> int:
        """Return how many rules the list has, not counting what is said if none applies."""
        check_is_fitted(self)
        return self._front.chosen

    @property
    def ruleset_(self) -> RuleSet:
        """Return the list on its own."""
        check_is_fitted(self)
        rules: RuleSet = self._front.in_use.ruleset
        return rules

    def save(self, path: str | PathLike[str]) -> None:
        """Write the lists of each length, and the estimator that they are made of, to one file.

        There is no pickled code in it. The estimator's own class reads it from the same file. A
        random state that is not a number is left out.
        """
        check_is_fitted(self)
        save_with_notes(self.estimator_.engine_, self._notes(), path)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_front")

    def _longest(self, usual: int) -> int:
        """Return how many rules a list may have; `usual` if nothing is said."""
        self._check_longest()
        return usual if self.max_rules is None else int(self.max_rules)

    def _check_longest(self) -> None:
        """Refuse a length that no list can have."""
        if self.max_rules is not None:
            checked_integer("max_rules", self.max_rules, 0, LARGEST)
