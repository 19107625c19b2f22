"""Run what a study still lacks, publish each result at once, and tell how far it is."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from ruleplay.experiments.executors import Executor
from ruleplay.experiments.plan_file import write_plan
from ruleplay.experiments.store import Store
from ruleplay.experiments.study import Run, Study
from ruleplay.experiments.trial import Failure, Outcome

# Seconds per step, where no run of the kind has been seen yet.
_USUAL_RULES, _USUAL_NETWORK = 40e-6, 1.2e-3


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
    seconds_left: float


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
) -> StudyOutcome:
    """Do the runs that the store does not have; a failing one does not stop the others.

    An interruption (Ctrl-C) goes through to the caller; what was finished is in the store.
    """
    begin = time.perf_counter()
    store.register((cell.spec, cell.variant) for cell in study.cells)
    runs = study.runs()
    write_plan(store.path, (run.key for run in runs), executor.workers)
    completed = store.completed(run.digest for run in runs)
    pending = {run.key: run for run in runs if run.key not in completed}
    before = len(runs) - len(pending)
    on_event(StudyPlanned(len(runs), before))
    clock = TimeLeft(pending.values(), store.shortest_seconds())
    failures = []
    with closing(executor.outcomes([(run.spec, run.seed) for run in pending.values()])) as outcomes:
        for outcome in outcomes:
            run = pending.pop((outcome.digest, outcome.seed))
            error = _keep(store, outcome)
            if isinstance(outcome, Failure):
                failures.append((run, outcome))
            clock.note(run, outcome.seconds if error is None else None)
            left = clock.seconds_left(executor.workers)
            done = len(runs) - len(pending)
            on_event(RunEnded(run, outcome.seconds, error, done, len(runs), left))
    return StudyOutcome(
        total=len(runs),
        finished_before=before,
        finished_now=len(runs) - before - len(failures),
        failures=tuple(failures),
        seconds=time.perf_counter() - begin,
    )


def _keep(store: Store, outcome: Outcome) -> str | None:
    """Put an outcome into the store; return its error, if it is one."""
    if isinstance(outcome, Failure):
        store.record_failure(outcome)
        return outcome.error
    store.publish(outcome)
    return None


class TimeLeft:
    """Estimate when a study ends, from the shortest time that each kind of run took."""

    def __init__(self, pending: Iterable[Run], known: Mapping[str, float]) -> None:
        self._left = Counter(run.digest for run in pending)
        self._specs = {run.digest: run.spec for run in pending}
        self._seconds = {digest: known[digest] for digest in self._left if digest in known}

    def note(self, run: Run, seconds: float | None) -> None:
        """Take in that a run has ended, after so many seconds if it succeeded."""
        self._left[run.digest] -= 1
        if seconds is not None:
            self._seconds[run.digest] = min(seconds, self._seconds.get(run.digest, seconds))

    def seconds_left(self, workers: int) -> float:
        """Return the estimate for a number of workers."""
        total = sum(count * self._estimate(digest) for digest, count in self._left.items())
        return total / max(1, workers)

    def _estimate(self, digest: str) -> float:
        spec = self._specs[digest]
        usual = _USUAL_RULES if spec.dqn is None else _USUAL_NETWORK
        return self._seconds.get(digest, usual * spec.steps)
