"""Measure what our recipe for long action chains costs per learning step.

XCS-ER as published and the recipe learn the same problem in turns, seed by seed, for as many
steps; what is timed is the CPU time of the compiled run, validation not included.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import TypedDict

from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import RunSpec
from ruleplay.experiments.trial import make_engine, make_problem_of, rehearse
from ruleplay.studies.beyond.plan import AS_PUBLISHED, BEYOND, RECIPE, TASKS, headline_cells

HEADINGS = ("problem", "XCS-ER, µs per step", "recipe, µs per step", "ratio", "lowest", "highest")


class RecipeRow(TypedDict):
    """Time per step on one problem: medians over seeds, and the ratios of each seed."""

    problem: str
    published: float
    recipe: float
    ratios: list[float]


def measure_recipe(
    repeats: int,
    *,
    problems: Sequence[str] = tuple(TASKS),
    steps: int | None = None,
    on_row: Callable[[str], None] = lambda line: None,
) -> list[RecipeRow]:
    """Measure problems with seeds 1 to `repeats`; without `steps`, runs are as long as studied."""
    if repeats < 1:
        raise ConfigError(f"repeats must be at least 1, got {repeats}")
    rows = []
    for name in problems:
        rows.append(measure_problem(name, repeats, steps))
        on_row(", ".join(f"{h} {c}" for h, c in zip(HEADINGS, row_cells(rows[-1]), strict=True)))
    return rows


def measure_problem(name: str, repeats: int, steps: int | None = None) -> RecipeRow:
    """Measure one problem with several seeds."""
    published, recipe = specs_of(name)
    figures = []
    for seed in range(1, repeats + 1):
        figures.append((time_run(published, seed, steps), time_run(recipe, seed, steps)))
    return {
        "problem": TASKS[name].title,
        "published": statistics.median(before for before, _ in figures),
        "recipe": statistics.median(after for _, after in figures),
        "ratios": [after / before for before, after in figures],
    }


def specs_of(name: str) -> tuple[RunSpec, RunSpec]:
    """Return XCS-ER as published and the recipe, as the study beyond the paper has them."""
    found = {
        cell.variant: cell.spec
        for cell in headline_cells()
        if cell.spec.preset == BEYOND + name and cell.spec.agent == "xcs-er"
    }
    return found[AS_PUBLISHED], found[RECIPE]


def time_run(spec: RunSpec, seed: int, steps: int | None) -> float:
    """Return the CPU time per learning step of one run, in microseconds."""
    problem = make_problem_of(spec)
    rehearse(spec, seed)  # compiles
    engine = make_engine(spec, problem, seed)
    began = time.process_time()
    engine.run(problem, steps or spec.steps)
    return 1e6 * (time.process_time() - began) / (steps or spec.steps)


def row_cells(row: RecipeRow) -> tuple[str, ...]:
    """Return the cells of one row under the headings."""
    ratio = row["recipe"] / row["published"]
    figures = (row["published"], row["recipe"], ratio, min(row["ratios"]), max(row["ratios"]))
    return (row["problem"], *(f"{figure:.2f}" for figure in figures))
