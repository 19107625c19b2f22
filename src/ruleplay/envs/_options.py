"""Check the options of a problem and cast each to the type its kernels expect."""

import math
from numbers import Integral, Real
from typing import Any

from ruleplay.errors import ConfigError


def whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return `value` as an int, or refuse what is not a whole number in [low, high]."""
    allowed = f"at least {low}" if high is None else f"between {low} and {high}"
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or value < low or (high is not None and value > high):
        raise ConfigError(f"{name} must be a whole number {allowed}, got {value!r}")
    return int(value)


def real(
    name: str,
    value: Any,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    above_low: bool = False,
) -> float:
    """Return `value` as a float, or refuse what is not a finite number in the interval."""
    is_real = isinstance(value, Real) and not isinstance(value, bool)
    if not is_real or not math.isfinite(value) or not low <= value <= high:
        raise ConfigError(_outside(name, value, low, high, above_low))
    if above_low and value == low:
        raise ConfigError(_outside(name, value, low, high, above_low))
    return float(value)


def flag(name: str, value: Any) -> bool:
    """Return `value` if it is true or false, or refuse it."""
    if not isinstance(value, bool):
        raise ConfigError(f"{name} must be true or false, got {value!r}")
    return value


def choice(name: str, value: Any, allowed: tuple[str, ...]) -> str:
    """Return `value` if it is one of the allowed words, or refuse it."""
    if not isinstance(value, str) or value not in allowed:
        raise ConfigError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    return value


def _outside(name: str, value: Any, low: float, high: float, above_low: bool) -> str:
    """Word the refusal of a number outside its interval."""
    if math.isinf(low) and math.isinf(high):
        return f"{name} must be a finite number, got {value!r}"
    opening = "(" if above_low or math.isinf(low) else "["
    closing = ")" if math.isinf(high) else "]"
    return f"{name} must lie in {opening}{low:g}, {high:g}{closing}, got {value!r}"
