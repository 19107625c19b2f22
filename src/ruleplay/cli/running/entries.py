"""What the lines of a run's file must hold before anybody computes with them."""

import sys
from collections.abc import Callable
from typing import Any


def trouble_in(entry: Any, *, is_first: bool) -> str:
    """Say what is wrong with an entry; nothing if it can be shown. Unknown events are fine."""
    event = entry.get("event") if isinstance(entry, dict) else None
    if not isinstance(event, str) or (event == "start") != is_first:
        return "a run's file must begin with one event 'start', and others must follow"
    for name, (is_good, what) in _FORMS.get(event, {}).items():
        if name in entry and not is_good(entry[name]):
            return f"{name} must be {what}"
        if name not in entry and name not in _OPTIONAL:
            return f"{name} is missing"
    return ""


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _is_number(value: Any) -> bool:
    """Tell whether a value is a number, or null, which stands for those that JSON lacks."""
    return value is None or (type(value) in (int, float) and abs(value) <= sys.float_info.max)


def _is_time(value: Any) -> bool:
    return value is not None and _is_number(value) and value >= 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_figures(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_number, value.values()))


def _is_curve(value: Any) -> bool:
    if not isinstance(value, dict):
        return value is None
    lists = [part for name, part in value.items() if name != "measure"]
    return _is_text(value.get("measure")) and all(
        isinstance(part, list) and all(map(_is_number, part)) for part in lists
    )


Form = tuple[Callable[[Any], bool], str]

_TEXT: Form = (_is_text, "text")
_COUNT: Form = (_is_count, "a whole number in [0, 2**63)")
_NUMBER: Form = (_is_number, "a number or null")
_OPTIONAL = ("value", "measure")
_FORMS: dict[str, dict[str, Form]] = {
    "start": {"preset": _TEXT, "agent": _TEXT, "seed": _COUNT, "steps": _COUNT},
    "progress": {
        "step": _COUNT,
        "seconds": (_is_time, "a number in [0, inf)"),
        "rules": _NUMBER,
        "value": _NUMBER,
        "measure": _TEXT,
    },
    "end": {
        "figures": (_is_figures, "numbers by name"),
        "curve": (_is_curve, "a curve or null"),
    },
}
