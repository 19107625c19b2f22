"""Rebuild the verdict from a store, and write its page."""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from matplotlib.figure import Figure

from ruleplay.errors import StoreError
from ruleplay.experiments.executors import Executor
from ruleplay.report.page_parts import RULES, render
from ruleplay.report.table import Table
from ruleplay.report.write import write_files
from ruleplay.studies.inferred.compact import evaluate_finalists, read_finalists
from ruleplay.studies.inferred.crossvalidation import LeftOut, leave_one_out
from ruleplay.studies.inferred.drawings import draw_cells, draw_failures
from ruleplay.studies.inferred.evaluation import Evaluator
from ruleplay.studies.inferred.importance import Weight, draw_importance, weigh
from ruleplay.studies.inferred.search import finalists
from ruleplay.studies.inferred.space import MULTI, Reading, Space, load_space
from ruleplay.studies.inferred.store import READINGS, InferredStore
from ruleplay.studies.inferred.tables import (
    cell_table,
    left_out_table,
    reading_table,
    remaining_table,
    summary_table,
    weight_table,
)
from ruleplay.studies.inferred.verdict import (
    PRESET_SEEDS,
    PROBLEMS,
    VERDICT_SEEDS,
    Judged,
    judge_reading,
)

PACKAGE = __name__.rpartition(".")[0]
FOUND = Path(str(files(__package__))) / "found"  # what comes with the package


@dataclass(frozen=True)
class Verdict:
    """Everything that the page says."""

    space: Space
    presets: Judged
    best: Judged
    weights: list[Weight]
    left_out: list[LeftOut]
    readings: int
    cpu: float  # seconds that the search took

    def differences(self) -> list[str]:
        """Say in words where the best reading differs from the presets."""
        changed = self.space.differences(self.best.reading)
        return [f"{self.space.choices[name].title}: {value}" for name, value in changed.items()]

    def tables(self) -> dict[str, Table]:
        """Lay out all tables."""
        made = [
            summary_table(self.presets, self.best),
            reading_table(self.space, self.best.reading),
            remaining_table(self.best),
            cell_table(self.presets, self.best),
            weight_table(self.weights, self.best.noise),
            left_out_table(self.space, self.left_out),
        ]
        return {table.name: table for table in made}


def reach_verdict(
    folder: Path,
    executor: Executor,
    *,
    found: Path = FOUND,
    problems: Sequence[str] = PROBLEMS,
    seeds: Sequence[int] = VERDICT_SEEDS,
    preset_seeds: Sequence[int] = PRESET_SEEDS,
) -> Verdict:
    """Judge the best reading that was found; runs that neither folder has are done now."""
    space, store = load_space(), InferredStore(folder, found)
    evaluator = Evaluator(space, store, executor)
    best = best_reading(space, store)
    searched = (folder / READINGS).exists()
    evaluations = evaluate_finalists(evaluator) if searched else read_finalists(space, found)
    return Verdict(
        space=space,
        presets=judge_reading(evaluator, space.base, problems, preset_seeds),
        best=judge_reading(evaluator, best, problems, seeds),
        weights=weigh(space, store.readings),
        left_out=leave_one_out(space, evaluations, evaluations[0]) if evaluations else [],
        readings=len(store.readings),
        cpu=sum(line["cpu"] for line in store.readings),
    )


def best_reading(space: Space, store: InferredStore) -> Reading:
    """Return the reading of the smallest distance among those tried most thoroughly."""
    best = finalists(store.readings)
    if not best:
        raise StoreError(
            "no readings have been tried: run python -m ruleplay.studies.inferred first"
        )
    return space.complete(best[0]["reading"])


def write_verdict(verdict: Verdict, folder: Path, figures: Sequence[str] | None = None) -> Path:
    """Write page, tables and drawings into a folder; return the path of the page."""
    tables = verdict.tables()
    drawings = draw_verdict(verdict)
    page = render(
        "page.html",
        RULES[:2],
        package=PACKAGE,
        verdict=verdict,
        tables=tables,
        pictures={name: _embedded(figure) for name, figure in drawings.items()},
        differences=verdict.differences(),
        looks={},
    )
    return write_files(folder, page, tables, drawings.items, figures)


def draw_verdict(verdict: Verdict) -> dict[str, Figure]:
    """Draw what the page shows, by name."""
    drawings = {"cells": draw_cells(verdict.presets, verdict.best)}
    judged = {cell.problem for cell in verdict.best.cells}
    if judged.issuperset(MULTI):
        sides = {"presets": verdict.presets, "inferred": verdict.best}
        drawings["failures"] = draw_failures(sides)
    if verdict.weights:
        drawings["importance"] = draw_importance(verdict.weights)
    return drawings


def _embedded(figure: Figure) -> str:
    """Return a drawing as an address that contains it."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
