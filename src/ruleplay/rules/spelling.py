"""How values may be written: True, 'true' and ' TRUE ' are one category, 3 and '3.0' another.

Programs that read a file turn text into numbers and truth values as they see fit. Rules compare
what was meant. Numbers may have decimal commas, commas between thousands, or signs of a unit; dates
are numbers of days.
"""

import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ruleplay.rules.dates import DATES, days_in, days_of

TRUTH_VALUES = ("true", "false")
ABSENT = "(missing)"  # the category, the last one, of values that are missing or unknown
MISSING_WORDS = ("", "na", "n/a", "#n/a", "nan", "null", "none", "?", "-", "--", ".", ABSENT)
PLAIN, DECIMAL_COMMA, THOUSANDS, UNIT = "plain", "decimal comma", "thousands", "unit"
STYLES = (PLAIN, DECIMAL_COMMA, THOUSANDS, UNIT, *DATES)  # in which numbers are written
UNITS = "%$€£¥"  # signs that may stand before or after numbers of all styles but plain ones
BESIDE = UNITS + " \xa0\u202f"  # with blanks

_LONGEST = max(map(len, MISSING_WORDS))
_WITHOUT = str.maketrans("", "", BESIDE)
_DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+")


def is_missing(text: str) -> bool:
    """Tell whether a field says that its value is missing.

    >>> is_missing("N/A"), is_missing("Nada")
    (True, False)
    """
    return len(text) <= _LONGEST and text.lower() in MISSING_WORDS


def plain_number(text: str, style: str) -> str:
    """Return a number as programs write it; what is none as it is.

    >>> plain_number("1.234,5", DECIMAL_COMMA), plain_number("$1,234.5", UNIT)
    ('1234.5', '1234.5')
    """
    if style == PLAIN:
        return text
    if style in DATES:
        return repr(days_in(text, style))
    bare = without_units(text)
    if style != DECIMAL_COMMA:
        return bare.replace(",", "")
    if _DECIMAL_COMMA.fullmatch(bare):
        return bare.replace(".", "").replace(",", ".")
    return bare


def without_units(text: str) -> str:
    """Return a number without signs of a unit, and without blanks.

    >>> without_units("-$1,250"), without_units("53 %")
    ('-1,250', '53')
    """
    return text.translate(_WITHOUT)


def plain_value(value: Any, style: str) -> Any:
    """Return the text of a number as programs write it, a date as days, others as they are."""
    if isinstance(value, str):
        return plain_number(value, style)
    return days_of(value) if style in DATES and hasattr(value, "toordinal") else value


def spelling(value: Any) -> str | None:
    """Return the one spelling of a value; None for what is missing, or no plain value.

    >>> spelling(True), spelling(" TRUE"), spelling(7), spelling("07"), spelling("red ")
    ('true', 'true', '7.0', '7.0', 'red')
    """
    if isinstance(value, (bool, np.bool_)):
        return str(value).lower()
    if isinstance(value, str):
        return _spelled_text(value.strip())
    if isinstance(value, (int, float, np.integer, np.floating)) and math.isfinite(value):
        return repr(float(value))
    return None


def _spelled_text(text: str) -> str:
    if text.lower() in TRUTH_VALUES:
        return text.lower()
    try:
        number = float(text)
    except ValueError:
        return text
    return repr(number) if math.isfinite(number) else text


def places_by_spelling(categories: Iterable[Any]) -> dict[str, int]:
    """Return the place of each category by its spelling, without those that two of them share.

    >>> places_by_spelling(["no", "yes"]), places_by_spelling(["1", "1.0", "2"])
    ({'no': 0, 'yes': 1}, {'2.0': 2})
    """
    places: dict[str, int] = {}
    shared = set()
    for place, category in enumerate(categories):
        text = spelling(category)
        if text is None:
            continue
        if text in places:
            shared.add(text)
        places[text] = place
    return {text: place for text, place in places.items() if text not in shared}
