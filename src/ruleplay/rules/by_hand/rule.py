"""A rule as a person writes it."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ruleplay.engine.inputs import shown
from ruleplay.errors import ConfigError
from ruleplay.rules.features import plain_label

Interval = tuple[float, float]  # an open side is infinite
Condition = Interval | frozenset[Any]  # numbers, or categories

ANY = "any"
_LABELS = (str, bool, int, float, np.generic)


@dataclass(frozen=True)
class Rule:
    """Conditions on features, all of which must hold, and the class that the rule is about.

    A feature is given by its name or its number. Its condition is an interval of numbers,
    (lower, upper), both ends included and None for an open side, or a set of categories. No
    condition at all, `{}` or "any", holds for every row. Everything is in the user's own units
    and names.

    >>> print(Rule({"age": (40, None), "plan": {"Basic", "Pro"}}, "leaves"))
    IF age ≥ 40 AND plan in {Basic, Pro} THEN leaves
    """

    conditions: Mapping[str | int, Any]
    label: Any

    def __post_init__(self) -> None:
        is_any = isinstance(self.conditions, str) and self.conditions == ANY
        given = {} if is_any else self.conditions
        if not isinstance(given, Mapping):
            raise ConfigError(
                f"the conditions must be a mapping of features, or {ANY!r}, got {shown(given)}"
            )
        checked = {_checked_name(name): read_condition(name, c) for name, c in given.items()}
        if not isinstance(self.label, _LABELS):
            raise ConfigError(f"the class must be text or a number, got {shown(self.label)}")
        object.__setattr__(self, "conditions", checked)
        object.__setattr__(self, "label", plain_label(self.label))

    def __str__(self) -> str:
        phrases = [_phrase(str(name), c) for name, c in self.conditions.items()]
        return f"IF {' AND '.join(phrases) or 'anything'} THEN {self.label}"

    def plain(self) -> dict[str, Any]:
        """Return the rule as JSON has it, from which `read_rules` makes an equal one."""
        conditions = {str(name): _plain_condition(c) for name, c in self.conditions.items()}
        return {"if": conditions, "then": self.label}


def read_condition(name: str | int, given: Any) -> Condition:
    """Return a condition on a feature: [lower, upper], a set, or {"in": [...]}; or refuse it."""
    if isinstance(given, Mapping):
        if set(given) != {"in"} or isinstance(given["in"], (str, Mapping)):
            raise _refusal(name, given)
        given = given["in"]
        if not isinstance(given, Collection):
            raise _refusal(name, given)
        return _categories(name, given)
    if isinstance(given, (set, frozenset)):
        return _categories(name, given)
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise _refusal(name, given)
    lower, upper = (
        side if end is None else _number(name, end)
        for end, side in zip(given, (-math.inf, math.inf), strict=True)
    )
    if lower > upper:
        raise ConfigError(
            f"feature {name!r}: the lower bound must not exceed the upper one, got "
            f"[{lower:g}, {upper:g}]"
        )
    return lower, upper


def _categories(name: str | int, given: Collection[Any]) -> frozenset[Any]:
    if not given:
        raise ConfigError(f"feature {name!r}: a condition must allow one category at least")
    for value in given:
        if not isinstance(value, _LABELS):
            raise ConfigError(
                f"feature {name!r}: a category must be text or a number, got {shown(value)}"
            )
    return frozenset(map(plain_label, given))


def _number(name: str | int, value: Any) -> float:
    good = isinstance(value, (Real, np.number)) and not isinstance(value, (bool, np.bool_))
    if not good or math.isnan(value):
        raise ConfigError(f"feature {name!r}: a bound must be a number or None, got {shown(value)}")
    return float(value)


def _refusal(name: str | int, given: Any) -> ConfigError:
    return ConfigError(
        f"feature {name!r}: a condition must be [lower, upper], or a set of categories, "
        f'{{"in": [...]}}, got {shown(given)}'
    )


def _checked_name(name: Any) -> str | int:
    if isinstance(name, (int, np.integer)) and not isinstance(name, bool) and name >= 0:
        return int(name)
    if not isinstance(name, str) or not name:
        raise ConfigError(
            f"a feature must be a name or a number in [0, features), got {shown(name)}"
        )
    return name


def _plain_condition(condition: Condition) -> Any:
    if isinstance(condition, frozenset):
        return {"in": in_order(condition)}
    return [side if math.isfinite(side) else None for side in condition]


def in_order(categories: frozenset[Any]) -> list[Any]:
    """Return categories in an order that is always the same."""
    return sorted(categories, key=lambda value: (isinstance(value, str), value))


def _phrase(name: str, condition: Condition) -> str:
    if isinstance(condition, frozenset):
        return f"{name} in {{{', '.join(map(str, in_order(condition)))}}}"
    lower, upper = condition
    if lower > -math.inf and upper < math.inf:
        return f"{lower:g} ≤ {name} ≤ {upper:g}"
    if upper < math.inf:
        return f"{name} ≤ {upper:g}"
    return f"{name} ≥ {lower:g}" if lower > -math.inf else f"any {name}"
