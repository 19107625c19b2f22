"""Decide about new rows by a saved model: by its short list, or by all its rules."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.cli.predicting.score import Score
from ruleplay.cli.reading.rows import as_rows
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.rule_list import RuleListClassifier
from ruleplay.rules import RuleSet
from ruleplay.rules.deciding import deciding_rules

NO_RULE = "no rule applies"


class Answers(NamedTuple):
    """What is decided about rows, as text."""

    labels: list[str]  # classes, or numbers
    certainties: list[str]  # probabilities, or how far numbers may be off
    reasons: list[str]  # none, if nobody asked


class ClassTally:
    """How often each class was the answer."""

    def __init__(self, classes: list[str]) -> None:
        self._classes = classes
        self._counts: Counter[str] = Counter()

    def note(self, labels: list[str]) -> None:
        """Count some answers."""
        self._counts.update(labels)

    def record(self) -> dict[str, int]:
        """Return how often each class was the answer."""
        return {name: self._counts[name] for name in self._classes}

    def lines(self) -> list[str]:
        """Say how many rows have which answer, the most frequent first."""
        total = self._counts.total()
        return [
            f"{name}: {count} row{'' if count == 1 else 's'} ({100 * count / total:.1f} %)"
            for name, count in self._counts.most_common()
        ]


@dataclass(frozen=True)
class Predictor:
    """A classifier, and its short list if that is what decides."""

    name: str  # of the file
    learner: XCSClassifier
    rules: RuleSet  # all of the classifier's
    listed: RuleListClassifier | None
    certainty = "probability"  # what the column beside answers is called

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
        return judge_of(self.learner, self.listed)

    @property
    def target(self) -> str | None:
        """Return the column of the classes in the file that was learned from."""
        table = getattr(self.learner, "training_table_", None)
        return None if table is None else table.target

    def new_tally(self) -> ClassTally:
        """Return what sums answers up."""
        return ClassTally(self.classes)

    def new_score(self) -> Score:
        """Return what compares answers with what is right."""
        return Score(self.classes)

    def decide(self, features: pd.DataFrame, *, explain: bool) -> Answers:
        """Return the class of each row, how probable it is, and why, if that is asked."""
        rows = as_rows(self.learner, features[list(self.rules.feature_names)])
        model = self.learner if self.listed is None else self.listed
        shares = model.predict_proba(rows)
        places = shares.argmax(axis=1)
        reasons = self._reasons(self.learner.numbers(rows), places) if explain else []
        names, chosen = self.classes, shares[np.arange(len(places)), places]
        return Answers(
            [names[place] for place in places], [f"{share:.4f}" for share in chosen], reasons
        )

    def _reasons(self, numbers: NDArray[np.float64], places: NDArray[np.int64]) -> list[str]:
        if self.listed is None:
            return strongest_reasons(self.rules, numbers, places)
        return list_reasons(self.listed.ruleset_, numbers)


def list_reasons(rules: RuleSet, numbers: NDArray[np.float64]) -> list[str]:
    """Return the rule of a list that decides about each row, and what of it is missing."""
    told = [f"rule {k}: IF {rule['if']}" for k, rule in enumerate(rules.records(), 1)]
    reasons = []
    for place, row in zip(deciding_rules(rules, numbers).tolist(), numbers, strict=True):
        if place == len(rules):
            reasons.append(NO_RULE)
            continue
        reasons.append(told[place] + missing_remark(rules, place, row))
    return reasons


def missing_remark(rules: RuleSet, place: int, row: NDArray[np.float64]) -> str:
    """Say which values are missing that the rule at a place asks about."""
    gaps = [rules.feature_names[k] for k in rules.conditions(place) if np.isnan(row[k])]
    return f" (missing: {', '.join(gaps)})" if gaps else ""


def judge_of(learner: Any, listed: Any) -> str:
    """Say who decides: all rules, or a list of so many."""
    if listed is None:
        return f"the {learner.engine_.macroclassifiers} rules"
    count = listed.n_rules_
    return f"the list of {count} rule{'' if count == 1 else 's'}"


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
