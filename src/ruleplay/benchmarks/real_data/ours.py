"""Run a contender of ours on one fold, in a process of its own as the peers are.

    python -m ruleplay.benchmarks.real_data.ours --contender xcs --task TASK.json

A further contender is one more line in CONTENDERS.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from ruleplay import __version__
from ruleplay.benchmarks.real_data.task import Fit, Floats, Integers, Size, Task, serve
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.common.categories import encode_categories
from ruleplay.rules import RuleSet

LONGEST_LIST = 10  # rules, as `ruleplay fit` shows


class FittedEstimator:
    """A fitted estimator of ours, with the rules that a reader is shown."""

    def __init__(self, estimator: Any, rules_of: Callable[[Any], RuleSet]) -> None:
        """Keep the estimator, and how its rules are read."""
        self.estimator, self.rules_of = estimator, rules_of

    def predict(self, rows: pd.DataFrame) -> Integers:
        """Return the class of each row."""
        codes: Integers = self.estimator.predict(rows)
        return codes

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class."""
        shares: Floats = self.estimator.predict_proba(rows)
        return shares

    def size(self) -> Size:
        """Count rules and conditions."""
        return size_of(self.rules_of(self.estimator))


class ShortList:
    """The short list of a classifier: the first rule that matches decides.

    A class is as probable as its share of the training rows that the same rule decides, one
    row of each class added.
    """

    def __init__(self, model: XCSClassifier, rules: RuleSet, task: Task) -> None:
        """Count the classes of the training rows that each rule decides."""
        self.model, self.rules = model, rules
        counts = np.ones((len(rules) + 1, task.n_classes))
        np.add.at(counts, (self.deciding(task.train), task.labels), 1.0)
        self.shares = counts / counts.sum(axis=1, keepdims=True)

    def deciding(self, rows: pd.DataFrame) -> Integers:
        """Return the place of the rule that decides about each row; the default is the last."""
        inside = self.rules.matches(self.numbers(rows))
        always = np.ones((len(inside), 1), np.bool_)
        places: Integers = np.hstack([inside, always]).argmax(axis=1)
        return places

    def numbers(self, rows: pd.DataFrame) -> Floats:
        """Return rows as the rules see them."""
        encoded = encode_categories(rows, self.model.categories_).to_numpy(np.float64)
        clipped: Floats = np.clip(encoded, *self.model.bounds_)
        return clipped

    def predict(self, rows: pd.DataFrame) -> Integers:
        """Return the class that the list says."""
        codes: Integers = self.rules.actions(self.numbers(rows))
        return codes

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class."""
        shares: Floats = self.shares[self.deciding(rows)]
        return shares

    def size(self) -> Size:
        """Count rules and conditions."""
        return size_of(self.rules)


def fit_estimator(
    estimator: Any, task: Task, rules_of: Callable[[Any], RuleSet] = lambda model: model.ruleset_
) -> FittedEstimator:
    """Fit a copy of an estimator with the task's seed; nothing else is set."""
    model = clone(estimator).set_params(random_state=task.seed)
    return FittedEstimator(model.fit(task.train, task.labels), rules_of)


def fit_short_list(estimator: Any, task: Task) -> ShortList:
    """Fit a classifier and compact it on the training rows, as `ruleplay fit` does."""
    model = fit_estimator(estimator, task).estimator
    made = model.compact(task.train, max_rules=LONGEST_LIST)
    return ShortList(model, made.ruleset, task)


def size_of(rules: RuleSet) -> Size:
    """Count rules and their conditions; what a list says otherwise is one more rule."""
    conditions = sum(len(rules.conditions(place)) for place in range(len(rules)))
    return Size(len(rules) + rules.ordered, conditions)


CONTENDERS: dict[str, Fit] = {
    "xcs": partial(fit_estimator, XCSClassifier()),
    "xcs-list": partial(fit_short_list, XCSClassifier()),
}


def compile_first(contender: str, task: Task) -> None:
    """Let a classifier that is thrown away compile what is needed, or find it on disk."""
    model = XCSClassifier(n_steps=1, epochs=None, random_state=0)
    model.fit(task.train, task.labels).predict(task.test)


if __name__ == "__main__":
    serve(CONTENDERS, lambda contender: __version__, compile_first)
