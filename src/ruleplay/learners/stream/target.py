"""What is known of the target of a stream, and the payoffs that stand for it."""

import math
from typing import Any

from ruleplay.core.state.described import LARGEST_PAYOFF
from ruleplay.errors import ConfigError

MOST_SCALES = 2.0  # the deviation may be as many times the scale, or its inverse; or the mean away
_SMALLEST_SCALE = 1e-150


class Target:
    """The mean, the deviation and the range of a target so far.

    A payoff is (value - shift) / scale. Both follow mean and standard deviation, but only once
    these have moved far: what was learned must be expressed anew.
    """

    def __init__(self) -> None:
        self.count, self.mean, self._squares = 0, 0.0, 0.0
        self.low, self.high = math.inf, -math.inf
        self.shift, self.scale = 0.0, 0.0  # 0: not known yet

    def learn(self, value: float) -> None:
        """Take in a value (Welford's update)."""
        self.count += 1
        difference = value - self.mean
        self.mean += difference / self.count
        self._squares += difference * (value - self.mean)
        self.low, self.high = min(self.low, value), max(self.high, value)

    @property
    def deviation(self) -> float:
        """Return the standard deviation; 1 while values do not differ."""
        found = math.sqrt(self._squares / self.count) if self.count else 0.0
        return found if found > _SMALLEST_SCALE else 1.0

    def follow(self) -> tuple[float, float] | None:
        """Return by which offset and factor payoffs change if the scale must follow, else None.

        At first there is nothing that could change.
        """
        if self.scale == 0.0:
            self.shift, self.scale = self.mean, self.deviation
            return None
        ratio, away = self.deviation / self.scale, abs(self.mean - self.shift) / self.scale
        if 1.0 / MOST_SCALES <= ratio <= MOST_SCALES and away <= MOST_SCALES:
            return None
        shift, scale = self.shift, self.scale
        self.shift, self.scale = self.mean, self.deviation
        return (shift - self.shift) / self.scale, scale / self.scale

    def payoff(self, value: float) -> float:
        """Return what is paid for a value."""
        return (value - self.shift) / self.scale

    def value(self, payoff: float) -> float:
        """Return the value of a payoff, within the range so far; the mean for NaN."""
        if math.isnan(payoff):
            return self.mean
        return min(max(self.shift + self.scale * payoff, self.low), self.high)

    def notes(self) -> dict[str, Any]:
        """Return what readers of the engine's rules must know."""
        mean = min(max(self.mean, self.low), self.high)
        parts = {"low": self.low, "mean": mean, "high": self.high}
        parts |= {"shift": self.shift, "scale": self.scale}
        return {"quantities": {name: [float(value)] for name, value in parts.items()}}


def checked_target(value: Any) -> float:
    """Return a target as a number, or refuse it."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ConfigError(f"a target must be a number, got {type(value).__name__}") from None
    if not abs(number) <= LARGEST_PAYOFF:
        raise ConfigError(
            f"a target must lie in [{-LARGEST_PAYOFF:g}, {LARGEST_PAYOFF:g}], got {number:g}"
        )
    return number
