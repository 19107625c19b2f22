"""Which runs a study is about and how far it is, in small files beside its results.

They are for whoever looks on, and no part of the results: what was computed does not depend on
what else was planned.
"""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ruleplay.errors import StoreError
from ruleplay.output.files import write_whole

PLAN = "plan.json"
PROGRESS = "progress.json"
FORMAT = 1

# What reading a damaged file may raise.
_ODD = (
    AttributeError,
    KeyError,
    OSError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
)

# What a study is doing, apart from how many runs are done.
COMPILING, LEARNING, REPORT, DONE = "compiling", "learning", "report", "done"


class Plan(NamedTuple):
    """The runs that were last about to be done: seeds by digest of the specification."""

    workers: int  # runs at a time
    seeds: dict[str, frozenset[int]]


def write_plan(folder: Path, runs: Iterable[tuple[str, int]], workers: int) -> None:
    """Say which runs are about to be done, those that are finished included."""
    seeds: dict[str, list[int]] = {}
    for digest, seed in runs:
        seeds.setdefault(digest, []).append(seed)
    content = {"format": FORMAT, "workers": workers, "seeds": seeds}
    write_whole(folder / PLAN, json.dumps(content) + "\n")


def read_plan(folder: Path) -> Plan | None:
    """Return what was planned; None if nobody has said."""
    path = folder / PLAN
    if not path.exists():
        return None
    try:
        content = json.loads(path.read_bytes())
        if content["format"] != FORMAT:
            raise ValueError(f"its format is {content['format']!r}, not {FORMAT}")
        seeds = {str(k): frozenset(map(int, v)) for k, v in content["seeds"].items()}
        return Plan(int(content["workers"]), seeds)
    except _ODD as error:
        raise StoreError(f"{path} cannot be read as a plan: {error}") from None


class Progress(NamedTuple):
    """What a study was doing when it last said so, and how long it thought that it would take."""

    phase: str
    seconds_left: float | None  # None if it did not know
    at: datetime


def write_progress(folder: Path, phase: str, seconds_left: float | None) -> None:
    """Say what a study is doing now."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    content = {"format": FORMAT, "phase": phase, "seconds_left": seconds_left, "at": now}
    write_whole(folder / PROGRESS, (json.dumps(content) + "\n").encode())


def read_progress(folder: Path) -> Progress | None:
    """Return what a study last said; None if it never did."""
    path = folder / PROGRESS
    if not path.exists():
        return None
    try:
        content = json.loads(path.read_bytes())
        at = datetime.fromisoformat(content["at"])
        left = content["seconds_left"]
        return Progress(str(content["phase"]), None if left is None else float(left), at)
    except _ODD as error:
        raise StoreError(f"{path} cannot be read as progress: {error}") from None
