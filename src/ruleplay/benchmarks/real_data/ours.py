"""Run a contender of ours on one fold, in a process of its own as the peers are.

    python -m ruleplay.benchmarks.real_data.ours --contender xcs --task TASK.json

A further contender is one more line in CONTENDERS.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
from sklearn.base import clone

from ruleplay import __version__
from ruleplay.benchmarks.real_data.task import Fit, Floats, Labels, Size, Task, serve
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.rule_list import RuleListClassifier
from ruleplay.rules import RuleSet


class FittedEstimator:
    """A fitted estimator of ours, with the rules that a reader is shown."""

    def __init__(self, estimator: Any) -> None:
        """Keep the estimator."""
        self.estimator = estimator

    def predict(self, rows: pd.DataFrame) -> Labels:
        """Return the class, or the quantity, of each row."""
        answers: Labels = self.estimator.predict(rows)
        return answers

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class."""
        shares: Floats = self.estimator.predict_proba(rows)
        return shares

    def size(self) -> Size:
        """Count rules and conditions."""
        return size_of(self.estimator.ruleset_)


def fit_estimator(
    estimator: Any, task: Task, model: type[FittedEstimator] = FittedEstimator
) -> FittedEstimator:
    """Fit a copy of an estimator with the task's seed; nothing else is set."""
    copy = clone(estimator).set_params(random_state=task.seed)
    return model(copy.fit(task.train, task.labels))


def size_of(rules: RuleSet) -> Size:
    """Count rules and their conditions; what a list says otherwise is one more rule.

    Of a list about a quantity that is one of its rules anyway.
    """
    conditions = sum(len(rules.conditions(place)) for place in range(len(rules)))
    return Size(len(rules) + (rules.ordered and not rules.regresses), conditions)


CONTENDERS: dict[str, Fit] = {
    "xcs": partial(fit_estimator, XCSClassifier()),
    "xcs-10": partial(fit_estimator, XCSClassifier(n_populations=10)),
    "rule-list": partial(fit_estimator, RuleListClassifier()),
}


def compile_first(contender: str, task: Task) -> None:
    """Let a classifier that is thrown away compile what is needed, or find it on disk."""
    model: Any = XCSClassifier(n_steps=1, random_state=0)
    if contender == "rule-list":
        population = model.set_params(replay="uniform", settle=True)
        model = RuleListClassifier(max_rules=1, estimator=population, random_state=0)
    model.fit(task.train, task.labels).predict(task.test)


if __name__ == "__main__":
    serve(CONTENDERS, lambda contender: __version__, compile_first)
