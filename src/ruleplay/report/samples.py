"""Take out of the results what tables and figures are made of: the runs of one cell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.errors import ConfigError
from ruleplay.experiments.metrics import CurveBand
from ruleplay.experiments.spec import RunSpec, specify_run
from ruleplay.experiments.storage.results import CellKey, Results

Array = NDArray[np.float64]

# The paper's generality is compared with the product of half-widths (fidelity note F-03).
COLUMNS = {"generality": "generality_half_width"}


@dataclass(frozen=True, eq=False)
class Sample:
    """The finished runs of one agent on one problem with one set of settings."""

    key: CellKey
    spec: RunSpec
    runs: pd.DataFrame  # one row per seed, which is the index
    results: Results

    @property
    def seeds(self) -> tuple[int, ...]:
        """List the seeds of the runs."""
        return tuple(int(seed) for seed in self.runs.index)

    @cached_property
    def band(self) -> CurveBand:
        """Read mean and deviation of the learning curves."""
        return self.results.band(self.key.digest)

    @cached_property
    def as_published(self) -> bool:
        """Say whether these runs have the settings and the length of their preset."""
        try:
            return specify_run(self.key.preset, self.key.agent).digest() == self.key.digest
        except ConfigError:  # a preset or an agent that this version does not know
            return False

    def with_seeds(self, first: int, end: int) -> "Sample":
        """Return the runs whose seeds lie in [first, end)."""
        inside = (self.runs.index >= first) & (self.runs.index < end)
        return replace(self, runs=self.runs[inside])

    def values(self, metric: str) -> Array:
        """Return a figure of merit of each run, NaN where a run has none."""
        column = COLUMNS.get(metric, metric)
        if column not in self.runs:
            return np.full(len(self.runs), math.nan)
        figures = self.runs[column].astype("float64")
        return np.asarray(figures.to_numpy(dtype=np.float64, na_value=math.nan))

    def has(self, metric: str) -> bool:
        """Say whether any run has the figure."""
        return bool(np.isfinite(self.values(metric)).any())


def read_samples(results: Results) -> list[Sample]:
    """Return the samples of all cells that have finished runs."""
    summaries = results.summaries()
    if summaries.empty:
        return []
    groups = summaries.groupby(["preset", "agent", "variant"], sort=False)
    frames = {tuple(key): frame.set_index("seed").sort_index() for key, frame in groups}
    return [
        Sample(key, results.spec(key.digest), frames[key[:3]], results)
        for key in results.cells()
        if key[:3] in frames
    ]


def main_variant(samples: Sequence[Sample]) -> str:
    """Return the variant to compare with the paper: the presets' own settings if there are any."""
    variants = [sample.key.variant for sample in samples]
    return "" if "" in variants or not variants else variants[0]


def paired_values(baseline: Sample, other: Sample, metric: str) -> tuple[Array, Array]:
    """Return a figure of both samples' runs for the seeds that they share, in the same order."""
    seeds = baseline.runs.index.intersection(other.runs.index).sort_values()
    first = pd.Series(baseline.values(metric), baseline.runs.index).loc[seeds]
    second = pd.Series(other.values(metric), other.runs.index).loc[seeds]
    return first.to_numpy(), second.to_numpy()
