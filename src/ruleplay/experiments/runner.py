"""Run what a study still lacks, publish each result at once, and tell how far it is."""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from ruleplay.experiments.executors import Executor
from ruleplay.experiments.portraits import portrait_path, portrayed_runs, save_portrait
from ruleplay.experiments.storage.plan_file import (
    COMPILING,
    DONE,
    LEARNING,
    write_plan,
    write_progress,
)
from ruleplay.experiments.storage.store import Store
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
    portraits: bool = False,
    more: float = 0.0,
) -> StudyOutcome:
    """Do the runs that the store does not have; a failing one does not stop the others.

    An interruption (Ctrl-C) goes through to the caller; what was finished is in the store. With
    `portraits`, snapshots of some runs are kept beside it; a run that lacks them is done again.
    Who needs `more` seconds afterwards has them counted as time left.
    """
    begin = time.perf_counter()
    store.register((cell.spec, cell.variant) for cell in study.cells)
    runs = study.runs()
    write_plan(store.path, (run.key for run in runs), executor.workers)
    completed = store.completed(run.digest for run in runs)
    portrayed = portrayed_runs(study) if portraits else set()
    completed -= {key for key in portrayed if not portrait_path(store.path, *key).exists()}
    pending = {run.key: run for run in runs if run.key not in completed}
    before = len(runs) - len(pending)
    on_event(StudyPlanned(len(runs), before))
    clock = TimeLeft(pending.values(), store.shortest_seconds(), more)
    _tell(store, clock, executor)
    failures = []
    tasks = [
        Task(run.spec, run.seed, study.module, run.key in portrayed) for run in pending.values()
    ]
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
    if outcome.portrait is not None:
        path = portrait_path(store.path, outcome.digest, outcome.seed)
        save_portrait(path, outcome.portrait)
    store.publish(outcome)
    return None
