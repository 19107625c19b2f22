"""Hand runs out to processes on this machine, to a Dask cluster or to Ray.

Every executor yields outcomes as they arrive, in any order, and holds only a few at a
time. What a run gives depends on its specification and seed alone, so that all of them
give the same results. A run whose worker died is done again.
"""

import importlib
import logging
import os
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, Protocol

from ruleplay.errors import ConfigError, RuleplayError
from ruleplay.experiments.trial import Failure, Outcome, Outcomes, Task, attempt_trial
from ruleplay.experiments.workers import Crew, ignore_ctrl_c

BACKENDS = ("local", "dask", "ray")

_RETRIES = 2  # how often a run is done again if its worker died
_WINDOW = 256  # runs handed to a cluster at a time

# What Dask's own processes do first: Ctrl-C is for this one.
_IGNORE_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"


class Executor(Protocol):
    """Whatever can do runs; `workers` is how many it does at a time."""

    workers: int

    def outcomes(self, tasks: Sequence[Task]) -> Outcomes:
        """Do all tasks and yield what became of each; closing the generator stops the work."""


def make_executor(backend: str, jobs: int | None = None, address: str | None = None) -> Executor:
    """Return the executor of a back end with a number of workers, all cores by default.

    An address is that of a running Dask scheduler or Ray cluster.
    """
    jobs = usable_cores() if jobs is None else jobs
    if type(jobs) is not int or jobs < 1:
        raise ConfigError(f"jobs must be an integer in [1, inf), got {jobs!r}")
    if backend == "local" and address is not None:
        raise ConfigError(f"the back end 'local' has no address, got {address!r}")
    if backend == "local":
        return LocalExecutor(jobs)
    if backend == "dask":
        return DaskExecutor(jobs, address)
    if backend == "ray":
        return RayExecutor(jobs, address)
    raise ConfigError(f"backend must be one of {', '.join(BACKENDS)}, got {backend!r}")


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class LocalExecutor:
    """Processes of this machine; with one job, this process itself."""

    def __init__(self, jobs: int) -> None:
        self.workers = jobs

    def outcomes(self, tasks: Sequence[Task]) -> Outcomes:
        """Do all tasks, one at a time in each process."""
        if self.workers == 1:
            yield from (attempt_trial(*task) for task in tasks)
            return
        crew, queue = Crew(), deque(tasks)
        running: set[Future[Outcome]] = set()
        with ThreadPoolExecutor(self.workers, initializer=ignore_ctrl_c) as threads:
            try:
                while queue or running:
                    while queue and len(running) < 2 * self.workers:
                        running.add(threads.submit(crew.do, queue.popleft()))
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    while done:
                        yield done.pop().result()
            finally:
                threads.shutdown(wait=False, cancel_futures=True)
                crew.dismiss()


class DaskExecutor:
    """A Dask cluster: the one at an address, or one of this machine's processes."""

    def __init__(self, jobs: int, address: str | None = None) -> None:
        self.workers = jobs
        self.address = address
        self._dask = _require("distributed", "dask")

    def outcomes(self, tasks: Sequence[Task]) -> Outcomes:
        """Do all tasks; the scheduler gives those of a dead worker to another one."""
        if not tasks:
            return
        with self._connect() as client:
            self.workers = sum(client.nthreads().values()) or self.workers
            queue = deque(tasks)
            running: dict[str, Task] = {}
            arriving = self._dask.as_completed()
            while queue or running:
                while queue and len(running) < _WINDOW:
                    task = queue.popleft()
                    future = client.submit(attempt_trial, *task, pure=False)
                    running[future.key] = task
                    arriving.add(future)
                future = next(arriving)
                yield _collect(future.result, running.pop(future.key))
                future.release()

    def _connect(self) -> Any:
        if self.address is None:
            return self._dask.Client(
                n_workers=self.workers,
                threads_per_worker=1,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                preload=[_IGNORE_CTRL_C],
            )
        try:
            return self._dask.Client(self.address, timeout=10)
        except (OSError, ValueError) as error:
            raise ConfigError(f"no Dask scheduler answers at {self.address}: {error}") from error


class RayExecutor:
    """A Ray cluster: the one at an address, or one of this machine's processes."""

    def __init__(self, jobs: int, address: str | None = None) -> None:
        self.workers = jobs
        self.address = address
        self._ray = _require("ray", "ray")

    def outcomes(self, tasks: Sequence[Task]) -> Outcomes:
        """Do all tasks; Ray does those of a dead worker again."""
        if not tasks:
            return
        ray = self._ray
        self._connect()
        try:
            self.workers = int(ray.cluster_resources().get("CPU", self.workers))
            submit = ray.remote(num_cpus=1, max_retries=_RETRIES)(attempt_trial).remote
            queue = deque(tasks)
            running: dict[Any, Task] = {}
            while queue or running:
                while queue and len(running) < _WINDOW:
                    task = queue.popleft()
                    running[submit(*task)] = task
                (reference,), _ = ray.wait(list(running), num_returns=1)
                yield _collect(partial(ray.get, reference), running.pop(reference))
        finally:
            ray.shutdown()

    def _connect(self) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        options: dict[str, Any] = {"num_cpus": self.workers, "object_store_memory": 100 * 2**20}
        if self.address is not None:
            options = {"address": self.address}
        try:
            self._ray.init(
                **options,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except (OSError, RuntimeError, ValueError) as error:
            raise ConfigError(f"Ray cannot be reached: {error}") from error


def _collect(get: Callable[[], Outcome], task: Task) -> Outcome:
    """Return a task's outcome, or the failure of those who should have done it."""
    try:
        return get()
    except Exception as error:
        return _lost(task, f"{type(error).__name__}: {error}", traceback.format_exc())


def _lost(task: Task, error: str, trace: str = "") -> Failure:
    line = error.splitlines()[0]
    return Failure(digest=task.spec.digest(), seed=task.seed, error=line, traceback=trace)


def _require(module: str, extra: str) -> Any:
    """Import what an extra provides, or say how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise RuleplayError(
            f"the back end {extra!r} needs an extra: pip install 'ruleplay[{extra}]'"
        ) from error
