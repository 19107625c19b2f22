"""Results small enough for a repository: every run's figures, and the curves as bands."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from ruleplay.errors import StoreError
from ruleplay.experiments.metrics import CurveBand, RunCurve
from ruleplay.experiments.portraits import copy_portraits
from ruleplay.experiments.spec import RunSpec
from ruleplay.experiments.storage.curve_files import pack_arrays, unpack_arrays
from ruleplay.experiments.storage.index import INDEX
from ruleplay.experiments.storage.results import (
    LABELS,
    CellKey,
    FailedRun,
    Results,
    frame_of,
)
from ruleplay.experiments.storage.store import Store
from ruleplay.output.files import write_whole
from ruleplay.output.harmless import guarded_cell, plain_cell

FORMAT = 1
STUDY, RUNS, BANDS = "study.json", "runs.csv", "bands.npz"


def open_results(path: str | PathLike[str]) -> Results:
    """Open a store, or the compact folder that was made of one, to read."""
    folder = Path(path)
    if not (folder / INDEX).exists() and (folder / STUDY).exists():
        return CompactResults(folder)
    return Store.open(folder)


def export_compact(
    results: Results,
    path: str | PathLike[str],
    has_curves: Callable[[CellKey], bool] = lambda cell: True,
) -> None:
    """Write results as text and few files of arrays, the same bytes for the same results.

    Only the seconds that runs took differ from one study to its repetition. `has_curves` says
    of which cells the learning curves are to be kept.
    """
    folder = Path(path)
    if folder.exists() and any(folder.iterdir()) and not (folder / STUDY).exists():
        raise StoreError(f"{folder} holds something else, and is left as it is")
    folder.mkdir(parents=True, exist_ok=True)
    cells = results.cells()
    digests = sorted({cell.digest for cell in cells})
    kept = sorted({cell.digest for cell in cells if has_curves(cell)})
    bands = {digest: results.band(digest) for digest in kept}
    write_whole(folder / RUNS, _write_runs(results.summaries()))
    write_whole(folder / BANDS, pack_arrays(_pack_bands(bands)))
    copy_portraits(results.path, folder, digests)
    study = {
        "format": FORMAT,
        "cells": [cell._asdict() for cell in cells],
        "specs": {digest: results.spec(digest).as_dict() for digest in digests},
        "runs_per_band": {digest: band.runs for digest, band in bands.items()},
        "failures": [failure._replace(traceback="")._asdict() for failure in results.failures()],
    }
    text = json.dumps(study, indent=1, sort_keys=True, allow_nan=False)
    write_whole(folder / STUDY, text + "\n")


class CompactResults:
    """A compact folder, open for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._study = _read_study(path / STUDY)

    def cells(self) -> list[CellKey]:
        """List the cells of the tables with their specifications' digests."""
        return [CellKey(**cell) for cell in self._study["cells"]]

    def spec(self, digest: str) -> RunSpec:
        """Return a specification."""
        if digest not in self._study["specs"]:
            raise StoreError(f"{self.path} has no specification {digest}")
        return RunSpec.from_dict(self._study["specs"][digest])

    def summaries(self) -> pd.DataFrame:
        """Return a row per cell and finished run: labels, seed, figures of merit, seconds."""
        path = self.path / RUNS
        try:
            with path.open(encoding="utf-8", newline="") as file:
                return frame_of([_read_run(row) for row in csv.DictReader(file)])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{path} cannot be read: {error}") from error

    def failures(self) -> list[FailedRun]:
        """List the runs that failed; their tracebacks stay in the store."""
        return [FailedRun(**failure) for failure in self._study["failures"]]

    def band(self, digest: str) -> CurveBand:
        """Return mean and deviation of the learning curves of a specification's runs."""
        arrays = unpack_arrays(self.path / BANDS)
        parts: dict[str, dict[str, Any]] = {"mean": {}, "sd": {}}
        for name, array in arrays.items():
            owner, kind, *measure = name.split("/")
            if owner == digest and measure:
                parts[kind][measure[0]] = array
        if f"{digest}/step" not in arrays:
            raise StoreError(f"{self.path / BANDS} has no curves of specification {digest}")
        runs = self._study["runs_per_band"][digest]
        return CurveBand(runs, arrays[f"{digest}/step"], parts["mean"], parts["sd"])

    def courses(self, digest: str) -> Iterator[tuple[int, RunCurve]]:
        """Return nothing: only the store has the curves of single runs."""
        return iter(())

    def close(self) -> None:
        """Do nothing: no file is held open."""


def _pack_bands(bands: dict[str, CurveBand]) -> dict[str, Any]:
    arrays = {}
    for digest, band in bands.items():
        arrays[f"{digest}/step"] = band.step
        for name in band.mean:
            arrays[f"{digest}/mean/{name}"] = band.mean[name]
            arrays[f"{digest}/sd/{name}"] = band.sd[name]
    return arrays


def _read_study(path: Path) -> dict[str, Any]:
    try:
        study: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        found = study["format"]
        missing = {"cells", "specs", "runs_per_band", "failures"} - set(study)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    if found != FORMAT:
        raise StoreError(f"{path}: its format is {found}, this version of ruleplay reads {FORMAT}")
    if missing:
        raise StoreError(f"{path} lacks {', '.join(sorted(missing))}")
    return study


def _write_runs(summaries: pd.DataFrame) -> str:
    """Write a table as CSV that reads back exactly; a missing number is empty.

    Labels that spreadsheets would compute begin with an apostrophe.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(summaries.columns)
    for row in summaries.itertuples(index=False):
        writer.writerow([_write_value(value) for value in row])
    return buffer.getvalue()


def _write_value(value: Any) -> str:
    if pd.isna(value):
        return ""
    plain = value.item() if hasattr(value, "item") else value
    return str(guarded_cell(plain)) if isinstance(plain, str) else json.dumps(plain)


def _read_run(row: dict[str, str]) -> dict[str, Any]:
    texts = {name: plain_cell(row[name]) for name in LABELS[:-1]}
    numbers = {name: text for name, text in row.items() if name not in texts}
    return texts | {name: json.loads(text) if text else None for name, text in numbers.items()}
