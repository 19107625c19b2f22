"""Measure how our time per learning step grows with the population and with the dimensions.

An engine learns until its population is full; only the steps after that are timed, as CPU
time of one compiled call.

- Population: the 6-bit real multiplexer.
- Dimensions: the answer depends on two features alone, and the others vary little, so that
  rules match as often in forty dimensions as in two. (Were all features spread widely, no
  rule of forty intervals would match twice.)
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypedDict

import numpy as np

from ruleplay.benchmarks.ours import build_engine
from ruleplay.benchmarks.workload import Experiences, training_experiences
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError

POPULATION_SIZES = (400, 800, 1600, 3200, 6400, 12800, 25600)
DIMENSIONS = (2, 3, 6, 10, 20, 40)
FIXED_SIZE, FIXED_DIMENSIONS = 1600, 6
STEPS = 5_000
FILL_STEPS_PER_RULE = 50
VARIATION = 0.1
"""Width of the range of the features that do not matter."""

Axis = Literal["population", "dimensions"]
HEADINGS = ("axis", "population size", "features", "µs per step", "rules")


class ScalingRow(TypedDict):
    """Time per step of one size: the median over seeds."""

    axis: Axis
    population_size: int
    features: int
    microseconds_per_step: float
    macroclassifiers: float


class ScalingTable(TypedDict):
    """All sizes, and for each axis the slope of time against size in log-log coordinates."""

    rows: list[ScalingRow]
    slopes: dict[Axis, float]


def measure_scaling(
    repeats: int,
    *,
    sizes: Sequence[int] = POPULATION_SIZES,
    dimensions: Sequence[int] = DIMENSIONS,
    steps: int = STEPS,
    on_row: Callable[[str], None] = lambda line: None,
) -> ScalingTable:
    """Measure every size with seeds 1 to `repeats`; `on_row` is told a line about each."""
    if repeats < 1:
        raise ConfigError(f"repeats must be at least 1, got {repeats}")
    cases: list[tuple[Axis, int, int]] = [("population", n, FIXED_DIMENSIONS) for n in sizes]
    cases += [("dimensions", FIXED_SIZE, d) for d in dimensions]
    rows = []
    for axis, population_size, features in cases:
        rows.append(measure_size(axis, population_size, features, repeats, steps))
        on_row(", ".join(f"{h} {c}" for h, c in zip(HEADINGS, row_cells(rows[-1]), strict=True)))
    return {
        "rows": rows,
        "slopes": {
            "population": slope(
                [(r["population_size"], r) for r in rows if r["axis"] == "population"]
            ),
            "dimensions": slope([(r["features"], r) for r in rows if r["axis"] == "dimensions"]),
        },
    }


def measure_size(
    axis: Axis, population_size: int, features: int, repeats: int, steps: int
) -> ScalingRow:
    """Measure one size with several seeds."""
    figures = []
    for seed in range(1, repeats + 1):
        engine = filled_engine(axis, population_size, features, seed)
        work = draw_experiences(axis, features, [seed, 1], steps)
        began = time.process_time()
        engine.learn_batch(*work)
        spent = time.process_time() - began
        figures.append((1e6 * spent / steps, engine.macroclassifiers))
    times, rules = zip(*figures, strict=True)
    return {
        "axis": axis,
        "population_size": population_size,
        "features": features,
        "microseconds_per_step": statistics.median(times),
        "macroclassifiers": statistics.median(rules),
    }


def filled_engine(axis: Axis, population_size: int, features: int, seed: int) -> XCS:
    """Return an engine that has learned until its population was full."""
    settings = {"population_size": population_size}
    engine = build_engine("stein2020/rmp6", "xcs", settings, seed, features)
    for block in range(FILL_STEPS_PER_RULE):
        engine.learn_batch(*draw_experiences(axis, features, [seed, 2, block], population_size))
        if engine.microclassifiers >= population_size:
            break
    return engine


def draw_experiences(axis: Axis, features: int, seed: Sequence[int], count: int) -> Experiences:
    """Draw states, random actions and their rewards for one axis."""
    if axis == "population":
        entropy = int(np.random.SeedSequence(seed).generate_state(1)[0])
        return training_experiences(entropy, count)
    rng = np.random.default_rng(seed)
    states = 0.5 + VARIATION * (rng.random((count, features)) - 0.5)
    states[:, :2] = rng.random((count, 2))
    answers = (states[:, 0] > 0.5) != (states[:, 1] > 0.5)
    actions = rng.integers(0, 2, count)
    return Experiences(states, actions, np.where(actions == answers, 1000.0, 0.0))


def slope(rows: Iterable[tuple[int, ScalingRow]]) -> float:
    """Return the exponent with which time grows with size, by least squares on logarithms."""
    pairs = [(size, row["microseconds_per_step"]) for size, row in rows]
    sizes, times = np.log(np.array(pairs, float)).T
    return float(np.polyfit(sizes, times, 1)[0]) if len(pairs) > 1 else float("nan")


def row_cells(row: ScalingRow) -> tuple[str, ...]:
    """Return the cells of one row under the headings."""
    return (
        row["axis"],
        str(row["population_size"]),
        str(row["features"]),
        f"{row['microseconds_per_step']:.2f}",
        f"{row['macroclassifiers']:.0f}",
    )


def slope_lines(table: ScalingTable) -> list[str]:
    """State the slopes in words."""
    return [
        f"time per step grows as {axis}^{exponent:.2f}"
        for axis, exponent in table["slopes"].items()
    ]
