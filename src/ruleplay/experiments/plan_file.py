"""Which runs a study is about, in a small file beside its results, for whoever looks on.

It is no part of the results: what was computed does not depend on what else was planned.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ruleplay.errors import StoreError
from ruleplay.files import write_whole

PLAN = "plan.json"
FORMAT = 1


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
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:
        raise StoreError(f"{path} cannot be read as a plan: {error}") from None
