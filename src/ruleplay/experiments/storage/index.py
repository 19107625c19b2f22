"""The index of a store: one SQLite file, checked when opened, with at most one writer."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ruleplay.errors import StoreError
from ruleplay.output.files import write_whole

FORMAT = 1
INDEX = "index.sqlite"
LOCK = "writer.lock"

# specs: what was run; cells: which specification a cell of the tables means now (a changed
# preset points its cell to another one); runs: what came out.
_TABLES = {
    "meta": "CREATE TABLE meta (format INTEGER NOT NULL)",
    "specs": "CREATE TABLE specs (digest TEXT PRIMARY KEY, spec TEXT NOT NULL)",
    "cells": (
        "CREATE TABLE cells (preset TEXT NOT NULL, agent TEXT NOT NULL, variant TEXT NOT NULL,"
        " digest TEXT NOT NULL REFERENCES specs, PRIMARY KEY (preset, agent, variant))"
    ),
    "runs": (
        "CREATE TABLE runs (digest TEXT NOT NULL REFERENCES specs, seed INTEGER NOT NULL,"
        " status TEXT NOT NULL CHECK (status IN ('ok', 'failed')), summary TEXT, traceback TEXT,"
        " seconds REAL NOT NULL, finished_at TEXT NOT NULL, PRIMARY KEY (digest, seed))"
    ),
}

# SQLite keeps any value in any column, so these are looked at when an index is opened.
_KINDS = {
    "specs": {"digest": "text", "spec": "text"},
    "cells": {"preset": "text", "agent": "text", "variant": "text", "digest": "text"},
    "runs": {
        "digest": "text",
        "seed": "integer",
        "summary": "text",
        "seconds": "real",
        "finished_at": "text",
    },
}


@contextmanager
def explain_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into StoreError with the file's name."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged file may hold any bytes
        raise StoreError(f"{path} cannot be used as a store of results: {error}") from error


def lock_for_writing(folder: Path) -> sqlite3.Connection:
    """Become the only writer until the connection is closed or the process ends."""
    connection = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if "locked" in str(error):
            raise StoreError(
                f"another process is writing to {folder}; wait for it to end"
            ) from error
        raise StoreError(f"{folder / LOCK} cannot be locked: {error}") from error
    return connection


def create_index(folder: Path) -> None:
    """Make an empty index: whole or, if the process is killed, not at all."""
    with explain_errors(folder):
        connection = sqlite3.connect(":memory:", isolation_level=None)
        try:
            for statement in _TABLES.values():
                connection.execute(statement)
            connection.execute("INSERT INTO meta VALUES (?)", (FORMAT,))
            write_whole(folder / INDEX, connection.serialize())
        finally:
            connection.close()


def open_to_read(folder: Path) -> sqlite3.Connection:
    """Open the index and check that it is one, whole and of this format."""
    path = folder / INDEX
    if path.stat().st_size == 0:  # which SQLite would take for a new database
        raise StoreError(f"{path} is empty: it was cut off, and is left as it is")
    with explain_errors(path):
        connection = _connect(path, _reading_mode(path))
        try:
            connection.execute("PRAGMA query_only = ON")
            _check(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _reading_mode(path: Path) -> str:
    """Return how SQLite is to open an index that is only read.

    It cannot make its helper files in a folder that is read-only, nor needs to. A journal that a
    killed writer left must be played back, which is writing.
    """
    left = [Path(f"{path}-{kind}") for kind in ("wal", "journal")]
    log, journal = (file.exists() and file.stat().st_size > 0 for file in left)
    if not os.access(path.parent, os.W_OK) and not (log or journal):
        return "immutable=1"
    return "mode=rw" if journal else "mode=ro"


def open_to_write(folder: Path) -> sqlite3.Connection:
    """Open an index that has been checked; each transaction is on the disk when it ends."""
    path = folder / INDEX
    with explain_errors(path):
        connection = _connect(path, "mode=rw")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    return connection


def merge_log(connection: sqlite3.Connection) -> None:
    """Leave the index in one file; while others read, the log beside it stays.

    Readers of an index without a log make no files that they could not remove.
    """
    with suppress(sqlite3.Error):
        connection.execute("PRAGMA busy_timeout = 200")  # milliseconds
        connection.execute("PRAGMA journal_mode = DELETE")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, isolation_level=None)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of another program, of another format, or damaged."""
    found = dict(
        connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
    )
    if found.get("meta") != _TABLES["meta"]:
        raise StoreError(f"{path} is not a store of results, and is left as it is")
    formats = [row[0] for row in connection.execute("SELECT format FROM meta")]
    if formats != [FORMAT]:
        shown = ", ".join(map(str, formats)) or "missing"
        raise StoreError(f"{path}: its format is {shown}, this version of ruleplay reads {FORMAT}")
    if found != _TABLES:
        raise StoreError(f"{path}: its tables are not those of a store, and are left as they are")
    report = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if report != "ok":
        raise StoreError(f"{path} is damaged: {report}")
    for table, kinds in _KINDS.items():
        _check_kinds(connection, path, table, kinds)


def _check_kinds(
    connection: sqlite3.Connection, path: Path, table: str, kinds: dict[str, str]
) -> None:
    """Refuse a table in which a value is not of its column's kind."""
    wrong = ", ".join(f"sum(typeof({name}) != '{kind}')" for name, kind in kinds.items())
    counts = connection.execute(f"SELECT {wrong} FROM {table}").fetchone()
    for (name, kind), count in zip(kinds.items(), counts, strict=True):
        if count:
            raise StoreError(f"{path} is damaged: {count} values of {table}.{name} are no {kind}")
