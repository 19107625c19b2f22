"""Put numbers, intervals and rules into words."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ruleplay.rules.dates import DATES, date_text
from ruleplay.rules.origins import BY_HAND, LEARNED, ORIGINS
from ruleplay.rules.spelling import ABSENT

if TYPE_CHECKING:
    from ruleplay.rules.features import Feature

MANY = 10  # categories above which the shorter way to say what is allowed is always taken
LARGEST_PLAIN = 1e15  # from here on numbers have an exponent
NEAR = 1e-6  # share of a feature's range that bounds may be off by rounding

MISSING_SATISFIES = "A missing value satisfies every condition on its feature."
NONE_MISSING = "No value may be missing."
MISSING_IS_FILLED = (
    "A missing number counts as the mean of its feature; a missing category satisfies every "
    "condition."
)


def missing_sentence(missing_values: str, features: "Iterable[Feature]" = ()) -> str:
    """Say what a missing value means for rules about features with this setting."""
    sentences = {"match": MISSING_SATISFIES, "fill": MISSING_IS_FILLED, "error": NONE_MISSING}
    sentence = sentences[missing_values]
    if any(feature.names_absent for feature in features):
        return f"{sentence[:-1]}; where {ABSENT} is a category, only those that allow it."
    return sentence


def rule_sentence(record: dict[str, Any], digits: int) -> str:
    """Return a record of a rule as a sentence, payoffs with a number of decimals."""
    where = " at the centre" if "intercept" in record else ""
    return (
        f"IF {record['if']} THEN {record['then']} ("
        f"value {fixed(record['prediction'], digits)}{where}, "
        f"error {fixed(record['error'], digits)}, {seen_times(record['experience'])}"
        f"{origin_remark(record.get('origin', ORIGINS[LEARNED]))})"
    )


def quantity_sentences(records: list[dict[str, Any]]) -> list[str]:
    """Return records of rules about quantities as sentences."""
    return [
        f"IF {record['if']} THEN {record['then']} ({seen_times(record['experience'])})"
        for record in records
    ]


def list_sentences(records: list[dict[str, Any]]) -> list[str]:
    """Return records of an ordered list about a quantity as sentences.

    One without a condition is for all rows that are left.
    """
    lines = []
    for k, record in enumerate(records):
        start = f"IF {record['if']} THEN " if record["condition"] else ""
        otherwise = "ELSE " if k else "" if start else "ALWAYS "
        lines.append(f"{otherwise}{start}{record['then']} ({rows_decided(record['experience'])})")
    return lines


def unsaid(count: int) -> str:
    """Stand for the rules of a list that are not shown, and for what it says if none applies.

    >>> unsaid(1), unsaid(12)
    ('ELSE ... (1 more rule)', 'ELSE ... (12 more rules)')
    """
    return f"ELSE ... ({count} more rule{'' if count == 1 else 's'})"


def rows_decided(count: int) -> str:
    """Say how many rows a rule of a list decides.

    >>> rows_decided(1), rows_decided(0)
    ('1 row', 'no row left to decide')
    """
    if count == 0:
        return "no row left to decide"
    return f"{count} row{'' if count == 1 else 's'}"


def origin_remark(origin: str) -> str:
    """Say of a rule that was not learned where it comes from.

    >>> origin_remark("by hand"), origin_remark("protected"), origin_remark("learned")
    (', by hand', ', by hand, protected', '')
    """
    if origin == ORIGINS[LEARNED]:
        return ""
    return f", {ORIGINS[BY_HAND]}" + (f", {origin}" if origin != ORIGINS[BY_HAND] else "")


def seen_times(count: int) -> str:
    """Say how often a rule was asked.

    >>> seen_times(1)
    'seen 1 time'
    """
    return f"seen {count} time{'' if count == 1 else 's'}"


def joined(phrases: list[str]) -> str:
    """Return all conditions of a rule as one phrase."""
    return " AND ".join(phrases) or "anything"


def fixed(value: float, digits: int) -> str:
    """Return a number with a fixed number of decimals, and zero without a sign.

    >>> fixed(-1e-9, 1)
    '0.0'
    """
    return f"{round(value, digits) + 0.0:.{digits}f}"


def in_figures(value: float, figures: int) -> str:
    """Return a number to some figures, with an exponent only if it is very large or small.

    >>> in_figures(36412.3, 4), in_figures(22.5, 4), in_figures(1.5e20, 4)
    ('36410', '22.5', '1.5e+20')
    """
    text = f"{value:.{figures}g}"
    return f"{float(text):.0f}" if "e+" in text and abs(value) < LARGEST_PLAIN else text


def in_full(value: float) -> str:
    """Return a number as tables have them: whole ones in full, others to six figures.

    >>> in_full(1127234.0), in_full(0.1234567), in_full(1127234.5)
    ('1127234', '0.123457', '1127230')
    """
    is_whole = abs(value) < LARGEST_PLAIN and float(value).is_integer()
    return f"{value + 0.0:.0f}" if is_whole else in_figures(value, 6)


def told(feature: "Feature", value: float) -> str:
    """Return a value of a feature of numbers in words."""
    if feature.written in DATES:
        return date_text(value, whole=feature.whole)
    return fixed(value, feature.digits)


def phrase(feature: "Feature", lower: float, upper: float) -> str:
    """Return the condition on a number in words; nothing if it lets every value pass.

    >>> from ruleplay.rules.features import Feature
    >>> phrase(Feature("speed", 0.0, 1.0), 0.25, 1.0)
    'speed ≥ 0.25'
    >>> phrase(Feature("row", 0.0, 3.0, whole=True), 0.5, 1.49)
    'row = 1'
    """
    name, low, high = feature.name, feature.low, feature.high
    lower, upper = max(lower, low), min(upper, high)
    if feature.whole:
        # A bound at a number, scaled to [0, 1] in float32 and back, may lie just beside it.
        near = min(NEAR * (high - low), 0.1)
        first, last = math.ceil(lower - near), math.floor(upper + near)
        return _whole_phrase(feature, first, last)
    at_least, at_most = told(feature, lower), told(feature, upper)
    return _interval(name, at_least if lower > low else "", at_most if upper < high else "")


def set_phrase(feature: "Feature", members: tuple[Any, ...]) -> str:
    """Return the condition on a feature of categories in words; nothing if it allows all.

    Those that it does not allow are named if they are fewer than half as many; of many, if they
    are fewer.

    >>> from ruleplay.rules.features import Feature
    >>> plan = Feature.of_categories("plan", ("Basic", "Free", "Pro", "Team"))
    >>> set_phrase(plan, ("Basic", "Team")), set_phrase(plan, ("Basic", "Free", "Team"))
    ('plan in {Basic, Team}', 'plan not in {Pro}')
    """
    if len(members) == len(feature.categories):
        return ""
    others = [known for known in feature.categories if known not in members]
    weight = 1 if len(members) > MANY else 2
    if weight * len(others) < len(members):
        return f"{feature.name} not in {{{', '.join(map(str, others))}}}"
    return f"{feature.name} in {{{', '.join(map(str, members))}}}"


def span_digits(low: float, high: float) -> int:
    """Return how many decimals of a feature matter: a three-hundredth of its range or less."""
    return max(0, 2 - math.floor(math.log10(high - low)))


def _whole_phrase(feature: "Feature", first: int, last: int) -> str:
    """Return which whole numbers a feature may be."""
    name = feature.name
    if first > last:
        return f"{name} between whole numbers"
    if first == last:
        return f"{name} = {told(feature, first)}"
    at_least = told(feature, first) if first > feature.low else ""
    return _interval(name, at_least, told(feature, last) if last < feature.high else "")


def _interval(name: str, at_least: str, at_most: str) -> str:
    if at_least and at_most:
        return f"{at_least} ≤ {name} ≤ {at_most}"
    if at_least:
        return f"{name} ≥ {at_least}"
    return f"{name} ≤ {at_most}" if at_most else ""
