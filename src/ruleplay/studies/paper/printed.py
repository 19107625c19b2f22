"""The paper's result tables as data: every printed number with its rounding and its source."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any, Literal

BASELINE = "xcs"
METRICS = ("reward", "system_error", "macroclassifiers", "generality", "otm", "diverged")

Kind = Literal["single-step", "multi-step"]
Direction = Literal["up", "down"]
TestName = Literal["t", "wilcoxon"]


@dataclass(frozen=True)
class Printed:
    """A number as it was printed."""

    text: str

    @property
    def value(self) -> float:
        """Return the number."""
        return float(self.text)

    @property
    def half_unit(self) -> float:
        """Return half a unit of the last printed digit: the most that rounding can hide.

        >>> Printed("0.0010").half_unit, Printed("3.5E5").half_unit
        (5e-05, 5000.0)
        """
        exponent = Decimal(self.text).as_tuple().exponent
        assert isinstance(exponent, int)
        return float(Decimal(5).scaleb(exponent - 1))


@dataclass(frozen=True, kw_only=True)
class PaperCell:
    """One cell of a result table: mean, standard deviation, and its marks."""

    metric: str
    mean: Printed
    sd: Printed | None = None  # None for a number of runs
    arrow: Direction | None = None
    stars: int = 0
    bold: bool = False

    @property
    def is_count(self) -> bool:
        """Say whether the cell counts runs."""
        return self.sd is None

    @property
    def spread(self) -> float:
        """Return the standard deviation, or what it may be at most if it is printed as 0."""
        return 0.0 if self.sd is None else self.sd.value or self.sd.half_unit


@dataclass(frozen=True)
class PaperP:
    """A printed p-value; `0.000` stands for anything below 0.0005."""

    text: str

    @property
    def value(self) -> float:
        """Return the p-value."""
        return float(self.text.rstrip("*"))

    @property
    def stars(self) -> int:
        """Count the printed stars."""
        return self.text.count("*")


@dataclass(frozen=True, kw_only=True)
class PaperRow:
    """One agent's row in a block of a result table, with its p-values."""

    agent: str
    label: str
    cells: Mapping[str, PaperCell]
    shapiro: Mapping[str, PaperP]
    comparison: Mapping[str, PaperP]  # against the baseline; empty for the baseline itself


@dataclass(frozen=True, kw_only=True)
class PaperNote:
    """Something in the tables that does not fit together."""

    metric: str
    text: str


@dataclass(frozen=True, kw_only=True)
class PaperProblem:
    """One problem's block of the tables."""

    preset: str
    title: str
    kind: Kind
    rows: tuple[PaperRow, ...]
    test: TestName  # the test the printed p-values come from
    source: str
    shapiro_source: str
    comparison_source: str
    notes: tuple[PaperNote, ...]

    @property
    def single_step(self) -> bool:
        """Say whether each step of the problem stands alone."""
        return self.kind == "single-step"

    @property
    def metrics(self) -> tuple[str, ...]:
        """List the columns of the block in the paper's order."""
        return tuple(name for name in METRICS if name in self.row(BASELINE).cells)

    @property
    def agents(self) -> tuple[str, ...]:
        """List the agents in the order of the rows."""
        return tuple(row.agent for row in self.rows)

    def row(self, agent: str) -> PaperRow:
        """Return an agent's row."""
        return next(row for row in self.rows if row.agent == agent)

    def change(self, agent: str, metric: str) -> float:
        """Return how far an agent's printed mean lies above the baseline's."""
        baseline = self.row(BASELINE).cells[metric].mean.value
        return self.row(agent).cells[metric].mean.value - baseline


@dataclass(frozen=True, kw_only=True)
class Paper:
    """All result tables of the paper."""

    citation: str
    doi: str
    runs: int
    problems: tuple[PaperProblem, ...]

    def problem(self, preset: str) -> PaperProblem:
        """Return the block that belongs to a preset."""
        return next(problem for problem in self.problems if problem.preset == preset)


@cache
def load_paper() -> Paper:
    """Load the tables."""
    text = (files(__package__) / "paper_tables.toml").read_text(encoding="utf-8")
    content = tomllib.loads(text)
    return Paper(
        citation=content["citation"],
        doi=content["doi"],
        runs=content["runs"],
        problems=tuple(_problem(entry, content["note"]) for entry in content["problem"]),
    )


def _problem(entry: Mapping[str, Any], notes: list[Mapping[str, str]]) -> PaperProblem:
    shapiro, comparison = entry["shapiro"], entry["comparison"]
    return PaperProblem(
        preset=entry["preset"],
        title=entry["title"],
        kind=entry["kind"],
        rows=tuple(_row(row, shapiro, comparison) for row in entry["row"]),
        test=comparison["test"],
        source=entry["source"],
        shapiro_source=shapiro["source"],
        comparison_source=comparison["source"],
        notes=tuple(
            PaperNote(metric=note["metric"], text=note["text"])
            for note in notes
            if note["preset"] == entry["preset"]
        ),
    )


def _row(
    row: Mapping[str, Any], shapiro: Mapping[str, Any], comparison: Mapping[str, Any]
) -> PaperRow:
    agent = row["agent"]
    return PaperRow(
        agent=agent,
        label=row["label"],
        cells={name: _cell(name, row[name]) for name in METRICS if name in row},
        shapiro={name: PaperP(text) for name, text in shapiro[agent].items()},
        comparison={name: PaperP(text) for name, text in comparison.get(agent, {}).items()},
    )


def _cell(metric: str, cell: Mapping[str, Any]) -> PaperCell:
    return PaperCell(
        metric=metric,
        mean=Printed(cell["mean"]),
        sd=Printed(cell["sd"]) if "sd" in cell else None,
        arrow=cell.get("arrow"),
        stars=len(cell.get("stars", "")),
        bold=cell.get("bold", False),
    )
