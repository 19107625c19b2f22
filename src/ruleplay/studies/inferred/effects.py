"""Suggest joint readings by a model of what each choice does to each figure of each row.

In the model effects add up: a figure of a row (its logarithm, if it is an error, a number of
rules or a generality) is that of the presets, plus what each choice that is not the presets'
changes. All runs done so far say how large these changes are, and how sure that is. A suggestion
draws one possible set of changes (Thompson sampling) and descends, choice by choice, to the
reading that would then be closest to the paper. Where nothing is known yet much is possible, so
what was not tried is tried.
"""

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.studies.inferred.distance import Row, Rows, best_measurement, cells_of, gaps
from ruleplay.studies.inferred.evaluation import agents_on
from ruleplay.studies.inferred.figures import Figures
from ruleplay.studies.inferred.space import Choice, Reading, Space, scopes_of
from ruleplay.studies.inferred.store import InferredStore

LOGARITHMIC = ("error", "macroclassifiers", "generality")
SMALLEST = 1e-12
JOINT = 0.3  # what effects do beyond adding up, in standard deviations of a figure over readings
BOLDNESS = 0.3  # share of the uncertainty that is drawn; all of it changes too much at a time
PASSES = 4  # at most, through all choices

Array = NDArray[np.float64]


class Known(NamedTuple):
    """The runs of one specification on a row: its choices, mean figures, number of seeds."""

    values: tuple[str, ...]
    figures: Figures
    seeds: int


@dataclass(frozen=True)
class RowModel:
    """What is believed of one row: figures = start + sum of effects, all in spreads."""

    choices: tuple[Choice, ...]
    names: tuple[str, ...]  # of the figures
    start: Array
    spread: Array
    mean: Array  # effects by figures
    factor: Array  # of their covariance

    def draw(self, rng: np.random.Generator) -> Array:
        """Draw one possible set of effects."""
        return self.mean + BOLDNESS * self.factor @ rng.standard_normal(self.mean.shape)

    def predict(self, effects: Array, reading: Reading) -> Figures:
        """Return the figures that a reading has if these are the effects."""
        x = _features(self.choices, [reading[choice.name] for choice in self.choices])
        made = self.start + self.spread * (x @ effects)
        return {
            name: math.exp(min(value, 50.0)) if _is_logarithmic(name) else value
            for name, value in zip(self.names, made.tolist(), strict=True)
        }


def fit_rows(
    space: Space,
    store: InferredStore,
    problems: Sequence[str],
    seeds: Container[int],
    readings: Iterable[Reading],
) -> dict[Row, RowModel]:
    """Fit a model to each row of some problems, from runs of readings that were tried.

    Only runs with the seeds of the search count: those of the verdict stay unseen.
    """
    rows = [Row(problem, agent) for problem in problems for agent in agents_on(problem)]
    seeds_of: dict[str, list[Figures]] = {}
    for (digest, seed), figures in store.runs.items():
        if seed in seeds:
            seeds_of.setdefault(digest, []).append(figures)
    tried = list(readings)
    return {row: _fit(space, row, _known(space, row, tried, seeds_of)) for row in rows}


def deciding(space: Space, row: Row) -> tuple[Choice, ...]:
    """List the choices that change the runs of a row."""
    scopes = set(scopes_of(*row))
    return tuple(
        choice
        for choice in space.of_runs()
        if any(
            name.removesuffix("-problem") in scopes
            for value in choice.values
            for name in value.changes
        )
    )


def _known(
    space: Space, row: Row, readings: Sequence[Reading], runs: Mapping[str, list[Figures]]
) -> list[Known]:
    choices = deciding(space, row)
    unlike = {tuple(reading[c.name] for c in choices): reading for reading in readings}
    known = []
    for values, reading in unlike.items():
        found = runs.get(space.specify(reading, *row).digest(), [])
        if found:
            table = np.array([tuple(figures.values()) for figures in found])
            means = dict(zip(found[0], table.mean(axis=0).tolist(), strict=True))
            known.append(Known(values, means, len(found)))
    return known


def _fit(space: Space, row: Row, known: Sequence[Known]) -> RowModel:
    choices = deciding(space, row)
    names = tuple(name for name in known[0].figures if _is_useful(known, name))
    y = np.array([[_scaled(one.figures[name], name) for name in names] for one in known])
    x = np.array([_features(choices, one.values) for one in known])
    spread = y.std(axis=0) + 1e-9
    base = [i for i, one in enumerate(known) if not x[i].any()]
    start = y[base[0]] if base else np.median(y, axis=0)
    weight = 1.0 / (JOINT**2 + 1.0 / np.array([one.seeds for one in known]))
    precision = x.T @ (weight[:, None] * x) + np.eye(x.shape[1])
    covariance = np.linalg.inv(precision)
    mean = covariance @ x.T @ (weight[:, None] * (y - start) / spread)
    return RowModel(choices, names, start, spread, mean, np.linalg.cholesky(covariance))


def _features(choices: Sequence[Choice], values: Sequence[str]) -> Array:
    """Return a 1 for each value that is not the presets'."""
    return np.array(
        [
            float(value == name)
            for choice, value in zip(choices, values, strict=True)
            for name in choice.names[1:]
        ]
    )


def _is_useful(known: Sequence[Known], name: str) -> bool:
    return all(math.isfinite(one.figures[name]) for one in known)


def _is_logarithmic(name: str) -> bool:
    return any(part in name for part in LOGARITHMIC)


def _scaled(value: float, name: str) -> float:
    return math.log(max(value, SMALLEST)) if _is_logarithmic(name) else value


class Belief:
    """One possible truth: the figures of every reading, if the drawn effects were right."""

    def __init__(
        self, space: Space, models: Mapping[Row, RowModel], rng: np.random.Generator
    ) -> None:
        self.space, self.models = space, models
        self.effects = {row: model.draw(rng) for row, model in models.items()}

    def rows(self, reading: Reading) -> Rows:
        """Return the figures of a reading."""
        return {row: m.predict(self.effects[row], reading) for row, m in self.models.items()}

    def descend(self, reading: Reading, order: Sequence[Choice]) -> Reading:
        """Return the reading that no change of one choice brings closer to the paper."""
        best = best_measurement(self.space, self.rows(reading), reading)[1]
        for _ in range(PASSES):
            before = dict(best)
            for choice in order:
                best = self._best_value(best, choice)
            best = best_measurement(self.space, self.rows(best), best)[1]
            if best == before:
                break
        return best

    def _best_value(self, reading: Reading, choice: Choice) -> Reading:
        touched = {row[0] for row, model in self.models.items() if choice in model.choices}
        models = {row: model for row, model in self.models.items() if row[0] in touched}
        cells = cells_of(models)

        def cost(changed: Reading) -> float:
            rows = {row: m.predict(self.effects[row], changed) for row, m in models.items()}
            return sum(gap.cost for gap in gaps(rows, changed, cells))

        ways = [reading, *(reading | {choice.name: name} for name in choice.names)]
        return min(ways, key=cost)
