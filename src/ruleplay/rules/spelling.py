"""How a category may be written: True, 'true' and ' TRUE ' are one, and so are 3 and '3.0'.

Programs that read a file turn text into numbers and truth values as they see fit. Rules compare
what was meant.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

TRUTH_VALUES = ("true", "false")


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
