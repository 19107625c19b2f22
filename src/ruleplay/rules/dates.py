"""Dates as numbers that rules compare: days since 1970-01-01, and back in words."""

import datetime
import math
import re
from typing import Any

DATE, DAY_FIRST, MONTH_FIRST = "date", "date, day first", "date, month first"
DATES = (DATE, DAY_FIRST, MONTH_FIRST)  # ways in which dates are written
EXAMPLES = {DATE: "2024-12-31", DAY_FIRST: "31.12.2024", MONTH_FIRST: "12/31/2024"}

_ORDER = {DATE: (0, 1, 2), DAY_FIRST: (2, 1, 0), MONTH_FIRST: (2, 0, 1)}  # year, month, day
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_LAST = datetime.date.max.toordinal() - _EPOCH
_PIVOT = 69  # the first year of two digits that is of the last century
_TEXT = re.compile(
    r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})"
    r"(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(?: ?([AaPp])[Mm])?(?:Z|[+-]\d{2}:?\d{2})?)?"
)


def days_in(text: str, style: str) -> float:
    """Return the days from 1970-01-01 to a date, the time of day as a fraction; NaN if it is none.

    A year of four digits may come first in every style.

    >>> days_in("1970-01-03", DATE), days_in("3.1.1970 12:00", DAY_FIRST), days_in("red", DATE)
    (2.0, 2.5, nan)
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        return math.nan
    parts = found[1], found[3], found[4]
    style = DATE if len(parts[0]) == 4 else style
    year, month, day = (parts[k] for k in _ORDER[style])
    if len(year) not in ((4,) if style == DATE else (2, 4)) or max(len(month), len(day)) > 2:
        return math.nan
    try:
        date = datetime.date(_full_year(year), int(month), int(day))
    except ValueError:
        return math.nan
    return date.toordinal() - _EPOCH + _share_of_day(*found.groups()[4:])


def days_of(value: Any) -> float:
    """Return the days from 1970-01-01 to a date or a time that a program has read."""
    if not isinstance(value, datetime.datetime):
        return float(value.toordinal() - _EPOCH)
    midnight = value.replace(hour=0, minute=0, second=0, microsecond=0)
    return value.toordinal() - _EPOCH + (value - midnight).total_seconds() / 86_400


def date_text(days: float, *, whole: bool) -> str:
    """Return a number of days as a date, with the time of day unless days are whole.

    >>> date_text(19_787.0, whole=True), date_text(19_787.25, whole=False)
    ('2024-03-05', '2024-03-05 06:00')
    """
    minutes = round((min(max(days, 1 - _EPOCH), _LAST) + _EPOCH) * 1440)
    date = datetime.date.fromordinal(min(minutes // 1440, _LAST + _EPOCH)).isoformat()
    minutes %= 1440
    return date if whole else f"{date} {minutes // 60:02d}:{minutes % 60:02d}"


def _full_year(text: str) -> int:
    year = int(text)
    if len(text) == 4:
        return year
    return year + (1900 if year >= _PIVOT else 2000)


def _share_of_day(hour: str | None, minute: str, second: str | None, half: str | None) -> float:
    if hour is None:
        return 0.0
    hours = int(hour)
    if half:
        hours = hours % 12 + 12 * (half in "Pp")
    return (hours * 3600 + int(minute) * 60 + float(second or 0)) / 86_400
