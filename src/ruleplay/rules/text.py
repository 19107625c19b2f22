"""The strongest rules of a population as sentences."""

import math
from typing import Any

from ruleplay.harmless import visible
from ruleplay.rules.table import Readable, names_of, prediction_size, rules_records
from ruleplay.rules.wording import rule_sentence


def rules_text(engine: Readable, top: int | None = 10) -> str:
    """Return the first rules of the table as sentences, one a line.

    `IF 0.10 ≤ x ≤ 0.52 AND y ≤ 0.40 THEN red (value 998.1, error 3.2, seen 1840 times)`; a
    decision list ends with what is done if no rule applies.
    """
    return "\n".join(sentences(engine, rules_records(engine, top)))


def sentences(engine: Readable, records: list[dict[str, Any]]) -> list[str]:
    """Return rules as sentences, and what is done if no rule of a list applies.

    A sentence is one line, whatever signs names have.
    """
    lines = [rule_sentence(record, value_digits(engine)) for record in records]
    default = getattr(engine, "default_action", 0)
    if getattr(engine, "ordered", False):
        lines = [line if k == 0 else f"ELSE {line}" for k, line in enumerate(lines)]
        lines.append(f"{'ELSE' if lines else 'ALWAYS'} {names_of(engine).actions[default]}")
    return [visible(line) for line in lines]


def value_digits(engine: Readable) -> int:
    """Return how many decimals of a payoff matter.

    A hundredth of the error threshold, but at most five figures of large predictions.
    """
    digits = 2 - math.floor(math.log10(engine.config.error_threshold))
    size = prediction_size(engine)
    if size > 0.0:
        digits = min(digits, 4 - math.floor(math.log10(size)))
    return max(0, digits)
