"""The actions among which rules choose."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ruleplay.errors import ConfigError

KINDS = "fiub"  # of numbers in actions: real, whole, and truth values

Row = tuple[float, ...]


@dataclass(frozen=True)
class Actions:
    """Fixed actions, numbered from 0: whole numbers from `first` on, or rows of a table."""

    count: int
    first: int = 0
    table: tuple[Row, ...] = ()  # the numbers of each action; none if actions are whole numbers
    shape: tuple[int, ...] = ()  # of one action
    dtype: str = "int64"

    @cached_property
    def _values(self) -> NDArray[Any]:
        return np.array(self.table).reshape(self.count, *self.shape).astype(self.dtype)

    @property
    def are_real(self) -> bool:
        """Tell whether actions are some of real numbers."""
        return np.dtype(self.dtype).kind == "f"

    def take(self, number: Any) -> Any:
        """Return the action of a number, or those of several, as the environment takes them."""
        return self._values[number].copy() if self.table else self.first + number

    def plain_names(self, parts: Sequence[str] = ()) -> list[str]:
        """Return what the actions are called; `parts` are the names of an action's numbers.

        >>> Actions(2, table=((-1.0,), (0.5,)), shape=(1,), dtype="float32").plain_names(["pull"])
        ['pull = -1.0', 'pull = 0.5']
        """
        if not self.table:
            return [str(self.first + k) for k in range(self.count)]
        known = len(parts) == len(self.table[0])
        names = parts if known else [f"a{k}" for k in range(len(self.table[0]))]
        columns = [_spelled(column, self.dtype) for column in zip(*self.table, strict=True)]
        return [
            ", ".join(f"{name} = {value}" for name, value in zip(names, row, strict=True))
            for row in zip(*columns, strict=True)
        ]

    def fit(self, space: spaces.Space[Any]) -> bool:
        """Tell whether a space has these actions."""
        if not self.table:
            return isinstance(space, spaces.Discrete) and (space.n, space.start) == (
                self.count,
                self.first,
            )
        same = space.shape == self.shape and str(space.dtype) == self.dtype
        return same and all(space.contains(action) for action in self._values)

    def as_about(self) -> dict[str, Any]:
        """Return what a model file has to say about the actions."""
        if not self.table:
            return {"first_action": self.first}
        table = [list(row) for row in self.table]
        return {"actions": {"table": table, "shape": list(self.shape), "dtype": self.dtype}}

    @classmethod
    def from_about(cls, about: Mapping[str, Any], count: int) -> "Actions":
        """Make actions from what `as_about` returned."""
        if "actions" not in about:
            first = about["first_action"]
            if type(first) is not int:
                raise ConfigError(f"first_action must be an integer, got {first!r}")
            return cls(count, first)
        notes = about["actions"]
        table = tuple(tuple(row) for row in notes["table"])
        shape, dtype = tuple(notes["shape"]), notes["dtype"]
        if any(type(size) is not int or size < 1 for size in shape):
            raise ConfigError("the shape of an action must be positive integers")
        if not isinstance(dtype, str) or np.dtype(dtype).kind not in KINDS:
            raise ConfigError(f"the type of an action must be one of numbers, got {dtype!r}")
        if len(table) != count or any(len(row) != math.prod(shape) for row in table):
            raise ConfigError(f"the table of actions must have {count} rows of shape {shape}")
        if any(type(value) not in (int, float) for row in table for value in row):
            raise ConfigError("the table of actions must hold numbers")
        return cls(count, 0, table, shape, str(np.dtype(dtype)))


def _spelled(column: Sequence[float], dtype: str) -> list[str]:
    """Return numbers as text, with as few decimals as tell them well."""
    if np.dtype(dtype).kind != "f":
        return [str(int(value)) for value in column]
    digits = next(
        (d for d in (1, 2, 3) if all(abs(value - round(value, d)) < 1e-6 for value in column)), 4
    )
    return [f"{value + 0.0:.{digits}f}" for value in column]
