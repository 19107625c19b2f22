"""What a search has found so far: runs and readings, one JSON line each, in a folder.

A last line that a kill cut short is dropped at the next start. Runs that a folder lacks, and
readings if it has none, may come from another one, such as what comes with the package.
"""

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ruleplay.output.files import drop_cut_line, write_whole
from ruleplay.studies.inferred.figures import Figures

RUNS, READINGS = "runs.jsonl", "readings.jsonl"

Key = tuple[str, int]  # digest of the specification, seed


class InferredStore:
    """Keep runs by specification and seed, and readings in the order in which they were tried."""

    def __init__(self, folder: Path, *others: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.runs: dict[Key, Figures] = {}
        self.readings: list[dict[str, Any]] = []
        for path in (folder / RUNS, folder / READINGS):
            if path.exists():
                drop_cut_line(path)
        for place in (*others, folder):
            self.runs |= {
                (line["spec"], line["seed"]): {k: _read(v) for k, v in line["figures"].items()}
                for line in read_lines(place / RUNS)
            }
            self.readings = list(read_lines(place / READINGS)) or self.readings

    def add_run(self, digest: str, seed: int, figures: Figures, **labels: Any) -> None:
        """Keep the figures of a run."""
        self.runs[digest, seed] = figures
        written = {name: _written(value) for name, value in figures.items()}
        line = {"spec": digest, "seed": seed, **labels, "figures": written}
        append_line(self.folder / RUNS, line)

    def add_reading(self, line: dict[str, Any]) -> None:
        """Keep what was found about a reading."""
        self.readings.append(line)
        append_line(self.folder / READINGS, line)


def _written(value: float) -> float | None:
    return None if math.isnan(value) else value


def _read(value: float | None) -> float:
    return math.nan if value is None else value


def append_line(path: Path, content: dict[str, Any]) -> None:
    """Add one line to a file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(content) + "\n")


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Read the lines of a file, if there is one."""
    if path.exists():
        with path.open(encoding="utf-8") as file:
            yield from map(json.loads, file)


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """Write a whole file of lines."""
    write_whole(path, "".join(json.dumps(line) + "\n" for line in lines))
