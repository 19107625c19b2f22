"""The results of many runs in a folder: an index with summaries, and a file per curve.

One process writes, any number read. A run is published whole: its curve lies in its place
before the index says that the run is finished, so that a kill at any instant loses at most
the run under way.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ruleplay.errors import StoreError
from ruleplay.experiments.metrics import CurveBand, RunCurve, band_of
from ruleplay.experiments.spec import RunSpec
from ruleplay.experiments.storage import curve_files
from ruleplay.experiments.storage import index as store_index
from ruleplay.experiments.storage.results import (
    LABELS,
    CellKey,
    FailedRun,
    LoggedRun,
    decode_summary,
    encode_summary,
    frame_of,
)
from ruleplay.experiments.trial import Failure, Trial, fingerprint_of

if TYPE_CHECKING:
    import pandas as pd

CURVES = "curves"


class Store:
    """A folder of results, open for reading or, in one process, for writing."""

    def __init__(
        self, path: Path, index: sqlite3.Connection, lock: sqlite3.Connection | None
    ) -> None:
        self.path = path
        self._curves = path / CURVES
        self._index = index
        self._lock = lock

    @classmethod
    def open(
        cls, path: str | PathLike[str], *, write: bool = False, create: bool = False
    ) -> "Store":
        """Open a store to read; with `write` as its writer; with `create` even a new one.

        A folder that holds something else, a damaged index, or a second writer raise
        StoreError; nothing is overwritten.
        """
        folder = Path(path)
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder} is a file, a store of results is a folder")
        if (folder / store_index.INDEX).exists():
            index = store_index.open_to_read(folder)
        elif not create:
            raise StoreError(f"there is no store of results in {folder}")
        else:
            _prepare(folder)
            index = store_index.open_to_read(folder)
        if not (write or create):
            return cls(folder, index, None)
        index.close()
        return cls._open_as_writer(folder)

    @classmethod
    def _open_as_writer(cls, folder: Path) -> "Store":
        lock = store_index.lock_for_writing(folder)
        try:
            store = cls(folder, store_index.open_to_write(folder), lock)
            kept = set(store._rows("SELECT digest, seed FROM runs WHERE status = 'ok'"))
            curve_files.sweep_curves(store._curves, kept)
        except BaseException:
            lock.close()
            raise
        return store

    def close(self) -> None:
        """Let go of the files; a writer leaves the index in one file, and room for the next."""
        if self._lock is not None:
            store_index.merge_log(self._index)
        self._index.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Writing

    def register(self, cells: Iterable[tuple[RunSpec, str]]) -> None:
        """Say which specification each cell (preset, agent, variant) stands for now."""
        with self._transaction() as index:
            for spec, variant in cells:
                digest = spec.digest()
                content = json.dumps(spec.as_dict(), sort_keys=True)
                index.execute("INSERT OR IGNORE INTO specs VALUES (?, ?)", (digest, content))
                index.execute(
                    "INSERT INTO cells VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE"
                    " SET digest = excluded.digest WHERE digest != excluded.digest",
                    (spec.preset, spec.agent, variant, digest),
                )

    def publish(self, trial: Trial) -> None:
        """Keep a finished run for good."""
        self._check_writer()
        curve_files.write_curve(self._curves, trial.digest, trial.seed, trial.course)
        summary = encode_summary(trial.summary)
        self._insert(trial.digest, trial.seed, "ok", summary, None, trial.seconds)

    def record_failure(self, failure: Failure) -> None:
        """Keep the traceback of a run that failed; a later success takes its place."""
        trace = failure.traceback or failure.error
        self._insert(failure.digest, failure.seed, "failed", failure.error, trace, failure.seconds)

    def _insert(
        self, digest: str, seed: int, status: str, summary: str, trace: str | None, seconds: float
    ) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        row = (digest, seed, status, summary, trace, seconds, now)
        with self._transaction() as index:
            index.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._check_writer()
        with store_index.explain_errors(self.path / store_index.INDEX):
            self._index.execute("BEGIN IMMEDIATE")
            try:
                yield self._index
            except BaseException:
                self._index.execute("ROLLBACK")
                raise
            self._index.execute("COMMIT")

    def _check_writer(self) -> None:
        if self._lock is None:
            raise StoreError(f"the store {self.path} is open for reading only")

    # Reading

    def cells(self) -> list[CellKey]:
        """List the cells of the tables with their specifications' digests."""
        query = "SELECT preset, agent, variant, digest FROM cells ORDER BY preset, agent, variant"
        return [CellKey(*row) for row in self._rows(query)]

    def spec(self, digest: str) -> RunSpec:
        """Return a specification; its labels are those it was first run under."""
        rows = self._rows("SELECT spec FROM specs WHERE digest = ?", digest)
        if not rows:
            raise StoreError(f"the store {self.path} has no specification {digest}")
        with self._reading(f"the specification {digest}"):
            return RunSpec.from_dict(json.loads(rows[0][0]))

    def completed(self, digests: Iterable[str]) -> set[tuple[str, int]]:
        """Return digest and seed of the finished runs of some specifications."""
        wanted = set(digests)
        rows = self._rows("SELECT digest, seed FROM runs WHERE status = 'ok'")
        return {
            (digest, seed)
            for digest, seed in rows
            if digest in wanted and curve_files.curve_path(self._curves, digest, seed).exists()
        }

    def summaries(self) -> "pd.DataFrame":
        """Return a row per cell and finished run: labels, seed, figures of merit, seconds."""
        query = (
            "SELECT preset, agent, variant, digest, seed, summary, seconds"
            " FROM cells JOIN runs USING (digest) WHERE status = 'ok'"
            " ORDER BY preset, agent, variant, seed"
        )
        with self._reading("the summary of a run"):
            return frame_of(
                dict(zip(LABELS, labels, strict=True))
                | decode_summary(summary)
                | {"seconds": seconds}
                for *labels, summary, seconds in self._rows(query)
            )

    def failures(self) -> list[FailedRun]:
        """List the runs of present cells that failed and have not succeeded since."""
        query = (
            "SELECT preset, agent, variant, seed, summary, traceback"
            " FROM cells JOIN runs USING (digest) WHERE status = 'failed'"
            " ORDER BY preset, agent, variant, seed"
        )
        return [FailedRun(*row) for row in self._rows(query)]

    def log(self) -> list[LoggedRun]:
        """List all runs, the newest first."""
        query = (
            "SELECT digest, seed, status, seconds, finished_at"
            " FROM runs ORDER BY finished_at DESC, rowid DESC"
        )
        runs = [LoggedRun(*row) for row in self._rows(query)]
        with self._reading("the time at which a run ended"):
            for run in runs:
                run.ended()
        return runs

    def shortest_seconds(self) -> dict[str, float]:
        """Return the shortest time that a run of each specification took."""
        query = "SELECT digest, min(seconds) FROM runs WHERE status = 'ok' GROUP BY digest"
        return dict(self._rows(query))

    def load_curve(self, digest: str, seed: int) -> RunCurve:
        """Read the course of one run from its file."""
        return curve_files.read_curve(self._curves, digest, seed)

    def courses(self, digest: str) -> Iterator[tuple[int, RunCurve]]:
        """Return the seeds and courses of all finished runs of a specification, one at a time."""
        return ((seed, self.load_curve(digest, seed)) for seed in self._seeds(digest))

    def band(self, digest: str) -> CurveBand:
        """Return mean and deviation of the curves of all finished runs of a specification."""
        with self._reading(f"the curves of {digest}"):
            return band_of(course for _, course in self.courses(digest))

    def canonical_digest(self) -> str:
        """Return the SHA-256 of everything that is not a time: equal stores, equal digests."""
        total = hashlib.sha256()
        for query in (
            "SELECT * FROM specs ORDER BY digest",
            "SELECT * FROM cells ORDER BY 1, 2, 3",
        ):
            total.update(json.dumps(self._rows(query)).encode())
        query = "SELECT digest, seed, status, summary FROM runs ORDER BY digest, seed"
        for digest, seed, status, summary in self._rows(query):
            result = status
            if status == "ok":
                course = self.load_curve(digest, seed)
                with self._reading("the summary of a run"):
                    result = fingerprint_of(digest, seed, decode_summary(summary), course)
            total.update(json.dumps([digest, seed, result]).encode())
        return total.hexdigest()

    def _seeds(self, digest: str) -> list[int]:
        query = "SELECT seed FROM runs WHERE status = 'ok' AND digest = ? ORDER BY seed"
        return [seed for (seed,) in self._rows(query, digest)]

    @contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        """Turn what odd values lead to into StoreError."""
        try:
            yield
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise StoreError(f"{self.path}: {what} cannot be read: {error}") from error
        except RecursionError as error:
            raise StoreError(f"{self.path}: {what} is nested too deeply") from error

    def _rows(self, query: str, *values: object) -> list[Any]:
        with store_index.explain_errors(self.path / store_index.INDEX):
            return self._index.execute(query, values).fetchall()


def _prepare(folder: Path) -> None:
    """Make the index of a new store; curves without an index are somebody's, and stay."""
    if (folder / CURVES).exists():
        raise StoreError(f"{folder} holds curves without an index, and is left as it is")
    folder.mkdir(parents=True, exist_ok=True)
    lock = store_index.lock_for_writing(folder)
    try:
        if not (folder / store_index.INDEX).exists():
            store_index.create_index(folder)
    finally:
        lock.close()
