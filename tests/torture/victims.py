"""Start commands that are to be killed, and find out about their processes in /proc.

Run as a script, `python -m torture.victims FOLDER BACKEND JOBS RUNS` does the study that most
kills are aimed at: as `ruleplay reproduce` does it, but without a report at its end.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROBLEM, AGENT = "mario", "xcs-er"  # two features: its rules can be drawn
_DIE_WITH_PARENT = 1  # prctl's PR_SET_PDEATHSIG


def _be_mortal() -> None:
    """Hear Ctrl-C even if the caller ignores it, and end with the caller."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)


def start(*arguments: Any, **options: Any) -> "subprocess.Popen[str]":
    """Start Python with these arguments in a session of its own, standard error a pipe."""
    pipe = subprocess.PIPE
    given: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": pipe, "stderr": pipe}
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=_be_mortal,
        **(given | options),
    )


def ruleplay(*arguments: Any) -> tuple[Any, ...]:
    """Return what `start` needs for a command of ruleplay."""
    return ("-m", "ruleplay.cli", *arguments)


def reproduce(folder: Path, runs: int, jobs: int = 1) -> tuple[Any, ...]:
    """Return the command that does the small study, and reports on it."""
    options = ("--quick", "--problem", PROBLEM, "--agent", AGENT, "--reps", runs, "--jobs", jobs)
    return ruleplay("reproduce", *options, "--out", folder)


def small_study(runs: int) -> Any:
    """Return the study of that command."""
    from ruleplay.studies.paper.plan import paper_study

    return paper_study([PROBLEM], [AGENT], reps=runs, quick=True)


def _fields(pid: int) -> list[str]:
    """Return a process's state, parent, group, session and so on; nothing if it is gone."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    return []


def _processes() -> Iterator[tuple[int, list[str]]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            fields = _fields(int(entry.name))
            if fields and fields[0] != "Z":
                yield int(entry.name), fields


def members(session: int) -> list[int]:
    """List the processes of a session that still run."""
    return [pid for pid, fields in _processes() if int(fields[3]) == session]


def orphans(session: int, patience: float = 5.0) -> list[int]:
    """Return who of a session is left after some seconds."""
    deadline = time.monotonic() + patience
    while (left := members(session)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def busy_workers(parent: int, session: int) -> list[int]:
    """List the workers that compute right now: running twice, and using the processor."""
    first = {
        pid: fields
        for pid, fields in _processes()
        if int(fields[3]) == session and pid != parent and fields[0] == "R"
    }
    time.sleep(0.025)
    return [pid for pid, fields in first.items() if _computes(pid, fields)]


def _computes(pid: int, before: list[str]) -> bool:
    """Tell whether a process that was running still is, having used processor time since."""
    now = _fields(pid)
    return bool(now) and now[0] == "R" and now[11:13] != before[11:13]


def strike(pid: int, number: int, group: bool = False) -> None:
    """Send a signal to a process, or to its whole group; it may be gone already."""
    with contextlib.suppress(ProcessLookupError):
        (os.killpg if group else os.kill)(pid, number)


def end(process: "subprocess.Popen[str]") -> None:
    """End a session for good, whoever is in it."""
    strike(process.pid, signal.SIGKILL, group=True)
    process.communicate()


def main(folder: str, backend: str, jobs: str, runs: str) -> int:
    """Do the study; return the exit code that the command would have."""
    import typer

    from ruleplay.cli.reproduce import run_watched
    from ruleplay.cli.terminal.outcome import explained_errors
    from ruleplay.experiments.executors import make_executor

    try:
        with explained_errors():
            executor = make_executor(backend, int(jobs))
            return int(bool(run_watched(small_study(int(runs)), Path(folder), executor).failures))
    except typer.Exit as exit_:
        return exit_.exit_code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
