"""What a kill must leave behind: checks after each, and the undisturbed results to compare with.

A check that fails raises `FaultError`, whose outcome names what is wrong.
"""

import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from torture import victims

RUNS = 12
HALF = 6
ENDED = {signal.SIGKILL: -9, signal.SIGTERM: -15, signal.SIGINT: 130}
TABLE = """size,colour,kind
1.0,red,small
2.5,blue,large
0.5,red,small
3.5,green,large
"""


class FaultError(Exception):
    """Say that something is not as it should be."""

    def __init__(self, outcome: str, detail: str = "") -> None:
        super().__init__(detail)
        self.outcome = outcome


class Scene(NamedTuple):
    """Where a case happens: what was prepared, room of its own, and its random numbers."""

    base: Path
    place: Path
    chance: Random


class End(NamedTuple):
    """How a process ended, and all that it said."""

    code: int
    words: str


# The moment


def read_until(process: "subprocess.Popen[str]", runs: int) -> list[str]:
    """Read what a study says until so many runs have ended, or it ends: a line at least.

    Before its first word, a command may not have begun: the interpreter hears a signal, not we.
    """
    said, ended = [], 0
    while not said or ended < runs:
        line = process.stderr.readline()
        if not line:
            break
        said.append(line)
        ended += bool(re.match(r"\d+ of \d+: ", line))
    return said


def wait_until(
    process: "subprocess.Popen[str]", seen: Callable[[], Any], patience: float = 10.0
) -> Any:
    """Look again and again until something is seen; return it, or None if that did not happen."""
    deadline = time.monotonic() + patience
    while process.poll() is None and time.monotonic() < deadline:
        found = seen()
        if found:
            return found
    return None


def await_end(process: "subprocess.Popen[str]", said: list[str]) -> End:
    """Wait for the end of a process and of all that it has started."""
    process.wait()
    left = victims.orphans(process.pid)
    if left:
        victims.end(process)
        raise FaultError("orphans", f"{len(left)} processes were alive after 5 s")
    words = "".join(said) + process.communicate()[1]
    if "Traceback" in words and not _is_of_an_interpreter(words):
        raise FaultError("spilled", words[words.index("Traceback") :][-1500:])
    return End(process.returncode, words)


def _is_of_an_interpreter(words: str) -> bool:
    """Tell whether a worker was interrupted before any code of ours ran in it (Dask's, Ray's)."""
    files = re.findall(r'^  File "(.*?)"', words, re.MULTILINE)
    return "KeyboardInterrupt" in words and all(name.startswith("<") for name in files)


def check_code(found: End, number: int) -> bool:
    """Check how a process ended that was sent a signal; return False if that came too late."""
    if found.code == 0 or (number == signal.SIGINT and found.code == -number):
        return False  # all was done; the interpreter itself was interrupted at its end
    if found.code != ENDED[signal.Signals(number)]:
        raise FaultError("exit-code", f"{found.code} after signal {number}: {found.words[-500:]}")
    if number == signal.SIGINT and not found.words.splitlines()[-1].startswith("interrupted: "):
        raise FaultError("message", found.words[-500:])
    return True


# The results


def check_readable(folder: Path) -> int:
    """Check that a reader finds a whole store, or none yet; return how many runs it has."""
    from ruleplay.experiments.storage.store import Store

    if not (folder / "index.sqlite").exists():
        return 0
    with Store.open(folder) as store:
        runs = store.completed(cell.digest for cell in store.cells())
        for digest, seed in runs:
            store.load_curve(digest, seed)
        return len(runs)


def finish(folder: Path, runs: int = RUNS) -> int:
    """Do what a study still lacks in this process; return how many runs it had."""
    from ruleplay.experiments.executors import LocalExecutor
    from ruleplay.experiments.runner import run_study
    from ruleplay.experiments.storage.store import Store

    with Store.open(folder, create=True) as store:
        outcome = run_study(victims.small_study(runs), store, LocalExecutor(1))
    if outcome.failures:
        raise FaultError("failed-runs", outcome.failures[0][1].error)
    return outcome.finished_before


def fingerprint(folder: Path) -> list[str]:
    """Return what must be equal in equal stores."""
    from ruleplay.experiments.storage.store import Store

    with Store.open(folder) as store:
        digest = store.canonical_digest()
    return [digest, *sorted(path.name for path in (folder / "curves").rglob("*.*"))]


def check_equal(folder: Path, calm: Path) -> None:
    """Compare a store with that of an undisturbed study."""
    if fingerprint(folder) != fingerprint(calm):
        raise FaultError("other-results", "the store differs from that of an undisturbed study")
    check_tidy(folder)


def check_tidy(folder: Path) -> None:
    """Check that no temporary file is left."""
    left = [str(path.relative_to(folder)) for path in folder.rglob("*") if "partial" in path.name]
    if left:
        raise FaultError("leftover", re.sub(r"\d+-\w+(?=\.partial)", "PID", " ".join(sorted(left))))


def resume_and_compare(scene: Scene, folder: Path, kept: int) -> str:
    """Go on with a killed study and compare; return what happened in words."""
    before = finish(folder)
    if before < kept:
        raise FaultError("lost", f"{kept} runs were there, {before} were found")
    check_equal(folder, scene.base / "calm")
    return f"{before} of {RUNS} runs kept"


# What is made before the first kill


def command(*arguments: Any) -> None:
    """Run a command that must succeed."""
    process = victims.start(*arguments)
    words = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"{arguments}: {process.returncode}\n{words[0]}\n{words[1]}")


def run_save(path: Path, seed: int) -> tuple[Any, ...]:
    """Return the command that learns a little and writes an engine."""
    preset = f"stein2020/{victims.PROBLEM}"
    options = ("--agent", victims.AGENT, "--steps", 2000, "--seed", seed, "--save", path)
    return victims.ruleplay("run", preset, *options)


def fit_save(path: Path, seed: int) -> tuple[Any, ...]:
    """Return the command that learns a table and writes a classifier."""
    table = path.parent / "table.csv"
    lines = TABLE.splitlines(keepends=True)
    table.write_text(lines[0] + "".join(lines[1:]) * 20)
    options = ("--target", "kind", "--epochs", 2, "--seed", seed, "--save", path)
    return victims.ruleplay("fit", table, *options)


SAVES = {"run": run_save, "fit": fit_save}


def prepare_base(folder: Path) -> Path:
    """Make the undisturbed results once for each state of the sources; return their folder."""
    from conftest import cache_folder

    base = folder / cache_folder().name
    if (base / "ready").exists():
        return base
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir(parents=True)
    for name, save in SAVES.items():
        for seed in (0, 1):
            (base / "models").mkdir(exist_ok=True)
            command(*save(base / "models" / f"{name}-{seed}.ruleplay", seed))
    finish(base / "calm")
    for name, runs in (("half", HALF), ("whole", RUNS)):
        command(*victims.reproduce(base / name / "results", runs))
    (base / "ready").touch()
    return base


def remove_report(folder: Path) -> None:
    """Take the report and the rule maps away from results."""
    for name in ("report", "portraits"):
        with suppress(FileNotFoundError):
            shutil.rmtree(folder / name)
