"""Run ruleplay and its peers in turn on the same work and compare them.

A comparison goes seed by seed, and within a seed workload by workload, each library in turn, so
that a slow spell of the machine meets all of them. Peers run in subprocesses on one thread; each
program times its own learning as CPU time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from ruleplay.benchmarks import cartpole
from ruleplay.benchmarks.environment import PEERS, PeerError, clean_environ
from ruleplay.benchmarks.programs import run_program
from ruleplay.benchmarks.tables import OURS, Failure, Row, format_table, summarise
from ruleplay.benchmarks.workload import (
    DEFAULT_STEPS,
    REPLAY_WARMUP,
    RunResult,
    workload_name,
)
from ruleplay.errors import ConfigError
from ruleplay.output.files import write_whole

REPLAYS = 4
WARM_STEPS = 1_500
RUN_SECONDS = 900
SLOW_REPEATS = 1


class OurRunner(Protocol):
    """Run ruleplay on the multiplexer."""

    def __call__(self, seed: int, steps: int, replay: int) -> RunResult:
        """Return the result of one run with a number of replays per step (0: none)."""


@dataclass(frozen=True, slots=True)
class Contender:
    """Name a library's entry on a workload and how to run it for a seed and a number of steps.

    `warm` asks for an unmeasured run first, so that compiling is not timed; `repeats` caps the
    repetitions of a slow library.
    """

    workload: str
    library: str
    run: Callable[[int, int], RunResult]
    warm: bool = False
    repeats: int | None = None


def compare(
    repeats: int,
    out: Path | None,
    our_runner: OurRunner,
    *,
    python: Path | None = None,
    steps: int = DEFAULT_STEPS,
    more: Iterable[Contender] = (),
    on_run: Callable[[str], None] = lambda line: None,
) -> list[Row]:
    """Compare ruleplay with the peers over seeds 1 to `repeats` and return the table's rows.

    Args:
        repeats: how many seeds to run.
        out: directory for `runs.json`, `rows.json` and `table.md`, or None to write nothing.
        our_runner: runs ruleplay on the multiplexer in this process.
        python: interpreter of the peers' environment; None leaves the peers out.
        steps: learning steps per run.
        more: further entries of ours, such as CartPole or one Python call per step. The entry
            that ratios refer to is the one whose library is `ruleplay`.
        on_run: told one line about each finished run.
    """
    if repeats < 1:
        raise ConfigError(f"repeats must be at least 1, got {repeats}")
    if steps <= REPLAY_WARMUP:
        raise ConfigError(f"steps must be more than {REPLAY_WARMUP} (the warm-up), got {steps}")
    contenders = ordered([*our_contenders(our_runner), *more, *peer_contenders(python)])
    runs: list[RunResult] = []
    failures: dict[tuple[str, str], Failure] = {}
    try:
        for contender in contenders:
            if contender.warm:
                contender.run(1, min(WARM_STEPS, steps))
        for seed in range(1, repeats + 1):
            for contender in contenders:
                if seed <= (contender.repeats or repeats):
                    run_once(contender, seed, steps, runs, failures, on_run)
    finally:
        rows = summarise(runs, list(failures.values()))
        if out is not None:
            publish(out, runs, rows)
    return rows


def run_once(
    contender: Contender,
    seed: int,
    steps: int,
    runs: list[RunResult],
    failures: dict[tuple[str, str], Failure],
    on_run: Callable[[str], None],
) -> None:
    """Run a contender unless it has failed before, and keep its result or its failure."""
    workload, library = key = contender.workload, contender.library
    if key in failures:
        return
    try:
        result = contender.run(seed, steps)
    except PeerError as error:
        failures[key] = {"workload": workload, "library": library, "error": str(error)}
        on_run(f"{library} on {workload}, seed {seed}: {error}")
        return
    runs.append({**result, "workload": workload, "library": library})
    spent = result["microseconds_per_step"]
    on_run(f"{library} on {workload}, seed {seed}: {spent:.2f} microseconds per step")


def our_contenders(our_runner: OurRunner) -> list[Contender]:
    """Return ruleplay's entries on the multiplexer, with and without replay."""

    def entry(replay: int) -> Contender:
        return Contender(
            workload_name(replay),
            OURS,
            lambda seed, steps: our_runner(seed=seed, steps=steps, replay=replay),
            warm=True,
        )

    return [entry(0), entry(REPLAYS)]


def peer_contenders(python: Path | None) -> list[Contender]:
    """Return the peers' entries: xcsf everywhere, the scikit-style ones on the multiplexer."""
    if python is None:
        return []

    def entry(workload: str, library: str, program: str, *options: str) -> Contender:
        def run(seed: int, steps: int) -> RunResult:
            return run_peer(python, program, [*options, "--seed", str(seed), "--steps", str(steps)])

        slow = SLOW_REPEATS if program == "scikit_peer.py" else None
        return Contender(workload, library, run, repeats=slow)

    plain, replayed = workload_name(0), workload_name(REPLAYS)
    names = ("scikit-XCS", "scikit-eLCS", "scikit-ExSTraCS")
    return [
        entry(plain, "xcsf", "xcsf_peer.py"),
        entry(plain, "xcsf (spread_min 1)", "xcsf_peer.py", "--spread", "1"),
        *(entry(plain, name, "scikit_peer.py", "--library", name) for name in names),
        entry(replayed, "xcsf", "xcsf_peer.py", "--replay", str(REPLAYS)),
        entry(cartpole.WORKLOAD, "xcsf", "xcsf_peer.py", "--workload", "cartpole"),
    ]


def ordered(contenders: Sequence[Contender]) -> list[Contender]:
    """Bring the entries of a workload together, workloads and entries as they first appear."""
    workloads = list(dict.fromkeys(each.workload for each in contenders))
    return sorted(contenders, key=lambda each: workloads.index(each.workload))


def run_peer(python: Path, program: str, options: Sequence[str]) -> RunResult:
    """Run a peer program and return its result; xcsf ends the interpreter if it is displeased."""
    command = [str(python), str(PEERS / program), *options, "--json"]
    return cast(RunResult, run_program(command, RUN_SECONDS, clean_environ()))


def publish(out: Path, runs: Sequence[RunResult], rows: Sequence[Row]) -> None:
    """Write the runs, the rows and the Markdown table into a directory, each file whole."""
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / "runs.json", as_json(runs))
    write_whole(out / "rows.json", as_json(rows))
    write_whole(out / "table.md", format_table(rows, "markdown") + "\n")


def as_json(value: Any) -> str:
    """Return readable JSON."""
    return json.dumps(value, indent=1) + "\n"
