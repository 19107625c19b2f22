"""Measure what a user waits for: importing the package, the first run, the second run.

Everything happens in fresh processes. The first run has an empty folder of compiled kernels,
the later ones find them there.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import TypedDict

from ruleplay.benchmarks.environment import last_lines
from ruleplay.errors import ConfigError, RuleplayError

RUNS = (("stein2020/rmp6", "xcs-er"), ("stein2020/mountaincar", "xcs-er"))
STEPS = 2_000
TIMEOUT_SECONDS = 600
TIME_IMPORT = "from time import perf_counter as t; a = t(); import ruleplay; print(t() - a)"

HEADINGS = ("what", "seconds", "of which compiling")


class StartupRow(TypedDict):
    """The median of a waiting time, and how much of it was compiling."""

    what: str
    seconds: float
    compile_seconds: float


def measure_startup(
    repeats: int,
    *,
    runs: Sequence[tuple[str, str]] = RUNS,
    on_row: Callable[[str], None] = lambda line: None,
) -> list[StartupRow]:
    """Time the import, and for each preset and agent one cold run and several warm ones."""
    if repeats < 1:
        raise ConfigError(f"repeats must be at least 1, got {repeats}")
    rows = [measure_import(repeats)]
    on_row(row_line(rows[0]))
    for preset, agent in runs:
        with tempfile.TemporaryDirectory() as cache:
            name = f"run of {STEPS} steps, {preset} {agent}"
            for label, times in (("first", 1), ("next", repeats)):
                rows.append(measure_run(f"{label} {name}", preset, agent, cache, times))
                on_row(row_line(rows[-1]))
    return rows


def measure_import(repeats: int) -> StartupRow:
    """Time `import ruleplay` in fresh interpreters."""
    times = [float(run_python("-c", TIME_IMPORT)) for _ in range(repeats)]
    return {"what": "import", "seconds": statistics.median(times), "compile_seconds": 0.0}


def measure_run(what: str, preset: str, agent: str, cache: str, repeats: int) -> StartupRow:
    """Time a whole short `ruleplay run` in fresh interpreters, kernels kept in `cache`."""
    figures = []
    options = ("--agent", agent, "--steps", str(STEPS), "--json")
    for _ in range(repeats):
        began = time.perf_counter()
        printed = run_python("-m", "ruleplay.cli", "run", preset, *options, cache=cache)
        figures.append((time.perf_counter() - began, json.loads(printed)["compile_seconds"]))
    seconds, compiling = map(statistics.median, zip(*figures, strict=True))
    return {"what": what, "seconds": seconds, "compile_seconds": compiling}


def run_python(*arguments: str, cache: str | None = None) -> str:
    """Run a fresh interpreter and return what it printed."""
    environ = dict(os.environ) if cache is None else {**os.environ, "NUMBA_CACHE_DIR": cache}
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            env=environ,
        )
    except subprocess.TimeoutExpired as error:
        raise RuleplayError(f"a fresh process took more than {TIMEOUT_SECONDS} s") from error
    if done.returncode != 0:
        raise RuleplayError(f"a fresh process failed: {last_lines(done.stderr)}")
    return done.stdout


def row_cells(row: StartupRow) -> tuple[str, ...]:
    """Return the cells of one row under the headings."""
    return row["what"], f"{row['seconds']:.2f}", f"{row['compile_seconds']:.2f}"


def row_line(row: StartupRow) -> str:
    """Return a row as a line about progress."""
    return f"{row['what']}: {row['seconds']:.2f} s"
