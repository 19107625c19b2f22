"""Decide about new rows by a saved model: by its short list, or by all its rules."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.cli.reading import views
from ruleplay.cli.reading.rows import as_rows
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.rule_list import RuleListClassifier
from ruleplay.rules import RuleSet
from ruleplay.rules.deciding import deciding_rules

NO_RULE = "no rule applies"


class Answers(NamedTuple):
    """What is decided about rows."""

    places: NDArray[np.int64]  # of the classes
    probabilities: NDArray[np.float64]
    reasons: list[str]  # none, if nobody asked


@dataclass(frozen=True)
class Predictor:
    """A classifier, and its short list if that is what decides."""

    name: str  # of the file
    classifier: XCSClassifier
    rules: RuleSet  # all of the classifier's
    listed: RuleListClassifier | None

    @property
    def classes(self) -> list[str]:
        """Return the names of the classes."""
        return list(self.rules.outcome_names)

    @property
    def may_miss(self) -> bool:
        """Tell whether values may be missing."""
        return self.rules.missing_values == "match"

    @property
    def judge(self) -> str:
        """Say who decides."""
        if self.listed is None:
            return f"the {self.classifier.engine_.macroclassifiers} rules"
        count = self.listed.n_rules_
        return f"the list of {count} rule{'' if count == 1 else 's'}"

    @property
    def target(self) -> str | None:
        """Return the column of the classes in the file that was learned from."""
        table = getattr(self.classifier, "training_table_", None)
        return None if table is None else table.target

    def decide(self, features: pd.DataFrame, *, explain: bool) -> Answers:
        """Return the class of each row, how probable it is, and why, if that is asked."""
        rows = as_rows(self.classifier, features[list(self.rules.feature_names)])
        model = self.classifier if self.listed is None else self.listed
        shares = model.predict_proba(rows)
        places = shares.argmax(axis=1)
        reasons = self._reasons(self.classifier.numbers(rows), places) if explain else []
        return Answers(places, shares[np.arange(len(places)), places], reasons)

    def _reasons(self, numbers: NDArray[np.float64], places: NDArray[np.int64]) -> list[str]:
        if self.listed is None:
            return strongest_reasons(self.rules, numbers, places)
        return list_reasons(self.listed.ruleset_, numbers)


def list_reasons(rules: RuleSet, numbers: NDArray[np.float64]) -> list[str]:
    """Return the rule of a list that decides about each row, and what of it is missing."""
    told = [f"rule {k}: IF {rule['if']}" for k, rule in enumerate(rules.records(), 1)]
    asked = [list(rules.conditions(place)) for place in range(len(rules))]
    reasons = []
    for place, row in zip(deciding_rules(rules, numbers).tolist(), numbers, strict=True):
        if place == len(rules):
            reasons.append(NO_RULE)
            continue
        gaps = [rules.feature_names[k] for k in asked[place] if np.isnan(row[k])]
        reasons.append(f"{told[place]} (missing: {', '.join(gaps)})" if gaps else told[place])
    return reasons


def strongest_reasons(
    rules: RuleSet, numbers: NDArray[np.float64], places: NDArray[np.int64]
) -> list[str]:
    """Return the strongest rule that matches each row and speaks for its class, in words."""
    assert rules.against_below is not None
    speaks_for = np.where(rules.typical >= rules.against_below, rules.action, -1)
    weight = rules.fitness * rules.numerosity
    supports = rules.inside(numbers) & (speaks_for == places[:, np.newaxis])
    strongest = np.where(supports, weight, -1.0).argmax(axis=1)
    told: dict[int, str] = {}
    for place in np.unique(strongest[supports.any(axis=1)]).tolist():
        told[place] = f"IF {' AND '.join(rules.phrases(place)) or 'anything'}"
    return [
        f"{told[place]} (the strongest of {count} rules)" if count else NO_RULE
        for place, count in zip(strongest.tolist(), supports.sum(axis=1).tolist(), strict=True)
    ]


def load(path: Path, max_rules: int | None, *, all_rules: bool) -> Predictor:
    """Read a model that classifies."""
    view = views.load(path)
    classifier = view.classifier
    if classifier is None:
        raise ConfigError(f"{path} is not a model that classifies, such as `ruleplay fit` makes")
    listed = None if all_rules else views.shortened(view, max_rules).listed
    return Predictor(view.name, classifier, view.rules, listed)
