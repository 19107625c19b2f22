"""Say what the runs of comparisons of control have, and read them."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ruleplay.benchmarks import run_file
from ruleplay.benchmarks.control.course import Checkpoint
from ruleplay.benchmarks.run_file import Layout

MEASURED = ("best", "last", "rules", "conditions", "seconds", "further_steps", "curve")


class Key(NamedTuple):
    """What makes a run one that is not repeated."""

    contender: str
    problem: str
    seed: int
    steps: int


LAYOUT = Layout(Key._fields, MEASURED, ("problem", "curve"))


def read_runs(folder: Path) -> pd.DataFrame:
    """Return the runs of a folder; figures that a run does not have are NaN."""
    return run_file.read_runs(folder, (LAYOUT,))


def has_control_runs(folder: Path) -> bool:
    """Tell whether the runs of a folder are those of control problems, by their columns."""
    path = folder / run_file.FILE
    if not path.is_file():
        return False
    with path.open() as file:
        return file.readline().strip() == ",".join(LAYOUT.columns)


def curve_of(text: object) -> list[Checkpoint]:
    """Return the checkpoints of a run; none if it has none."""
    return [Checkpoint.read(word) for word in text.split()] if isinstance(text, str) else []
