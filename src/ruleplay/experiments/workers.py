"""Worker processes of this machine: each does one run at a time, and dies with its parent.

A worker is a fresh Python that reads tasks from its standard input and writes outcomes to
its standard output: nothing of the caller's program is run in it again, and the parent
knows what each worker is doing and whom to blame when one dies.
"""

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, cast

from ruleplay.experiments.trial import Failure, Outcome, Task, attempt_trial

_Pipe = IO[bytes]

# A worker that has grown beyond this many bytes is replaced: the compiler never forgets.
LARGEST = 600 * 2**20

_LIVES = 3  # processes that a run may kill before it counts as failed

_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from ruleplay.experiments.workers import serve; serve()"
)


class Worker:
    """A process that does runs for this one."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", _PROGRAM, *sys.path]
        # In a group of its own a worker does not hear Ctrl-C, which its parent answers for it: an
        # interpreter that is just starting would say so in its own words.
        own_group = 0 if os.name == "posix" else None
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=own_group
        )
        self._sink, self._source = (
            cast(_Pipe, self._process.stdin),
            cast(_Pipe, self._process.stdout),
        )

    def do(self, task: Task) -> tuple[Outcome, int]:
        """Have a task done; return its outcome and the bytes that the process has grown to.

        The death of the process raises EOFError or OSError.
        """
        pickle.dump(task, self._sink)
        self._sink.flush()
        answer: tuple[Outcome, int] = pickle.load(self._source)
        return answer

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._sink, self._source):
            with suppress(OSError):  # what could not be sent any more
                pipe.close()


class Crew:
    """Workers, hired when there is more to do than they can, replaced when dead or too large."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hired: set[Worker] = set()
        self._idle: list[Worker] = []
        self._dismissed = False

    def do(self, task: Task) -> Outcome:
        """Have a task done by a worker; one that kills its workers becomes a failure."""
        for _ in range(_LIVES):
            worker = self._choose()
            try:
                outcome, size = worker.do(task)
            except (EOFError, OSError, pickle.UnpicklingError):
                self._part_with(worker)
                continue
            if size > LARGEST:
                self._part_with(worker)
            else:
                self._idle.append(worker)
            return outcome
        error = f"its process died {_LIVES} times"
        return Failure(digest=task.spec.digest(), seed=task.seed, error=error)

    def dismiss(self) -> None:
        """End all workers at once, and hire no more."""
        with self._lock:
            self._dismissed = True
            for worker in self._hired:
                worker.kill()

    def _choose(self) -> Worker:
        with self._lock:
            if self._dismissed:
                raise InterruptedError("the work was stopped")
            if not self._idle:
                self._idle.append(Worker())
                self._hired.add(self._idle[-1])
            return self._idle.pop()

    def _part_with(self, worker: Worker) -> None:
        with self._lock:
            if not self._dismissed:
                worker.kill()
                self._hired.remove(worker)


def ignore_ctrl_c() -> None:
    """Leave Ctrl-C to other threads; processes that this thread starts never hear of it."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])


def serve() -> None:
    """Be a worker: do tasks from standard input until it is closed, even amidst a task."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a run prints must not mix with outcomes
    tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
    threading.Thread(target=_read_tasks, args=(source, tasks), daemon=True).start()
    while True:
        outcome = attempt_trial(*tasks.get())
        try:
            pickle.dump((outcome, _memory_used()), sink)
            sink.flush()
        except BrokenPipeError:
            os._exit(0)  # the parent is gone


def _memory_used() -> int:
    """Return how many bytes of memory this process occupies, 0 where that cannot be read."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _read_tasks(source: _Pipe, tasks: "queue.SimpleQueue[Task]") -> None:
    try:
        while True:
            tasks.put(pickle.load(source))
    finally:
        os._exit(0)  # the parent is gone
