"""Which columns belong to one nominal feature, as text: '4-7,8-10'."""

import re
from typing import Any, NamedTuple

from ruleplay.errors import ConfigError

Spans = tuple[tuple[int, int], ...]  # first column and the one after the last

_SPAN = re.compile(r"(\d{1,6})-(\d{1,6})")


def read_spans(text: str, name: str = "nominal_columns") -> Spans:
    """Return the spans of columns that text names, or refuse it.

    >>> read_spans("4-7,8-10")
    ((4, 8), (8, 11))
    """
    spans: list[tuple[int, int]] = []
    for part in text.split(",") if text else ():
        found = _SPAN.fullmatch(part)
        first, last = map(int, found.groups()) if found else (0, -1)
        if last < first or (spans and first < spans[-1][1]):
            raise ConfigError(
                f"{name} must be spans of columns in order, such as '4-7,8-10', got {text[:60]!r}"
            )
        spans.append((first, last + 1))
    return tuple(spans)


class Span(NamedTuple):
    """The columns of one feature."""

    first: int
    end: int
    nominal: bool


def feature_spans(spans: Spans, n_columns: int) -> list[Span]:
    """Return the columns of all features; what is in no span is a number.

    >>> [(span.first, span.end) for span in feature_spans(((1, 4),), 5)]
    [(0, 1), (1, 4), (4, 5)]
    """
    found, column = [], 0
    for first, end in (*spans, (n_columns, n_columns)):
        found += [Span(k, k + 1, False) for k in range(column, first)]
        if end > first:
            found.append(Span(first, end, True))
        column = end
    return found


def spans_in(settings: Any, n_columns: int) -> list[Span]:
    """Return the columns of all features of an engine with these settings."""
    text = settings.nominal_columns if settings.condition == "mixed" else ""
    return feature_spans(read_spans(text), n_columns)


def write_spans(spans: Spans) -> str:
    """Return spans as text.

    >>> write_spans(((4, 8), (8, 11)))
    '4-7,8-10'
    """
    return ",".join(f"{first}-{end - 1}" for first, end in spans)
