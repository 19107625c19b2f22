"""A study: the cells of a table, and the seeds that each of them is run with."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import NamedTuple

from ruleplay.config import unknown_name
from ruleplay.config.dqn import DQN_NAMES
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import RunSpec, list_presets, load_preset, specify_run

PAPER = "stein2020/"
REPETITIONS = 30
QUICK_REPETITIONS = 3

_AGENTS = ("xcs", "xcs-er")
_MORE_AGENTS = {"stein2020/mario": ("xcs-er-8",)}


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


def paper_study(
    problems: Iterable[str] | None = None,
    agents: Iterable[str] | None = None,
    *,
    reps: int | None = None,
    quick: bool = False,
) -> Study:
    """Return the paper's evaluation, or the part of it with some problems and agents.

    The paper's cells are XCS and XCS-ER on nine problems, XCS-ER with m = 8 on Mario, and
    DQN on the six multi-step problems. Agents asked for by name are run on all the problems
    that they can learn. The seeds are 0 to `reps` - 1. A quick study has three of them, and
    leaves out DQN, which takes a hundred times as long as all the rest: the same runs as the
    first ones of the whole study.
    """
    reps = (QUICK_REPETITIONS if quick else REPETITIONS) if reps is None else reps
    if type(reps) is not int or reps < 1:
        raise ConfigError(f"reps must be an integer in [1, inf), got {reps!r}")
    presets = _find_presets(problems)
    wanted = None if agents is None else tuple(dict.fromkeys(agents))
    cells = [
        Cell(specify_run(preset, agent))
        for preset in presets
        for agent in (_paper_agents(preset, quick) if wanted is None else _able(wanted, preset))
    ]
    if not cells:
        raise ConfigError(f"none of the agents {', '.join(wanted or ())} learns these problems")
    return Study(tuple(cells), tuple(range(reps)))


def restrict(
    study: Study, problems: Sequence[str] | None = None, agents: Sequence[str] | None = None
) -> Study:
    """Return the part of a study with some problems, named without folder, and agents.

    >>> from ruleplay.experiments.literal import literal_study
    >>> len(restrict(literal_study(), ["chain16"], ["xcs"]).cells)
    6
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


def _find_presets(problems: Iterable[str] | None) -> tuple[str, ...]:
    """Return the paper's presets, or those of some problems, named with or without folder."""
    known = tuple(name for name in list_presets() if name.startswith(PAPER))
    if problems is None:
        return known
    short = [name.removeprefix(PAPER) for name in known]
    wanted = dict.fromkeys(name.removeprefix(PAPER) for name in problems)
    for name in wanted:
        if name not in short:
            raise ConfigError(unknown_name("problem", name, short))
    return tuple(PAPER + name for name in wanted)


def _paper_agents(preset: str, quick: bool) -> tuple[str, ...]:
    agents = _AGENTS + _MORE_AGENTS.get(preset, ())
    return agents if quick or _is_single_step(preset) else (*agents, "dqn")


def _able(agents: Sequence[str], preset: str) -> list[str]:
    """Return the agents that can learn a preset's problem."""
    single_step = _is_single_step(preset)
    return [agent for agent in agents if not (single_step and agent in DQN_NAMES)]


def _is_single_step(preset: str) -> bool:
    chosen = load_preset(preset)
    return make_problem(chosen.problem_name, **chosen.problem_options).single_step


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
