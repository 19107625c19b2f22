"""Run a regressor of ours on one fold, in a process of its own as the peers are.

    python -m ruleplay.benchmarks.real_data.regression.ours --contender xcs --task TASK.json

A further contender is one more line in CONTENDERS.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from ruleplay import __version__
from ruleplay.benchmarks.real_data.ours import FittedEstimator, fit_estimator
from ruleplay.benchmarks.real_data.task import COVERAGE, Fit, Floats, Task, serve
from ruleplay.learners.regressor import XCSRegressor
from ruleplay.learners.rule_list_regressor import RuleListRegressor


class FittedWithIntervals(FittedEstimator):
    """A fitted regressor of ours that says how far it may be off."""

    def intervals(self, rows: pd.DataFrame) -> Floats:
        """Return the ends of an interval for each row."""
        return np.column_stack(self.estimator.interval(rows, coverage=COVERAGE))


CONTENDERS: dict[str, Fit] = {
    "xcs": partial(fit_estimator, XCSRegressor(), model=FittedWithIntervals),
    "xcs-10": partial(fit_estimator, XCSRegressor(n_populations=10), model=FittedWithIntervals),
    "rule-list": partial(fit_estimator, RuleListRegressor()),
}


def compile_first(contender: str, task: Task) -> None:
    """Let a regressor that is thrown away compile what is needed, or find it on disk."""
    populations = 2 if contender == "xcs-10" else 1
    population = XCSRegressor(n_steps=1, n_populations=populations, random_state=0)
    population.fit(task.train, task.labels).interval(task.test)
    if contender == "rule-list":
        model = RuleListRegressor(max_rules=1, estimator=population, random_state=0)
        model.fit(task.train, task.labels).predict(task.test)


if __name__ == "__main__":
    serve(CONTENDERS, lambda contender: __version__, compile_first)
