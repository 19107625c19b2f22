"""Rules as sentences."""

import math
from typing import TYPE_CHECKING

import numpy as np

from ruleplay.output.harmless import visible
from ruleplay.rules.quantities import dates_in_models, quantity_digits
from ruleplay.rules.table import records_of
from ruleplay.rules.wording import (
    list_sentences,
    missing_sentence,
    quantity_sentences,
    rule_sentence,
    unsaid,
)

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet


def text_of(rules: "RuleSet", top: int | None = None) -> str:
    """Return the first rules of the table as sentences, one a line.

    `IF 0.10 ≤ x ≤ 0.52 AND y ≤ 0.40 THEN red (value 998.1, error 3.2, seen 1840 times)`; a
    decision list ends with what is done if no rule applies, or with how many rules are not
    shown. If values may be missing, the last line says what that means.
    """
    lines = sentences(rules, top)
    if rules.missing_values != "error":
        lines.append(visible(reading_sentence(rules)))
    return "\n".join(lines)


def sentences(rules: "RuleSet", top: int | None = None) -> list[str]:
    """Return rules as sentences, and what is done if no rule of a list applies.

    A sentence is one line, whatever signs names have.
    """
    records = records_of(rules, top)
    if rules.regresses:
        lines = (list_sentences if rules.ordered else quantity_sentences)(records)
    else:
        digits = value_digits(rules)
        lines = [rule_sentence(record, digits) for record in records]
        if rules.ordered:
            lines = [f"{'ELSE ' if k else ''}{line}" for k, line in enumerate(lines)]
            usual = rules.outcome_names[rules.default_action]
            lines.append(f"{'ELSE' if lines else 'ALWAYS'} {usual}")
    if rules.ordered and len(records) < len(rules):
        lines[len(records) :] = [unsaid(len(rules) - len(records))]
    return [visible(line) for line in lines]


def reading_sentence(rules: "RuleSet") -> str:
    """Say what a missing value means for rules, and what a date is in their formulas."""
    missing = missing_sentence(rules.missing_values, rules.features)
    dates = dates_in_models(rules)
    if not dates:
        return missing
    counts = "counts" if len(dates) == 1 else "count"
    return f"{missing} In a formula, {' and '.join(dates)} {counts} days from 1970-01-01."


def value_digits(rules: "RuleSet") -> int:
    """Return how many decimals of a payoff, or a quantity, matter.

    A hundredth of the error threshold, but at most five figures of large predictions: of
    what nine of ten rules do not exceed in size.
    """
    if rules.regresses:
        return quantity_digits(rules)
    digits = 2 - math.floor(math.log10(rules.error_threshold))
    sizes = np.abs(rules.typical[np.isfinite(rules.typical)])
    size = float(np.quantile(sizes, 0.9)) if len(sizes) else 0.0
    if size > 0.0:
        digits = min(digits, 4 - math.floor(math.log10(size)))
    return max(0, digits)
