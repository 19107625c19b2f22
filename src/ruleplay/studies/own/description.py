"""What a folder of results says about the study in it: enough to report without its file."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ruleplay.errors import StoreError
from ruleplay.experiments.storage.index import INDEX
from ruleplay.experiments.storage.results import CellKey
from ruleplay.output.files import write_whole
from ruleplay.studies.own.file import StudyFile
from ruleplay.studies.own.metrics import METRICS

FILE = "own-study.json"
FORMAT = 1


@dataclass(frozen=True)
class DescribedCell:
    """A cell as its page names it, and where its runs are."""

    label: str
    preset: str
    agent: str
    variant: str
    digest: str

    @property
    def key(self) -> CellKey:
        """Return the cell's place among results."""
        return CellKey(self.preset, self.agent, self.variant, self.digest)


@dataclass(frozen=True)
class DescribedProblem:
    """A problem with the cells that are compared on it."""

    title: str
    single_step: bool
    metrics: tuple[str, ...]
    cells: tuple[DescribedCell, ...]


@dataclass(frozen=True, kw_only=True)
class Description:
    """A study of the user's own, as its results remember it."""

    name: str
    title: str
    about: str
    baseline: str
    seeds: tuple[int, ...]
    problems: tuple[DescribedProblem, ...]
    made_by: str  # the command
    file: str  # the name of the study's file ...
    text: str  # ... and what was in it

    @property
    def cells(self) -> list[DescribedCell]:
        """List the cells of all problems."""
        return [cell for problem in self.problems for cell in problem.cells]

    @property
    def runs(self) -> int:
        """Count the runs of the whole study."""
        return len(self.seeds) * len(self.cells)


def describe(source: StudyFile, made_by: str) -> Description:
    """Return what results are to remember of a study."""
    study = source.study
    return Description(
        name=source.name,
        title=study.title,
        about=study.about,
        baseline=study.baseline,
        seeds=study.seeds,
        problems=tuple(
            DescribedProblem(
                group.title,
                group.single_step,
                group.metrics,
                tuple(
                    DescribedCell(
                        label, cell.spec.preset, cell.spec.agent, cell.variant, cell.spec.digest()
                    )
                    for cell, label in zip(group.cells, group.labels, strict=True)
                ),
            )
            for group in study.groups()
        ),
        made_by=made_by,
        file=source.path.name,
        text=source.text,
    )


def check_folder(folder: Path, name: str | None) -> None:
    """Refuse a folder with the results of another study; None names those that have no file."""
    found = read_description(folder)
    if found is None and (name is None or not (folder / INDEX).exists()):
        return
    if found is None or found.name != name:
        whose = "another study" if found is None else f"the study {found.file!r}"
        raise StoreError(f"{folder} holds results of {whose}: name another folder with --out")


def write_description(folder: Path, description: Description) -> None:
    """Leave the description among the results."""
    content = {"format": FORMAT, **asdict(description)}
    write_whole(folder / FILE, json.dumps(content, indent=1) + "\n")


def read_description(folder: Path) -> Description | None:
    """Return what a folder of results says about its study; None if it is none of a user's."""
    path = folder / FILE
    if not path.exists():
        return None
    try:
        content: dict[str, Any] = json.loads(path.read_bytes())
        found = content.pop("format")
        if found != FORMAT:
            raise ValueError(f"its format is {found!r}, not {FORMAT}")
        seeds = tuple(map(int, content.pop("seeds")))
        problems = tuple(map(_read_problem, content.pop("problems")))
        texts = {name: str(value) for name, value in content.items()}
        return Description(seeds=seeds, problems=problems, **texts)
    except (AttributeError, KeyError, OSError, TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"{path} cannot be read as a study's description: {error}") from None


def _read_problem(content: dict[str, Any]) -> DescribedProblem:
    cells = tuple(
        DescribedCell(**{name: str(value) for name, value in cell.items()})
        for cell in content["cells"]
    )
    metrics = tuple(content["metrics"])
    for name in metrics:
        if name not in METRICS:
            raise ValueError(f"{name!r} is no metric")
    return DescribedProblem(str(content["title"]), bool(content["single_step"]), metrics, cells)
