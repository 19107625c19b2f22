"""Measure what a user waits for: the import, the first run, a further problem, a warm start.

Everything happens in fresh processes. The first run of a group has an empty folder of compiled
kernels; what follows in the group finds there what the runs before it have left.
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
from typing import NamedTuple, TypedDict

from ruleplay.benchmarks.environment import last_lines
from ruleplay.errors import ConfigError, RuleplayError


class Start(NamedTuple):
    """A run to wait for."""

    what: str
    preset: str
    agent: str
    settings: tuple[str, ...] = ()


# Each group begins with an empty folder; its first run is measured again, warm, at its end.
GROUPS: tuple[tuple[Start, ...], ...] = (
    (
        Start("first run, multiplexer with replay", "stein2020/rmp6", "xcs-er"),
        Start("further problem", "stein2020/mario", "xcs-er"),
        Start("further learner", "stein2020/rmp6", "xcs"),
        Start("further sampler", "stein2020/rmp6", "xcs-er", ("replay_sampling=prioritized",)),
    ),
    (Start("first run, MountainCar with linear models", "ruleplay/mountaincar", "xcs-er"),),
)
STEPS = 2_000
CALLS = 20_000
TIMEOUT_SECONDS = 600
TIME_IMPORT = "from time import perf_counter as t; a = t(); import ruleplay; print(t() - a)"
TIME_STEP = f"""
from time import perf_counter as t
import numpy as np
from ruleplay import XCS, XCSConfig
engine = XCS(XCSConfig(exploration="epsilon_greedy", ga_threshold=10**6), n_actions=1,
             low=[0.0], high=[1.0])
row = np.full(1, 0.5)
for _ in range({CALLS}): engine.step(row)
a = t()
for _ in range({CALLS}): engine.step(row)
print((t() - a) / {CALLS})
"""

HEADINGS = ("what", "seconds", "CPU seconds", "of which compiling")


class StartupRow(TypedDict):
    """The median of a waiting time, the processor's part of it, and how much was compiling."""

    what: str
    seconds: float
    cpu_seconds: float
    compile_seconds: float


def measure_startup(
    repeats: int,
    *,
    groups: Sequence[Sequence[Start]] = GROUPS,
    on_row: Callable[[str], None] = lambda line: None,
) -> list[StartupRow]:
    """Time the import, each group's cold runs, its warm start, and a call from Python."""
    if repeats < 1:
        raise ConfigError(f"repeats must be at least 1, got {repeats}")
    rows: list[StartupRow] = []

    def add(row: StartupRow) -> None:
        rows.append(row)
        on_row(row_line(row))

    add(measure_python("import", TIME_IMPORT, repeats))
    for group in groups:
        with tempfile.TemporaryDirectory() as cache:
            for start in group:
                add(measure_run(start, cache, 1))
            add(
                measure_run(
                    group[0]._replace(what=f"the same, warm: {STEPS} steps"), cache, repeats
                )
            )
    add(measure_python("one call of XCS.step", TIME_STEP, repeats))
    return rows


def measure_python(what: str, program: str, repeats: int) -> StartupRow:
    """Let fresh interpreters run a program that prints a time."""
    seconds = statistics.median(float(run_python("-c", program)) for _ in range(repeats))
    return {"what": what, "seconds": seconds, "cpu_seconds": seconds, "compile_seconds": 0.0}


def measure_run(start: Start, cache: str, repeats: int) -> StartupRow:
    """Time a whole short `ruleplay run` in fresh interpreters, kernels kept in `cache`."""
    figures = []
    options = ["--agent", start.agent, "--steps", str(STEPS), "--json"]
    options += [word for setting in start.settings for word in ("--set", setting)]
    for _ in range(repeats):
        began, used = time.perf_counter(), _children_seconds()
        printed = run_python("-m", "ruleplay.cli", "run", start.preset, *options, cache=cache)
        compiling = json.loads(printed)["compile_seconds"]
        figures.append((time.perf_counter() - began, _children_seconds() - used, compiling))
    seconds, cpu, compiling = map(statistics.median, zip(*figures, strict=True))
    return {
        "what": start.what,
        "seconds": seconds,
        "cpu_seconds": cpu,
        "compile_seconds": compiling,
    }


def _children_seconds() -> float:
    """Return the processor's time that child processes have used so far."""
    times = os.times()
    return times.children_user + times.children_system


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
    return row["what"], *(
        shown(row[name]) for name in ("seconds", "cpu_seconds", "compile_seconds")
    )


def row_line(row: StartupRow) -> str:
    """Return a row as a line about progress."""
    return f"{row['what']}: {shown(row['seconds'])} s"


def shown(seconds: float) -> str:
    """Return a time with three digits that mean something."""
    return f"{seconds:.2f}" if seconds >= 0.01 or seconds == 0.0 else f"{seconds:.2e}"
