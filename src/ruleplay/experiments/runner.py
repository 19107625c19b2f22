"""Run what a study still lacks, publish each result at once, and tell how far it is."""

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from ruleplay.experiments.executors import Executor
from ruleplay.experiments.plan_file import (
    COMPILING,
    DONE,
    LEARNING,
    write_plan,
    write_progress,
)
from ruleplay.experiments.store import Store
from ruleplay.experiments.study import Run, Study
from ruleplay.experiments.time_left import TimeLeft
from ruleplay.experiments.trial import Failure, Outcome, Task


class StudyPlanned(NamedTuple):
    """Announce how many runs there are, and how many the store has already."""

    total: int
    finished: int


class RunEnded(NamedTuple):
    """Announce a run that has been published, or recorded as failed."""

    run: Run
    seconds: float
    error: str | None
    done: int  # of all runs of the study, failed ones and those of earlier calls included
    total: int
    seconds_left: float | None  # None while there is no evidence
    compiling: int  # kinds of run whose kernels are still to be compiled


Event = StudyPlanned | RunEnded


@dataclass(frozen=True)
class StudyOutcome:
    """Say what became of a study."""

    total: int
    finished_before: int
    finished_now: int
    failures: tuple[tuple[Run, Failure], ...]
    seconds: float

    @property
    def was_complete(self) -> bool:
        """Tell whether there was nothing to do."""
        return self.finished_before == self.total


def run_study(
    study: Study,
    store: Store,
    executor: Executor,
    on_event: Callable[[Event], None] = lambda event: None,
    *,
    again: Iterable[Run] = (),
    more: float = 0.0,
) -> StudyOutcome:
    """Do the runs that the store does not have; a failing one does not stop the others.

    An interruption (Ctrl-C) goes through to the caller; what was finished is in the store. Who
    does some runs `again` afterwards, or needs `more` seconds, has them counted as time left.
    """
    begin = time.perf_counter()
    store.register((cell.spec, cell.variant) for cell in study.cells)
    runs = study.runs()
    write_plan(store.path, (run.key for run in runs), executor.workers)
    completed = store.completed(run.digest for run in runs)
    pending = {run.key: run for run in runs if run.key not in completed}
    before = len(runs) - len(pending)
    on_event(StudyPlanned(len(runs), before))
    clock = TimeLeft(pending.values(), store.shortest_seconds(), again, more)
    _tell(store, clock, executor)
    failures = []
    tasks = [Task(run.spec, run.seed, study.module) for run in pending.values()]
    with closing(executor.outcomes(tasks)) as outcomes:
        for outcome in outcomes:
            run = pending.pop((outcome.digest, outcome.seed))
            error = _keep(store, outcome)
            if isinstance(outcome, Failure):
                failures.append((run, outcome))
            clock.note(run, outcome)
            left = _tell(store, clock, executor)
            done = len(runs) - len(pending)
            ended = RunEnded(run, outcome.seconds, error, done, len(runs), left, clock.compiling)
            on_event(ended)
    return StudyOutcome(
        total=len(runs),
        finished_before=before,
        finished_now=len(runs) - before - len(failures),
        failures=tuple(failures),
        seconds=time.perf_counter() - begin,
    )


def _tell(store: Store, clock: TimeLeft, executor: Executor) -> float | None:
    """Say beside the results how long it will take; return that."""
    left = clock.seconds_left(executor.workers)
    phase = COMPILING if clock.compiling else DONE if left == 0.0 else LEARNING
    write_progress(store.path, phase, left)
    return left


def _keep(store: Store, outcome: Outcome) -> str | None:
    """Put an outcome into the store; return its error, if it is one."""
    if isinstance(outcome, Failure):
        store.record_failure(outcome)
        return outcome.error
    store.publish(outcome)
    return None
