"""Keep the runs of a comparison in a CSV file, one row each, appended as they end."""

import csv
import os
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ruleplay.errors import ConfigError
from ruleplay.output.files import drop_cut_line

FILE = "runs.csv"
OK, FAILED, NOT_APPLICABLE = "ok", "failed", "not applicable"


class Layout(NamedTuple):
    """Which columns runs have: those that tell one run from another, and what is measured."""

    key: tuple[str, ...]
    measured: tuple[str, ...]
    texts: tuple[str, ...]  # columns that are no numbers, beside those that all runs have

    @property
    def columns(self) -> tuple[str, ...]:
        """Return all columns."""
        return ("list", *self.key, "status", "version", *self.measured, "reason")


class RunLog:
    """A file of runs to which others are added."""

    def __init__(self, folder: Path, layout: Layout) -> None:
        """Read what is there already, and drop a row that was cut short."""
        self.layout, self.path = layout, folder / FILE
        folder.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            drop_cut_line(self.path)
        if not self.path.exists() or not self.path.stat().st_size:
            self.path.write_text(",".join(layout.columns) + "\n")
        self.runs = read_runs(folder, (layout,))

    def done(self) -> set[tuple[Hashable, ...]]:
        """Return the keys of the runs that are there."""
        keys = self.runs[list(self.layout.key)].astype(object)
        return set(keys.itertuples(index=False, name=None))

    def add(self, row: Mapping[str, Any]) -> None:
        """Add one run; it is on the disk when this returns."""
        with self.path.open("a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([shown(row.get(column)) for column in self.layout.columns])
            file.flush()
            os.fsync(file.fileno())


def read_runs(folder: Path, layouts: Sequence[Layout]) -> pd.DataFrame:
    """Return the runs of a folder; figures that a run does not have are NaN."""
    path = folder / FILE
    if not path.is_file():
        raise ConfigError(f"{folder} has no {FILE}: `ruleplay compare --out {folder}` makes it")
    texts = {"list", "contender", "status", "version", "reason"}.union(
        *(layout.texts for layout in layouts)
    )
    try:
        runs = pd.read_csv(path, dtype=dict.fromkeys(texts, str))
    except (pd.errors.ParserError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    if tuple(runs.columns) not in [layout.columns for layout in layouts]:
        expected = "; or ".join(", ".join(layout.columns) for layout in layouts)
        raise ConfigError(f"{path} must have the columns {expected}")
    return runs


def shown(value: Any) -> str:
    r"""Return a cell on one line; numbers in six significant digits.

    >>> shown(0.123456789), shown(None), shown("a\nb"), shown(12)
    ('0.123457', '', 'a b', '12')
    """
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else " ".join(str(value).split())
