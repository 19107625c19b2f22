"""Put the learning curves of a problem into the plain values of which a page draws charts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.experiments.metrics import CurveBand, RunCurve, trailing_returns
from ruleplay.experiments.portraits import round_floats
from ruleplay.report.figures import AGENTS, Bands, Legend, Panel, blown_up, panels_of
from ruleplay.report.packing import pack_arrays
from ruleplay.report.samples import Sample
from ruleplay.report.table import Column, Table
from ruleplay.report.text import mean_sd

POINTS = 100  # of each curve on the page
DIGITS, RUN_DIGITS = 12, 9  # binary digits of values that are read, and of thin lines
MOMENTS = (25, 50, 75, 100)  # hundredths of a run that stand in the table

Array = NDArray[np.float64]
Data = dict[str, Any]


def chart_data(
    bands_of: Bands, samples: Mapping[str, Sample], *, single_step: bool, legend: Legend = AGENTS
) -> Data:
    """Return the curves of all agents on one grid of steps: means, deviations, single runs.

    Single runs are those of the agents that have a sample.
    """
    panels = panels_of(bands_of, single_step=single_step)
    bands = list(bands_of.values())
    grid = common_grid(bands)
    courses = [_courses(samples.get(agent), panels, grid) for agent in bands_of]
    arrays = {
        "mean": _stack([_on_grid(grid, b.step, b.mean, panel) for panel in panels for b in bands]),
        "sd": _stack([_on_grid(grid, b.step, b.sd, panel) for panel in panels for b in bands]),
        "runs": _stack([c for runs in courses for run in runs for c in run], RUN_DIGITS),
    }
    return {
        "panels": [_describe(panel, bands) for panel in panels],
        "agents": [
            {
                "name": legend.write(agent),
                "runs": band.runs,
                "curves": len(runs),
                **_look(legend, agent),
            }
            for (agent, band), runs in zip(bands_of.items(), courses, strict=True)
        ],
        "steps": grid.tolist(),
        **pack_arrays(arrays),
    }


def common_grid(bands: Sequence[CurveBand]) -> Array:
    """Return the steps at which all curves are shown: some of those of the longest curve."""
    longest = max((band.step for band in bands), key=lambda step: float(step[-1]))
    stride = -(-len(longest) // POINTS)
    return longest[::-1][::stride][::-1].astype(np.float64)


def curve_table(bands: Bands, *, single_step: bool, legend: Legend = AGENTS) -> Table:
    """Return the curves as a table: what a chart shows, for those who cannot see it."""
    shown = [Column("measure", "Measure"), Column("agent", "Agent")]
    shown += [Column(f"{moment}", f"after {moment} % of the steps") for moment in MOMENTS]
    rows = []
    for panel in panels_of(bands, single_step=single_step):
        for agent, band in bands.items():
            if panel.measure in band.mean:
                row = {"measure": panel.title, "agent": legend.write(agent)}
                rows.append(row | _moments(band, panel))
    return Table(
        name="curves",
        title="The curves as numbers",
        columns=shown,
        rows=rows,
        note="Mean ± SD over runs.",
    )


def _moments(band: CurveBand, panel: Panel) -> dict[str, str]:
    found = {}
    for moment in MOMENTS:
        place = np.searchsorted(band.step, moment / 100 * band.step[-1])
        mean, sd = (float(side[panel.measure][place]) for side in (band.mean, band.sd))
        found[f"{moment}"] = mean_sd(mean, sd)
    return found


def _courses(sample: Sample | None, panels: list[Panel], grid: Array) -> list[list[Array]]:
    """Return, of each single run, its curve in each panel."""
    if sample is None:
        return []
    runs = []
    for _, course in sample.results.courses(sample.key.digest):
        measures = dict(_measures(course))
        runs.append([_on_grid(grid, course.curve["step"], measures, panel) for panel in panels])
    return runs


def _measures(course: RunCurve) -> dict[str, Array]:
    measures = dict(course.curve)
    if len(course.episode_returns):
        measures["trailing_return"] = trailing_returns(course)
    return measures


def _on_grid(grid: Array, step: Array, measures: dict[str, Array], panel: Panel) -> Array:
    """Return a measure at the steps of the grid; NaN where it has no value."""
    values = measures.get(panel.measure)
    if values is None:
        return np.full(len(grid), np.nan)
    return np.interp(grid, step, values, left=np.nan, right=np.nan)


def _stack(curves: list[Array], digits: int = DIGITS) -> NDArray[np.float32]:
    joined = np.concatenate([*curves, np.zeros(0)]).astype(np.float32)
    rounded: NDArray[np.float32] = round_floats(joined, digits)
    return rounded


def _describe(panel: Panel, bands: list[CurveBand]) -> dict[str, Any]:
    means = [band.mean[panel.measure] for band in bands if panel.measure in band.mean]
    return {"measure": panel.measure, "title": panel.title, "log": blown_up(means)}


def _look(legend: Legend, agent: str) -> dict[str, Any]:
    look = legend.look(agent)
    dash = [] if isinstance(look.line, str) else [2.0 * length for length in look.line[1]]
    return {"colour": f"--{legend.key(agent)}", "dash": dash}
