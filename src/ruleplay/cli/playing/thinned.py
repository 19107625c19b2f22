"""Keep some moments of a play of any length, at equal distances."""

from collections.abc import Callable
from typing import Generic, TypeVar

from ruleplay.errors import ConfigError

Item = TypeVar("Item")


class Thinned(Generic[Item]):
    """Keeps every moment, then every second, every fourth, and the end of each episode.

    >>> kept = Thinned(4)
    >>> for step in range(9):
    ...     kept.take(step == 8, lambda: step)
    >>> kept.items, kept.every
    ([0, 4, 8], 4)
    """

    def __init__(self, most: int) -> None:
        self.items: list[Item] = []
        self.ends: list[bool] = []  # whether an item is the end of an episode
        self.every = 1
        self._most, self._seen = most, 0

    def take(self, is_end: bool, make: Callable[[], Item]) -> None:
        """Make and keep the next item, if its turn has come."""
        if self._seen % self.every == 0 or is_end:
            self.items.append(make())
            self.ends.append(is_end)
        self._seen += 1
        if len(self.items) > self._most:
            self.thin()

    def thin(self) -> None:
        """Drop every second item, but no end of an episode."""
        kept = [k for k, is_end in enumerate(self.ends) if is_end or k % 2 == 0]
        if len(kept) == len(self.items):
            raise ConfigError("the film has too many episodes: use fewer --episodes")
        self.items = [self.items[k] for k in kept]
        self.ends = [self.ends[k] for k in kept]
        self.every *= 2
