"""Make runs, several at a time, and yield what came of each as it ends."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TypeVar

Job = TypeVar("Job")
Made = TypeVar("Made")


def run_jobs(start: Callable[[Job], Made], wanted: Sequence[Job], jobs: int) -> Iterator[Made]:
    """Yield what each job comes to; jobs that have not begun are dropped if one fails."""
    with ThreadPoolExecutor(jobs) as pool:
        futures: list[Future[Made]] = [pool.submit(start, job) for job in wanted]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            for future in futures:
                future.cancel()
