"""How a learner shows what it has learned: its rules as a table, as text, as plain values."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.rules import RuleSet


class RuleViews:
    """What every estimator has whose model is a set of rules, its `ruleset_`."""

    @property
    def ruleset_(self) -> RuleSet:
        """Return the rules on their own, to be written as JSON, CSV, Python, or drawn."""
        raise NotImplementedError

    @property
    def rules_(self) -> pd.DataFrame:
        """Return one row per rule, the weightiest first, in the features' own units.

        `lower_` and `upper_` bounds of each feature, `class`, then prediction, error,
        fitness, numerosity, experience and generality, as `ruleplay.rules.rules_table`.
        A categorical feature has one column `in_`: the categories that the rule allows.
        """
        return self.ruleset_.table()

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Return how much each feature matters to the rules, as `RuleSet.importance`."""
        return self.ruleset_.importance()

    def rules_text(self, top: int | None = 10) -> str:
        """Return the weightiest rules as sentences, one a line; None: all.

        A rule that predicts less than half of the reward speaks against its class:
        `IF petal width ≤ 0.8 THEN not virginica (value 0.0, ...)`. A last line says what a
        missing value means.
        """
        return self.ruleset_.text(top)

    def rules_records(self, top: int | None = None) -> list[dict[str, Any]]:
        """Return the weightiest rules as plain values, worded as in `rules_text`."""
        return self.ruleset_.records(top)
