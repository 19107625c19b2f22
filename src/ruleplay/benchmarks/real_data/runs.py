"""Keep runs in a CSV file, one row each, appended as they end."""

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ruleplay.benchmarks.real_data.kinds import CLASSIFICATION, KINDS, Kind
from ruleplay.errors import ConfigError

FILE = "runs.csv"
TEXTS = ("list", "contender", "set", "status", "version", "reason")
OK, FAILED, NOT_APPLICABLE = "ok", "failed", "not applicable"


class Key(NamedTuple):
    """What makes a run one that is not repeated."""

    contender: str
    set: str
    seed: int
    fold: int


def fields(kind: Kind) -> tuple[str, ...]:
    """Return the columns of runs of a kind."""
    return ("list", *Key._fields, "status", "version", *kind.measured, "reason")


class RunLog:
    """A file of runs to which others are added."""

    def __init__(self, folder: Path, kind: Kind = CLASSIFICATION) -> None:
        """Read what is there already, and drop a row that was cut short."""
        self.fields = fields(kind)
        self.path = folder / FILE
        folder.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            mend(self.path)
        if not self.path.exists() or not self.path.stat().st_size:
            self.path.write_text(",".join(self.fields) + "\n")
        self.runs = read_runs(folder, (kind,))

    def done(self) -> set[Key]:
        """Return the runs that are there."""
        keys = self.runs[list(Key._fields)].itertuples(index=False)
        return {Key(row[0], row[1], int(row[2]), int(row[3])) for row in keys}

    def add(self, row: Mapping[str, Any]) -> None:
        """Add one run; it is on the disk when this returns."""
        with self.path.open("a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([shown(row.get(field)) for field in self.fields])
            file.flush()
            os.fsync(file.fileno())


def read_runs(folder: Path, kinds: Sequence[Kind] = KINDS) -> pd.DataFrame:
    """Return the runs of a folder; figures that a run does not have are NaN."""
    path = folder / FILE
    if not path.is_file():
        raise ConfigError(f"{folder} has no {FILE}: `ruleplay compare --out {folder}` makes it")
    try:
        runs = pd.read_csv(path, dtype=dict.fromkeys(TEXTS, str))
    except (pd.errors.ParserError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    if tuple(runs.columns) not in map(fields, kinds):
        expected = "; or ".join(", ".join(fields(kind)) for kind in kinds)
        raise ConfigError(f"{path} must have the columns {expected}")
    return runs


def mend(path: Path) -> None:
    """Drop what follows the last whole line: a process was killed while it wrote."""
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        path.write_bytes(whole)


def shown(value: Any) -> str:
    r"""Return a cell on one line; numbers in six significant digits.

    >>> shown(0.123456789), shown(None), shown("a\nb"), shown(12)
    ('0.123457', '', 'a b', '12')
    """
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else " ".join(str(value).split())
