"""Run a part in child processes under a watchdog and write down what becomes of each case.

A child that dies makes the case under way a "crash"; one that is silent for too long is killed
and makes it a "hang". A new child goes on with the next case.
"""

import contextlib
import fcntl
import json
import os
import re
import select
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conftest import cache_folder  # its name is a hash of the sources
from torture.part import Part, scratch_homes
from torture.record import append_row, stretches

_WHERE = re.compile(r"^(Fatal Python error|Thread 0x|Current thread)", re.MULTILINE)
_FRAME = re.compile(r"^Current thread.*\n  File \"(.*)\", line (\d+) in (.*)", re.MULTILINE)
LAST_WORDS = 2000  # characters of a dead child's output that its case keeps


class PreparationError(Exception):
    """Say that a part failed before its first case."""


@dataclass
class Child:
    """One process, the cases it was given and what it has said so far."""

    process: subprocess.Popen[bytes]
    pipe: int
    log: Path
    cases: range
    ready: bool = False
    silent: bool = False  # its pipe is closed: it is on its way out
    current: int | None = None
    next: int = 0
    heard: float = field(default_factory=time.monotonic)
    said: bytes = b""


def run_part(part: Part, cases: Iterable[int], out: Path, jobs: int = 2) -> None:
    """Work on the cases; results go to <out>/<part>.jsonl."""
    waiting = deque(stretches(cases, part.batch))
    if not waiting:
        return
    folder = out / "work" / part.name
    folder.mkdir(parents=True, exist_ok=True)
    if part.prepare is not None:
        waiting.appendleft(range(0))  # a child without cases prepares alone
    with _alone(part, out):
        _sweep(folder)
        try:
            _Watch(part, waiting, out, folder, jobs if part.parallel else 1).run()
        finally:
            _sweep(folder)


def _sweep(folder: Path) -> None:
    """Remove what killed children left."""
    for home, prefix in scratch_homes(folder):
        for left in home.glob(f"{prefix}*"):
            shutil.rmtree(left, ignore_errors=True)


@contextlib.contextmanager
def _alone(part: Part, out: Path) -> Iterator[None]:
    """Keep a second driver from the results of a part, as long as this process lives."""
    with (out / f"{part.name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise PreparationError(f"{part.name}: another driver is at it in {out}") from None
        yield


class _Watch:
    """The children of a part while it runs."""

    def __init__(self, part: Part, waiting: deque[range], out: Path, folder: Path, jobs: int):
        self.part, self.waiting, self.jobs = part, waiting, jobs
        self.folder, self.results = folder, out / f"{part.name}.jsonl"
        self.sources = cache_folder().name
        self.children: dict[int, Child] = {}
        self.selector = selectors.DefaultSelector()
        self.started = 0

    def run(self) -> None:
        try:
            while self.waiting or self.children:
                while self.waiting and len(self.children) < self._allowed():
                    self._start(self.waiting.popleft())
                for key, _ in self.selector.select(timeout=0.2):
                    self._listen(self.children[key.fd])
                for child in list(self.children.values()):
                    self._watch(child)
        finally:
            for child in list(self.children.values()):
                _kill(child)
                self._forget(child)

    def _allowed(self) -> int:
        preparing = any(not child.cases for child in self.children.values())
        return 1 if preparing or self.started == 0 else self.jobs

    def _start(self, cases: range) -> None:
        read, write = os.pipe()
        log = self.folder / f"child-{self.started}.log"
        self.started += 1
        command = [sys.executable, "-m", "torture.child", self.part.module]
        command += [str(cases.start), str(len(cases)), str(self.folder), str(write)]
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=[write],
                env={**os.environ, **self.part.environment},
                start_new_session=True,  # so that a kill reaches what the case has started
            )
        os.close(write)
        self.children[read] = Child(process, read, log, cases, next=cases.start)
        self.selector.register(read, selectors.EVENT_READ)

    def _listen(self, child: Child) -> None:
        """Take what a child says; after the end of its file it says no more."""
        said = os.read(child.pipe, 1 << 16)
        child.heard = time.monotonic()
        if not said:
            child.silent = True
            self.selector.unregister(child.pipe)
            return
        *lines, child.said = (child.said + said).split(b"\n")
        for line in lines:
            event = json.loads(line)
            if "ready" in event:
                child.ready = True
            elif "begin" in event:
                child.current = event["begin"]
            else:
                child.current, child.next = None, event["case"] + 1
                self._write(event)

    def _watch(self, child: Child) -> None:
        """Bury a child that has ended; kill one that has been silent for too long."""
        ended = child.process.poll() is not None
        if ended and (child.silent or not select.select([child.pipe], [], [], 0)[0]):
            self._bury(child)
            return
        limit = self.part.limit if child.ready else self.part.preparing
        if time.monotonic() - child.heard <= limit:
            return
        words = _kill(child)
        self._forget(child)
        if not child.ready:
            raise PreparationError(f"{self.part.name}: not ready after {limit:g} s\n{words}")
        self._blame(child, "hang", f"silent for {limit:g} s{_frame(words)}\n{words}")

    def _bury(self, child: Child) -> None:
        """Ask why a child ended."""
        status = child.process.returncode
        self._forget(child)
        whole = child.ready and child.current is None and child.next == child.cases.stop
        if whole and status == 0:
            return
        why = f"exit {status}" if status >= 0 else signal.Signals(-status).name
        words = _last_words(child)
        words = f"{why}{_frame(words)}\n{words}"
        if not child.ready:
            raise PreparationError(f"{self.part.name}: {words}")
        self._blame(child, "crash", words)

    def _blame(self, child: Child, outcome: str, detail: str) -> None:
        """Give the case under way its outcome; the others go to another child.

        A death between two cases is the fault of the one before, or of the first.
        """
        case = child.current
        if case is None:
            case = max(child.next - 1, child.cases.start)
        self._write({"case": case, "outcome": outcome, "detail": detail})
        if case + 1 < child.cases.stop:
            self.waiting.appendleft(range(case + 1, child.cases.stop))

    def _write(self, row: dict[str, Any]) -> None:
        append_row(self.results, {**row, "sources": self.sources})

    def _forget(self, child: Child) -> None:
        if not child.silent:
            self.selector.unregister(child.pipe)
        os.close(child.pipe)
        del self.children[child.pipe]


def _kill(child: Child) -> str:
    """Ask a child where it is, kill it and all it has started; return its last words."""
    if child.process.poll() is None:
        child.process.send_signal(signal.SIGUSR1)
        time.sleep(0.5)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.process.pid, signal.SIGKILL)
    child.process.wait()
    return _last_words(child)


def _frame(words: str) -> str:
    """Name the innermost function of Python among a child's last words."""
    found = _FRAME.search(words)
    return f" in {found[3]} ({Path(found[1]).name}, line {found[2]})" if found else ""


def _last_words(child: Child) -> str:
    """Return the last line that a child printed, and where it was when asked or when it died."""
    text = child.log.read_text(errors="replace")
    found = _WHERE.search(text)
    if not found:
        return text[-LAST_WORDS:].strip()
    printed = text[: found.start()].rstrip().rpartition("\n")[2]
    return f"{printed}\n{text[found.start() :]}"[:LAST_WORDS]
