"""The lists among which a reader may choose: how good they are against the number of rules."""

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ruleplay.errors import ConfigError


class Listed(Protocol):
    """What every list of a front has."""

    @property
    def n_rules(self) -> int:
        """Return the number of rules, not counting what is said if none applies."""

    @property
    def training(self) -> float:
        """Return how good the list is on the training rows."""

    @property
    def held_out(self) -> float:
        """Return how good such lists are on rows that they were not learned from."""


List = TypeVar("List", bound=Listed)


def best_of_limits(
    values: NDArray[np.float64], lengths: Iterable[int], best: Callable[[Any], Any]
) -> dict[int, float]:
    """Return how good lists of some lengths are, given how good those of at most n rules are.

    A list is also what comes of a larger limit for which there is no longer one: it is as good as
    the best of its limits.

    >>> best_of_limits(np.array([0.5, 0.7, 0.6, 0.8]), [0, 1], max)
    {0: 0.5, 1: 0.8}
    """
    firsts = sorted(lengths)
    ends = [*firsts[1:], len(values)]
    return {n: float(best(values[n:end])) for n, end in zip(firsts, ends, strict=True)}


class ListFront(Sequence[List], Generic[List]):
    """Lists from the shortest to the longest; print it as a table, or draw it."""

    measure: ClassVar[str]  # by which lists are judged
    number: ClassVar[str]  # how its values are written
    legend: ClassVar[str]  # where the curves leave room

    def __init__(self, lists: Sequence[List], chosen: int) -> None:
        """Keep the lists; `chosen` is the number of rules of the one in use."""
        self._lists, self.chosen = tuple(lists), chosen

    @overload
    def __getitem__(self, place: int) -> List: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[List, ...]: ...

    def __getitem__(self, place: int | slice) -> List | tuple[List, ...]:
        """Return the list at a place."""
        return self._lists[place]

    def __len__(self) -> int:
        return len(self._lists)

    @property
    def in_use(self) -> List:
        """Return the list that was chosen."""
        return self.of_length(self.chosen)

    def of_length(self, n_rules: int) -> List:
        """Return the list with so many rules, or say which lengths there are."""
        for known in self._lists:
            if known.n_rules == n_rules:
                return known
        lengths = ", ".join(str(known.n_rules) for known in self._lists)
        raise ConfigError(f"the number of rules must be one of {lengths}, got {n_rules!r}")

    def take(self, n_rules: int) -> Self:
        """Return the same front with another list in use."""
        return type(self)(self._lists, self.of_length(n_rules).n_rules)

    def __str__(self) -> str:
        lines = ["rules  training rows  held-out rows"]
        for known in self._lists:
            mark = "  <- chosen" if known.n_rules == self.chosen else ""
            figures = (self.written(value) for value in (known.training, known.held_out))
            lines.append("  ".join([f"{known.n_rules:5d}", *(f"{f:>13}" for f in figures)]) + mark)
        return "\n".join(lines)

    def written(self, value: float) -> str:
        """Return a value of the measure in few digits."""
        return f"{value:{self.number}}"

    def records(self) -> list[dict[str, Any]]:
        """Return the number of rules of each list, and how good it is, as plain values."""
        return [
            {"rules": known.n_rules, "training": known.training, "held_out": known.held_out}
            for known in self._lists
        ]

    def draw(self, ax: Any = None) -> Any:
        """Draw the measure against the number of rules with Matplotlib; return the axes."""
        if ax is None:
            ax = import_module("matplotlib.pyplot").subplots(figsize=(6.0, 4.0))[1]
        lengths = [known.n_rules for known in self._lists]
        curves = {
            "training rows": ([known.training for known in self._lists], "--", "0.6"),
            "held-out rows": ([known.held_out for known in self._lists], "-", "C0"),
        }
        for label, (heights, style, colour) in curves.items():
            ax.plot(lengths, heights, style, color=colour, marker="o", markersize=4, label=label)
        ax.plot(self.chosen, self.in_use.held_out, "o", color="C3", label="chosen")
        ax.set(xlabel="rules", ylabel=self.measure)
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.legend(loc=self.legend, frameon=False)
        return ax
