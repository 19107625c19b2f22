"""Declare a setting once: its symbol, allowed values and meaning, and the check that follows."""

import dataclasses
import math
from numbers import Integral, Real
from types import NoneType
from typing import Any, NamedTuple, get_args

import numpy as np

from ruleplay.core.components.registry import Seam
from ruleplay.core.state.described import LARGEST_PAYOFF
from ruleplay.errors import ConfigError

_RULE = "ruleplay"
_INT64_END = 2**63
LARGEST = LARGEST_PAYOFF


class Rule(NamedTuple):
    """Hold what a setting's declaration says beyond its type and default."""

    symbol: str
    doc: str
    at_least: float | None
    above: float | None
    at_most: float | None
    below: float | None
    choices: tuple[str, ...]
    words: tuple[str, ...]
    later: bool
    seam: type[Seam] | None
    kernel: str | None
    means_one: str
    absent: float

    def names(self) -> tuple[str, ...]:
        """Return the words that may be chosen; components may be registered at any time."""
        return self.choices if self.seam is None else self.seam.names()


class SettingRecord(NamedTuple):
    """Describe one setting for tables in the documentation and on the terminal."""

    name: str
    symbol: str
    default: Any
    allowed: str
    doc: str


def param(
    default: Any,
    symbol: str = "",
    *,
    doc: str,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
    choices: tuple[str, ...] = (),
    words: tuple[str, ...] = (),
    later: bool = False,
    seam: type[Seam] | None = None,
    kernel: str | None = None,
    means_one: str = "",
    absent: float = 0.0,
    kind: Any = None,
) -> Any:
    """Make a dataclass field that knows its paper symbol, its range and its meaning.

    The annotation says the rest: `int`, `float`, `bool` or `str`, and `| None` where the
    setting may be absent. A number may have `words` that stand for one found out later. The
    choices may be the components of a `seam`. A setting that came `later` is part of no digest
    while it has its default, so that what was done before keeps its name.

    Kernels read a setting as a number of the same name as its symbol, in lower case, or as the
    setting itself; `kernel` names it otherwise, "" if they do not read it at all. Where it is a
    word, they read 1 for the one that `means_one`; where it is None, they read `absent`.

    The setting of a component has no annotation; its `kind` is the type of the default, if it is
    not given.
    """
    rule = Rule(
        symbol,
        doc,
        at_least,
        above,
        at_most,
        below,
        choices,
        words,
        later,
        seam,
        kernel,
        means_one,
        absent,
    )
    field: Any = dataclasses.field(default=default, metadata={_RULE: rule})
    field.type = kind
    return field


def rule_of(field: "dataclasses.Field[Any]") -> Rule:
    """Return the rule that `param` attached to a field."""
    rule: Rule = field.metadata[_RULE]
    return rule


def kind_of(field: "dataclasses.Field[Any]") -> type:
    """Return the type of a field's values, apart from None."""
    kind: type = next(kind for kind in _annotated(field) if kind is not NoneType)
    return kind


def is_optional(field: "dataclasses.Field[Any]") -> bool:
    """Tell whether a field accepts None."""
    return NoneType in _annotated(field)


def _annotated(field: "dataclasses.Field[Any]") -> tuple[Any, ...]:
    return get_args(field.type) or (field.type,)


def describe_field(field: "dataclasses.Field[Any]", prefix: str = "") -> SettingRecord:
    """Return a field's row for a table of settings."""
    rule = rule_of(field)
    return SettingRecord(prefix + field.name, rule.symbol, field.default, allowed(field), rule.doc)


def allowed(field: "dataclasses.Field[Any]") -> str:
    """Spell what a field accepts: an interval, the choices, or the kind of value.

    A real number without a limit of its own may be as large as any payoff.
    """
    kind, rule = kind_of(field), rule_of(field)
    if kind is bool:
        text = "True or False"
    elif rule.names():
        text = "one of " + ", ".join(map(repr, rule.names()))
    else:
        noun = "an integer" if kind is int else "a number"
        text = ", or ".join([f"{noun} in {_interval(kind, rule)}", *map(repr, rule.words)])
    return f"{text}, or None" if is_optional(field) else text


def _interval(kind: type, rule: Rule) -> str:
    lowest, highest = ("(-inf", "inf)") if kind is int else (f"[{-LARGEST:g}", f"{LARGEST:g}]")
    lower = f"[{rule.at_least:g}" if rule.at_least is not None else lowest
    lower = f"({rule.above:g}" if rule.above is not None else lower
    upper = f"{rule.at_most:g}]" if rule.at_most is not None else highest
    upper = f"{rule.below:g})" if rule.below is not None else upper
    return f"{lower}, {upper}"


def label(field: "dataclasses.Field[Any]", prefix: str = "") -> str:
    """Name a field as messages do, with its symbol: `learning_rate (beta)`."""
    symbol = rule_of(field).symbol
    return f"{prefix}{field.name} ({symbol})" if symbol else f"{prefix}{field.name}"


def checked(field: "dataclasses.Field[Any]", value: Any, prefix: str = "") -> Any:
    """Return the value cast to the field's type, or raise ConfigError that says what is allowed."""
    if value is None and is_optional(field):
        return None
    kind, rule = kind_of(field), rule_of(field)
    if isinstance(value, str) and value in rule.words:
        return str(value)
    cast = _cast(kind, value)
    if cast is not None and _accepts(rule, cast):
        return cast
    demand = f"be {allowed(field)}"
    if kind is float and cast is not None and not is_optional(field):
        demand = f"lie in {_interval(kind, rule)}"
    raise ConfigError(f"{label(field, prefix)} must {demand}, got {_shown(value)}")


def _cast(kind: type, value: Any) -> Any:
    """Return the value as the kind asked for, or None where it is of another kind."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value) if kind is bool else None
    if kind is str:
        return str(value) if isinstance(value, str) else None
    if kind is bool or not isinstance(value, Real):
        return None
    return _cast_number(kind, value)


def _cast_number(kind: type, value: Real) -> int | float | None:
    if kind is int and isinstance(value, Integral):
        return int(value) if abs(int(value)) < _INT64_END else None
    number = _to_float(value)
    if kind is float:
        return number + 0.0  # one spelling of zero, so that equal settings have one digest
    whole = math.isfinite(number) and number.is_integer() and abs(number) < _INT64_END
    return int(number) if whole else None


def _to_float(value: Real) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _accepts(rule: Rule, value: Any) -> bool:
    if isinstance(value, (bool, str)):
        return not rule.names() or value in rule.names()
    return (
        (isinstance(value, int) or abs(value) <= LARGEST)
        and (rule.at_least is None or value >= rule.at_least)
        and (rule.above is None or value > rule.above)
        and (rule.at_most is None or value <= rule.at_most)
        and (rule.below is None or value < rule.below)
    )


def _shown(value: Any) -> str:
    """Show a value as the user wrote it, NumPy scalars as plain numbers."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 80 else f"{text[:77]}..."
