"""The study beyond the paper in six lines: what the first page of the project shows."""

from typing import NamedTuple

import numpy as np

from ruleplay.report.samples import Sample
from ruleplay.report.table import Column, Row, Table
from ruleplay.report.text import DASH
from ruleplay.studies.beyond.aims import Measure, mean_of
from ruleplay.studies.beyond.analysis import headline_samples
from ruleplay.studies.beyond.plan import RECIPE, TASKS
from ruleplay.studies.paper.analysis import Analysis, diverged_share

AGENTS = {"xcs-er": "XCS-ER as published", RECIPE: "our recipe", "dqn": "DQN"}


class Line(NamedTuple):
    """A figure of a problem; of runs it is the number among all."""

    problem: str
    figure: str
    measure: Measure
    of_runs: bool = False


def runs_solved(name: str, sample: Sample) -> float:
    """Count the runs that solve the problem."""
    return float(np.sum(sample.values("greedy") >= TASKS[name].solved))


def runs_diverged(name: str, sample: Sample) -> float:
    """Count the runs that diverge."""
    return float(diverged_share(sample).count)


LINES = (
    Line("chain64", "runs that walk it to the end", runs_solved, of_runs=True),
    Line("cartpole", "return while learning", mean_of("otm")),
    Line("mountaincar", "runs that fail", runs_diverged, of_runs=True),
    Line("cartpole-v1", "greedy return", mean_of("greedy")),
    Line("mountaincar-v0", "greedy return", mean_of("greedy")),
    Line("acrobot", "greedy return", mean_of("greedy")),
)


def short_table(analysis: Analysis) -> Table:
    """Show one figure of each problem for replay as published, for the recipe and for DQN."""
    columns = [Column("problem", "Problem"), Column("figure", "Figure")]
    columns += [Column(agent, title, number=True) for agent, title in AGENTS.items()]
    found = headline_samples(analysis)
    rows = [_row(line, found[line.problem]) for line in LINES if line.problem in found]
    return Table("in-short", "Beyond the paper, in short", columns, rows)


def _row(line: Line, samples: dict[str, Sample]) -> Row:
    cells = {name: _cell(line, samples[name]) if name in samples else DASH for name in AGENTS}
    return {"problem": TASKS[line.problem].title, "figure": line.figure, **cells}


def _cell(line: Line, sample: Sample) -> str:
    value = f"{line.measure(line.problem, sample):.0f}"
    return f"{value} of {len(sample.runs)}" if line.of_runs else value
