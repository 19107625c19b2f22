"""Say who takes part in a comparison, under which name, and by which program."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError


class Roster(NamedTuple):
    """Who takes part in comparisons of one kind."""

    ours: str  # the module that runs ours as a program
    programs: Mapping[str, tuple[str, ...]]  # peers by what runs them: a file or a module
    titles: Mapping[str, str]  # what each is called in tables, in their order

    @property
    def names(self) -> tuple[str, ...]:
        """Return all contenders, in the order of tables."""
        return tuple(self.titles)

    @property
    def own(self) -> tuple[str, ...]:
        """Return those that are ours."""
        return tuple(name for name in self.names if self.program(name) is None)

    def program(self, name: str) -> str | None:
        """Return what runs a peer; None: it is one of ours."""
        found = [program for program, names in self.programs.items() if name in names]
        return found[0] if found else None

    def chosen(self, only: Sequence[str]) -> tuple[str, ...]:
        """Return the contenders that are asked for, all if none is."""
        for name in only:
            if name not in self.names:
                raise ConfigError(unknown_name("contender", name, self.names))
        return tuple(name for name in self.names if not only or name in only)

    def ordered(self, names: Sequence[str]) -> list[str]:
        """Return contenders in the order of tables, unknown ones at the end."""
        known = [name for name in self.names if name in names]
        return known + sorted(set(names) - set(known))

    def title(self, name: str) -> str:
        """Return what a contender is called in tables."""
        return self.titles.get(name, name)
