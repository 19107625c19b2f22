"""How far a study is, read from its store while another process writes to it."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleplay.errors import StoreError
from ruleplay.experiments.metrics import CurveBand
from ruleplay.experiments.storage.plan_file import DONE, Plan, Progress, read_plan, read_progress
from ruleplay.experiments.storage.results import CellKey, LoggedRun
from ruleplay.experiments.storage.store import Store

if TYPE_CHECKING:
    import pandas as pd

FIGURES = ("reward", "system_error", "macroclassifiers", "otm", "greedy")
NEWEST = 12  # runs listed
POINTS = 100  # of a curve
WINDOW = timedelta(minutes=5)  # in which the pace is measured

Document = dict[str, Any]


class StudyFollower:
    """Looks at a store again and again, and never writes; what has not changed is kept."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)
        self._known: tuple[Any, Document] | None = None
        self._bands: dict[tuple[str, int], CurveBand | None] = {}
        with Store.open(self.folder):
            pass  # which refuses what is no store

    def state(self) -> Document:
        """Return everything there is to show, as plain values."""
        plan = read_plan(self.folder)
        with Store.open(self.folder) as store:
            log = store.log()
            key = (plan, log)
            if self._known is None or self._known[0] != key:
                self._known = key, self._read(store, plan, log)
        now = datetime.now(UTC)
        return self._known[1] | {
            "now": now.isoformat(timespec="seconds"),
            "per_minute": pace(log, now),
            **describe_progress(read_progress(self.folder), now),
        }

    def _read(self, store: Store, plan: Plan | None, log: list[LoggedRun]) -> Document:
        """Read the store as it is now."""
        wanted = None if plan is None else plan.seeds
        finished = seeds_by_digest(run for run in log if run.status == "ok")
        failed = seeds_by_digest(run for run in log if run.status != "ok")
        cells, summaries = store.cells(), store.summaries()
        names = {cell.digest: name_of(cell) for cell in reversed(cells)}
        counted = finished.keys() if wanted is None else wanted.keys()
        return {
            "kind": "study",
            "source": str(self.folder.resolve()),
            "unit": "runs",
            "total": None if wanted is None else sum(map(len, wanted.values())),
            "done": sum(len(within(finished, digest, wanted)) for digest in counted),
            "failed": sum(len(within(failed, digest, wanted)) for digest in failed),
            "cells": [
                self._cell(store, cell, summaries, finished, failed, wanted) for cell in cells
            ],
            "newest": [describe_run(run, names) for run in log[:NEWEST]],
        }

    def _cell(
        self,
        store: Store,
        cell: CellKey,
        summaries: "pd.DataFrame",
        finished: dict[str, set[int]],
        failed: dict[str, set[int]],
        wanted: dict[str, frozenset[int]] | None,
    ) -> Document:
        """Describe a cell: its runs, their figures, and their curve."""
        digest = cell.digest
        rows = summaries[(summaries["digest"] == digest) & (summaries["variant"] == cell.variant)]
        planned = None if wanted is None or digest not in wanted else len(wanted[digest])
        return {
            "name": name_of(cell),
            "planned": planned,
            "done": len(finished.get(digest, ())),
            "failed": len(failed.get(digest, ())),
            "figures": {name: spread(rows[name]) for name in FIGURES if name in rows},
            "curve": describe_band(self._band(store, digest, len(finished.get(digest, ())))),
        }

    def _band(self, store: Store, digest: str, runs: int) -> CurveBand | None:
        """Return the mean curve of a specification's runs, read anew only if there are more."""
        key = digest, runs
        if key not in self._bands:
            self._bands = {k: band for k, band in self._bands.items() if k[0] != digest}
            try:
                self._bands[key] = store.band(digest) if runs else None
            except StoreError:  # a curve that the writer is about to replace
                return None
        return self._bands[key]


def describe_progress(progress: Progress | None, now: datetime) -> Document:
    """Say what a study is doing, and how long it will take from now on.

    Nobody knows how long what takes longer than it was thought to take.
    """
    if progress is None:
        return {"phase": None, "seconds_left": None}
    left = progress.seconds_left
    if left is not None and progress.phase != DONE:
        left -= (now - progress.at).total_seconds()
        left = left if left > 0.0 else None
    return {"phase": progress.phase, "seconds_left": left}


def seeds_by_digest(runs: Iterable[LoggedRun]) -> dict[str, set[int]]:
    """Group the seeds of runs by what was run."""
    seeds: dict[str, set[int]] = {}
    for run in runs:
        seeds.setdefault(run.digest, set()).add(run.seed)
    return seeds


def within(
    seeds: dict[str, set[int]], digest: str, wanted: dict[str, frozenset[int]] | None
) -> set[int]:
    """Return the seeds of a specification that belong to the plan, if there is one."""
    found = seeds.get(digest, set())
    return found if wanted is None else found & wanted.get(digest, frozenset())


def name_of(cell: CellKey) -> str:
    """Name a cell for people."""
    variant = f" ({cell.variant})" if cell.variant else ""
    return f"{cell.preset.removeprefix('stein2020/')} {cell.agent}{variant}"


def pace(log: list[LoggedRun], now: datetime) -> float | None:
    """Return how many runs per minute ended lately; None if fewer than two did."""
    times = [run.ended() for run in log]
    recent = [time for time in times if now - time <= WINDOW]
    if len(recent) < 2 or recent[0] == recent[-1]:
        return None
    return 60.0 * (len(recent) - 1) / (recent[0] - recent[-1]).total_seconds()


def spread(values: "pd.Series[float]") -> Document | None:
    """Return mean and standard deviation of a figure, as far as there are any."""
    known = values.dropna()
    if known.empty:
        return None
    deviation = float(known.std()) if len(known) > 1 else None
    return {"mean": float(known.mean()), "sd": deviation}


def describe_band(band: CurveBand | None) -> Document | None:
    """Return the curve that matters most, with few points."""
    if band is None or not len(band.step):
        return None
    measure = "trailing_return" if "trailing_return" in band.mean else "reward"
    if measure not in band.mean:
        return None
    places = np.unique(np.linspace(0, len(band.step) - 1, POINTS).astype(int))
    return {
        "measure": "return, mean of 100 episodes" if measure == "trailing_return" else measure,
        "step": band.step[places].tolist(),
        "mean": band.mean[measure][places].tolist(),
        "sd": band.sd[measure][places].tolist(),
    }


def describe_run(run: LoggedRun, names: dict[str, str]) -> Document:
    """Describe a run that has ended."""
    name = names.get(run.digest, run.digest[:8])
    return {"name": name, **run._asdict()}
