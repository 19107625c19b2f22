"""Read the rules of an engine, or of a set: as a table, as plain values, as sentences."""

from typing import TYPE_CHECKING, Any

from ruleplay.rules.features import Readable
from ruleplay.rules.ruleset import RuleSet

if TYPE_CHECKING:
    import pandas as pd


def rules_table(source: Readable | RuleSet) -> "pd.DataFrame":
    """Return one row per rule, those with most fitness and numerosity first.

    `lower_` and `upper_` bounds of each feature, or `in_` and a feature's name: the
    categories that a rule allows; `action`, or `class` if the rules classify; then
    prediction, error, fitness, numerosity, experience and generality (the share of the input
    space). The prediction of a linear model is that at its box's centre; the model itself,
    in the user's units, is `intercept` + the sum of `slope_<feature>` times the feature. A
    decision list keeps its order.
    """
    return RuleSet.of(source).table()


def rules_records(source: Readable | RuleSet, top: int | None = None) -> list[dict[str, Any]]:
    """Return the first rules of the table as plain values, `if` and `then` as phrases."""
    return RuleSet.of(source).records(top)


def rules_text(source: Readable | RuleSet, top: int | None = 10) -> str:
    """Return the first rules of the table as sentences, one a line."""
    return RuleSet.of(source).text(top)
