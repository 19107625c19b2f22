"""Say that a name is unknown."""

import difflib
from collections.abc import Iterable


def unknown_name(what: str, name: str, known: Iterable[str]) -> str:
    """Say that a name is unknown and which known ones it resembles."""
    known = list(known)
    close = difflib.get_close_matches(name, known)
    if close:
        return f"unknown {what}: {name!r}; did you mean {' or '.join(map(repr, close))}?"
    return f"unknown {what}: {name!r}; known are {', '.join(map(repr, known))}"
