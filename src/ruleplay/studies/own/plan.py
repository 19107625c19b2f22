"""What a study of the user's own consists of: cells, seeds, and how cells are compared."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ruleplay.config import unknown_name
from ruleplay.engine.inputs import checked_integer
from ruleplay.envs import make_problem, problem_options
from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import RunSpec
from ruleplay.experiments.study import Cell, Study
from ruleplay.studies.own.metrics import check_fits, check_metric, usual_metric

LARGEST_SEED = 2**63 - 1

# Which of preset, agent and variant a label may consist of, the shortest first.
_SHOWN = ((2,), (1,), (0,), (1, 2), (0, 2), (0, 1), (0, 1, 2))


@dataclass(frozen=True, kw_only=True)
class OwnStudy:
    """Cells, all to be run with the same seeds, and what they are compared by.

    Args:
        title: What the study is about, in a few words: the heading of its page.
        cells: What is run. A cell's `variant` names it where preset and agent do not.
        seeds: One run of each cell for each; a number stands for the seeds from 0 on.
        metric: The figure, or figures, that cells are compared by. By default the reward
            where every step is an episode, the return of greedy episodes where all runs are
            tested by some (settings `keep_...`), and elsewhere the mean return of all episodes.
        baseline: The label of the cells that others are compared with; without it all cells
            of a problem are compared with each other.
        about: A sentence or two below the heading.
    """

    title: str
    cells: tuple[Cell, ...]
    seeds: tuple[int, ...] = tuple(range(10))
    metric: tuple[str, ...] = ()
    baseline: str = ""
    about: str = ""

    def __post_init__(self) -> None:
        """Put everything into its own type, and refuse what cannot be run or compared."""
        for name in ("title", "baseline", "about"):
            if not isinstance(getattr(self, name), str):
                raise ConfigError(f"{name} must be text, got {getattr(self, name)!r}")
        if not self.title.strip():
            raise ConfigError("title must say what the study is about, got an empty text")
        self._set("cells", tuple(self.cells))
        self._set("seeds", read_seeds(self.seeds))
        metric = (self.metric,) if isinstance(self.metric, str) else tuple(self.metric)
        self._set("metric", tuple(dict.fromkeys(map(check_metric, metric))))
        _check_cells(self.cells)
        groups = self.groups()
        if self.baseline and not any(self.baseline in group.labels for group in groups):
            known = dict.fromkeys(label for group in groups for label in group.labels)
            raise ConfigError(unknown_name("baseline", self.baseline, known))

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def groups(self) -> list["Group"]:
        """Group the cells by the problem that they learn, whatever preset it comes from."""
        found: dict[str, list[Cell]] = {}
        varied = varied_options([cell.spec for cell in self.cells])
        for cell in self.cells:
            found.setdefault(problem_title(cell.spec, varied), []).append(cell)
        return [Group.of(title, cells, self.metric) for title, cells in found.items()]

    def study(self, module: str = "") -> Study:
        """Return what is to be run; `module` is the file that defines the study's problems."""
        return Study(self.cells, self.seeds, module)

    def first(self, reps: int | None) -> "OwnStudy":
        """Return the study with the first of its seeds."""
        return self if reps is None else replace(self, seeds=self.seeds[:reps])


@dataclass(frozen=True)
class Group:
    """The cells on one problem, which can be compared, and the metrics they are compared by."""

    title: str
    cells: tuple[Cell, ...]
    labels: tuple[str, ...]
    metrics: tuple[str, ...]
    single_step: bool

    @classmethod
    def of(cls, title: str, cells: Sequence[Cell], metrics: tuple[str, ...]) -> "Group":
        """Name the cells, and check that all have the metrics."""
        spec = cells[0].spec
        problem = make_problem(spec.problem_name, **spec.problem_options)
        single_step = problem.single_step
        tested = all(cell.spec.keep is not None for cell in cells)
        rules = all(cell.spec.xcs is not None for cell in cells)
        for name in metrics:
            check_fits(name, title, single_step=single_step, tested=tested, rules=rules)
        predicts = problem.is_quantity and rules
        usual = usual_metric(single_step=single_step, tested=tested, predicts=predicts)
        metrics = metrics or (usual,)
        return cls(title, tuple(cells), tuple(label_cells(cells)), metrics, single_step)


def label_cells(cells: Sequence[Cell]) -> list[str]:
    """Name cells on one problem by as little as tells them apart: variant, agent, preset.

    >>> from ruleplay.experiments.spec import specify_run
    >>> xcs, replay = (specify_run("stein2020/rmp6", agent) for agent in ("xcs", "xcs-er"))
    >>> label_cells([Cell(xcs), Cell(replay)])
    ['xcs', 'xcs-er']
    >>> label_cells([Cell(xcs), Cell(replay, "batch of 4"), Cell(replay, "batch of 8")])
    ['xcs', 'xcs-er, batch of 4', 'xcs-er, batch of 8']
    """
    parts = [(short_preset(c.spec.preset), c.spec.agent, c.variant) for c in cells]
    for shown in _SHOWN:
        labels = [", ".join(part[k] for k in shown if part[k]) for part in parts]
        if all(labels) and len(set(labels)) == len(labels):
            return labels
    raise AssertionError("cells have names of their own")


def short_preset(name: str) -> str:
    """Return a preset's name without the paper's folder."""
    return name.removeprefix("stein2020/")


def problem_title(spec: RunSpec, varied: Collection[str] = ()) -> str:
    """Name a problem with the options that are not usual, or that the study varies.

    >>> from ruleplay.experiments.spec import specify_run
    >>> spec = specify_run("stein2020/chain16")
    >>> problem_title(spec), problem_title(spec, ["n"])
    ('chain', 'chain, n=16')
    """
    usual = problem_options(spec.problem_name)
    shown = [
        f"{name}={show_value(value)}"
        for name, value in sorted({**usual, **spec.problem_options}.items())
        if value != usual.get(name) or name in varied
    ]
    return ", ".join([spec.problem_name, *shown])


def varied_options(specs: Sequence[RunSpec]) -> set[str]:
    """Return the options in which runs on one kind of problem differ."""
    seen: dict[tuple[str, str], set[str]] = {}
    for spec in specs:
        for name, value in {**problem_options(spec.problem_name), **spec.problem_options}.items():
            seen.setdefault((spec.problem_name, name), set()).add(show_value(value))
    return {name for (_, name), values in seen.items() if len(values) > 1}


def show_value(value: Any) -> str:
    """Write a setting's value as one types it.

    >>> show_value(True), show_value(0.5), show_value("last")
    ('true', '0.5', 'last')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def read_seeds(seeds: int | Iterable[int]) -> tuple[int, ...]:
    """Return seeds: a number stands for as many from 0 on."""
    if isinstance(seeds, int) and not isinstance(seeds, bool):
        return tuple(range(checked_integer("seeds", seeds, 1, 10**6)))
    if isinstance(seeds, (str, bytes)) or not isinstance(seeds, Iterable):
        raise ConfigError(f"seeds must be a number of runs or a list of seeds, got {seeds!r}")
    found = tuple(checked_integer("seeds", seed, 0, LARGEST_SEED) for seed in seeds)
    if not found:
        raise ConfigError("seeds must hold at least one seed, got none")
    if len(set(found)) < len(found):
        raise ConfigError(f"seeds must differ from each other, got {list(found)}")
    return found


def _check_cells(cells: Sequence[Cell]) -> None:
    """Refuse cells that are none, that have one name, or that are the same runs twice."""
    if not cells:
        raise ConfigError("a study needs at least one cell, got none")
    names: dict[tuple[str, str, str], Cell] = {}
    digests: dict[str, Cell] = {}
    for cell in cells:
        if not isinstance(cell, Cell):
            raise ConfigError(f"cells must be Cell(specification, variant), got {cell!r}")
        if cell.seeds is not None:
            raise ConfigError(f"cell {cell.name!r} must have the study's seeds, got its own")
        key = (cell.spec.preset, cell.spec.agent, cell.variant)
        if key in names:
            raise ConfigError(f"two cells are called {cell.name!r}: give them variants")
        same = digests.setdefault(cell.spec.digest(), cell)
        if same is not cell:
            raise ConfigError(
                f"the cells {same.name!r} and {cell.name!r} are the same runs: "
                "they differ in name only"
            )
        names[key] = cell
