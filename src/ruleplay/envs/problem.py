"""A problem as the rest of ruleplay sees it, and the register of problems by name."""

import difflib
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.errors import ConfigError

Vector = NDArray[np.float64]
Function = Callable[[Vector], Vector]


@dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """A compiled problem with everything an agent has to know about it.

    The arrays in `dynamics` hold the current episode: give each run a problem of its own.
    """

    name: str
    dynamics: Any  # a NamedTuple registered in ruleplay.envs.dynamics
    low: Vector  # (features,) raw values that an agent scales to 0 ...
    high: Vector  # ... and to 1
    margin: Vector | float = 0.0  # how far a raw observation may lie outside these bounds
    whole_numbers: bool = False  # whether all raw observations are
    n_actions: int
    single_step: bool
    right_or_wrong: bool = False  # whether each step pays `largest_reward`, or 0
    time_limit: int  # steps per episode; 0 if every step ends one
    divergence_threshold: float | None  # a mean return below it counts as diverged
    largest_return: float  # no episode's undiscounted return exceeds it
    largest_reward: float  # no step's reward exceeds it
    least_reward: float | None = None  # none lies below it, if that is known
    feature_names: tuple[str, ...]
    action_names: tuple[str, ...]
    function: Function | None = None  # what is to be predicted at rows of raw observations

    def __post_init__(self) -> None:
        """Refuse bounds and names that do not fit together."""
        if self.low.shape != self.high.shape or self.low.shape != (len(self.feature_names),):
            raise ConfigError("low, high and feature_names must have one entry per feature")
        if not (np.isfinite(self.low).all() and np.isfinite(self.high).all()):
            raise ConfigError("low and high must be finite")
        if not (self.low < self.high).all():
            raise ConfigError("low must lie below high in every feature")
        if len(self.action_names) != self.n_actions:
            raise ConfigError(
                f"action_names must have {self.n_actions} entries, got {len(self.action_names)}"
            )

    def largest_value(self, discount: float) -> float:
        """Return the largest discounted return that any state could have."""
        if discount == 1.0 or self.largest_reward <= 0.0:
            return self.largest_return
        return min(self.largest_return, self.largest_reward / (1.0 - discount))

    @property
    def is_quantity(self) -> bool:
        """Tell whether there is nothing to decide, and what each step pays is to be predicted."""
        return self.single_step and self.n_actions == 1

    @property
    def quantity_range(self) -> tuple[float, float, float] | None:
        """Return the least, the middle and the largest value of a quantity, if that is known."""
        if not self.is_quantity or self.least_reward is None:
            return None
        low, high = self.least_reward, self.largest_reward
        return low, (low + high) / 2, high

    @property
    def n_features(self) -> int:
        """Count the numbers in an observation."""
        return len(self.low)


Maker = Callable[..., Problem]
_MAKERS: dict[str, Maker] = {}


def register_problem(name: str) -> Callable[[Maker], Maker]:
    """Make the decorated function the one that builds problem `name`."""

    def register(maker: Maker) -> Maker:
        _MAKERS[name] = maker
        return maker

    return register


def problem_names() -> tuple[str, ...]:
    """List the names `make_problem` knows; `rmp` and `mux` may be followed by a number of bits."""
    return tuple(sorted(_MAKERS))


def problem_options(name: str) -> dict[str, Any]:
    """List the options of a problem with their defaults."""
    maker, fixed = _find(name)
    parameters = inspect.signature(maker).parameters.values()
    return {p.name: p.default for p in parameters if p.name not in fixed}


def make_problem(name: str, **options: Any) -> Problem:
    """Build the named problem, fresh, with the given options.

    >>> from ruleplay.envs import make_problem
    >>> make_problem("rmp11").n_features
    11
    >>> make_problem("chain", n=32, slip=0.1, teletransport=True).time_limit
    200
    """
    maker, fixed = _find(name)
    allowed = problem_options(name)
    for option in options:
        if option not in allowed:
            raise ConfigError(_unknown(f"option of problem {name!r}", option, allowed))
    return maker(**fixed, **options)


def _find(name: str) -> tuple[Maker, dict[str, Any]]:
    """Look up who builds `name`, and the options the name itself fixes."""
    sized = re.fullmatch(r"(rmp|mux)([0-9]{1,6})", name) if isinstance(name, str) else None
    if sized:
        return _MAKERS[sized[1]], {"bits": int(sized[2])}
    if name not in _MAKERS:
        raise ConfigError(_unknown("problem", name, _MAKERS))
    return _MAKERS[name], {}


def _unknown(kind: str, word: Any, allowed: Any) -> str:
    """Word the refusal of an unknown name, with the nearest known one if there is any."""
    known = sorted(allowed)
    near = difflib.get_close_matches(str(word), known, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"unknown {kind} {word!r}{hint}; known: {', '.join(known) or 'none'}"
