"""Say what the runs of comparisons on real data have, and read them."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ruleplay.benchmarks import run_file
from ruleplay.benchmarks.real_data.kinds import KINDS, Kind
from ruleplay.benchmarks.run_file import Layout


class Key(NamedTuple):
    """What makes a run one that is not repeated."""

    contender: str
    set: str
    seed: int
    fold: int


def layout(kind: Kind) -> Layout:
    """Return the columns of runs of a kind."""
    return Layout(Key._fields, kind.measured, ("set",))


def read_runs(folder: Path) -> pd.DataFrame:
    """Return the runs of a folder; figures that a run does not have are NaN."""
    return run_file.read_runs(folder, [layout(kind) for kind in KINDS])
