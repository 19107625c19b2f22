"""A study: the cells of a table, and the seeds that each of them is run with."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import NamedTuple

from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import RunSpec

PAPER = "stein2020/"


@dataclass(frozen=True)
class Cell:
    """A cell of the tables: a specification, and what was changed in it, if anything.

    A cell may have seeds of its own instead of the study's.
    """

    spec: RunSpec
    variant: str = ""
    seeds: tuple[int, ...] | None = None

    @property
    def name(self) -> str:
        """Name the cell for people."""
        variant = f" ({self.variant})" if self.variant else ""
        return f"{self.spec.preset.removeprefix(PAPER)} {self.spec.agent}{variant}"


class Run(NamedTuple):
    """One run of a study."""

    cell: Cell
    digest: str  # of the cell's specification
    seed: int

    @property
    def key(self) -> tuple[str, int]:
        """Return what identifies the result."""
        return self.digest, self.seed

    @property
    def spec(self) -> RunSpec:
        """Return what is to be run."""
        return self.cell.spec


@dataclass(frozen=True)
class Study:
    """Cells, all to be run with the same seeds, so that agents can be compared in pairs.

    A module, by its file, is loaded wherever runs are done: it may register problems.
    """

    cells: tuple[Cell, ...]
    seeds: tuple[int, ...]
    module: str = ""

    def seeds_of(self, cell: Cell) -> tuple[int, ...]:
        """Return the seeds that a cell is run with."""
        return self.seeds if cell.seeds is None else cell.seeds

    def runs(self) -> list[Run]:
        """List all runs, each once, in the order in which they had best be done.

        All cells with the first seed, then all with the second: what is interrupted is
        balanced. Rules come before networks, which take a hundred times as long.
        """
        rules = [cell for cell in self.cells if cell.spec.dqn is None]
        networks = [cell for cell in self.cells if cell.spec.dqn is not None]
        runs: dict[tuple[str, int], Run] = {}
        for cells in (_in_compile_order(rules), networks):
            digests = [cell.spec.digest() for cell in cells]
            own = [self.seeds_of(cell) for cell in cells]
            for number in range(max(map(len, own), default=0)):
                for cell, digest, seeds in zip(cells, digests, own, strict=True):
                    if number < len(seeds):
                        run = Run(cell, digest, seeds[number])
                        runs.setdefault(run.key, run)
        return list(runs.values())


def restrict(
    study: Study, problems: Sequence[str] | None = None, agents: Sequence[str] | None = None
) -> Study:
    """Return the part of a study with some problems, named without folder, and agents.

    >>> from ruleplay.experiments.spec import specify_run
    >>> cells = [Cell(specify_run("stein2020/chain16", agent)) for agent in ("xcs", "xcs-er")]
    >>> [cell.name for cell in restrict(Study(tuple(cells), (0,)), agents=["xcs"]).cells]
    ['chain16 xcs']
    """
    cells = _named(study.cells, "problem", problems, lambda cell: cell.spec.preset.split("/")[-1])
    return replace(study, cells=_named(cells, "agent", agents, lambda cell: cell.spec.agent))


def _named(
    cells: tuple[Cell, ...],
    what: str,
    wanted: Sequence[str] | None,
    name_of: Callable[[Cell], str],
) -> tuple[Cell, ...]:
    """Return the cells with one of the wanted names, each of which must occur."""
    known = tuple(dict.fromkeys(map(name_of, cells)))
    for name in wanted or ():
        if name not in known:
            raise ConfigError(unknown_name(what, name, known))
    return tuple(cell for cell in cells if wanted is None or name_of(cell) in wanted)


class Kernels(NamedTuple):
    """What is compiled for a run: all that have these in common share it."""

    prediction: str
    problem: str
    replay: bool


def kernels_of(spec: RunSpec) -> Kernels:
    """Return which kernels a run needs; networks need none to speak of."""
    prediction = spec.xcs.prediction if spec.xcs else ""
    return Kernels(prediction, spec.problem_name, spec.replay is not None)


def _in_compile_order(cells: Iterable[Cell]) -> list[Cell]:
    """Put first, once, what must be compiled, so that workers compile different things.

    The first runs alternate between kinds of prediction, which have least code in common.
    """
    first: dict[Kernels, Cell] = {}
    later = []
    for cell in cells:
        key = kernels_of(cell.spec)
        if key in first:
            later.append(cell)
        else:
            first[key] = cell
    kinds: dict[str, list[Cell]] = {}
    for key, cell in first.items():
        kinds.setdefault(key.prediction, []).append(cell)
    return [*_alternate(kinds.values()), *later]


def _alternate(groups: Iterable[list[Cell]]) -> Iterator[Cell]:
    return (cell for cell in chain(*zip_longest(*groups)) if cell is not None)
