"""What was asked for on the command line of a comparison."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Request:
    """Which runs are wanted; None and nothing: as the list has it."""

    list_name: str
    only: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of sets or problems
    folds: int | None = None
    seeds: int | None = None
