"""Teach an engine from rows: presentations in compiled blocks, with looks between."""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from ruleplay.engine import XCS
from ruleplay.engine.checkpoints import PopulationKeeper
from ruleplay.learners.common.labelled_rows import Codes, LabelledRows, Vector
from ruleplay.learners.common.progress import Show

LARGEST_BLOCK = 20_000  # presentations in one compiled call: an interrupt waits no longer
KEPT_BLOCK = 1000  # if there are rules to be kept, which may be lost within one
SMALL_BLOCK = 2000  # if there is a time limit, which is looked at after each
ROWS_WATCHED = 2000  # training rows on which convergence is measured
PATIENCE, LEAST_RISE = 3, 0.005  # looks in which the score must rise, and by how much
ROWS_SHOWN = 1000  # training rows on which `verbose=2` measures the score


TRAINING, TRIALS = "training", "trials"  # phases of fitting


class TrainingProgress(NamedTuple):
    """What a callback is told: how far training is, and how good."""

    estimator: Any  # as good as it is now: a callback may ask it to predict
    step: int  # presentations so far
    steps: int  # presentations planned
    rules: int  # distinct rules
    score: float | None  # accuracy, or R², on the validation rows, with early stopping
    phase: str = TRAINING  # or trials, before it, of how to learn


Look = Callable[[int], bool]  # presentations so far -> whether to stop
Upkeep = Callable[[], None]  # puts rules in order between blocks
Measure = Callable[[LabelledRows], float]  # how good rules are on rows


class Presentations(Protocol):
    """Whatever says which rows are presented next."""

    def take(self, count: int) -> tuple[Vector, Codes, Vector]:
        """Return the next presentations: rows, what is asked about, what is paid."""
        ...


class Deadline:
    """Tell whether a number of seconds is over; None: never. Other machines may be asked, too."""

    def __init__(self, seconds: float | None) -> None:
        self._end = math.inf if seconds is None else time.time() + seconds
        self.block = LARGEST_BLOCK if seconds is None else SMALL_BLOCK

    @property
    def is_over(self) -> bool:
        """Tell whether it is too late."""
        return time.time() >= self._end


def teach(
    engine: XCS,
    presenter: Presentations,
    count: int,
    deadline: Deadline | None = None,
    upkeep: Upkeep | None = None,
) -> int:
    """Let an engine learn from the next presentations, of which the number is returned.

    There are fewer if time is over, but always some. Upkeep follows each block.
    """
    deadline, done = deadline or Deadline(None), 0
    largest = deadline.block if upkeep is None else min(deadline.block, KEPT_BLOCK)
    while done < count:
        block = min(largest, count - done)
        engine.learn_batch(*presenter.take(block))
        if upkeep is not None:
            upkeep()
        done += block
        if deadline.is_over:
            break
    return done


def train(
    engine: XCS,
    presenter: Presentations,
    looks: Sequence[int],
    deadline: Deadline,
    *looking: Look | None,
    upkeep: Upkeep | None = None,
) -> int:
    """Teach up to the last look, until one looking says stop, or until time is over.

    Return the presentations made. They are the same whether anyone looks or not.
    """
    done = 0
    for until in looks:
        done += teach(engine, presenter, until - done, deadline, upkeep)
        stops = [look(done) for look in looking if look is not None]
        if any(stops) or deadline.is_over:
            break
    return done


class Convergence:
    """Tell when rules have ceased to improve on the rows that they learn from."""

    def __init__(self, measure: Measure, labelled: LabelledRows) -> None:
        self._measure = measure
        self._rows = labelled.take(slice(None, None, len(labelled.rows) // ROWS_WATCHED + 1))
        self._scores: list[float] = []

    def __call__(self, step: int) -> bool:
        """Take a look after some presentations; tell whether more are of no use."""
        self._scores.append(self._measure(self._rows))
        return is_settled(self._scores)


def is_settled(scores: Sequence[float]) -> bool:
    """Tell whether scores, one for each look, have ceased to rise.

    >>> is_settled([0.7, 0.8]), is_settled([0.8, 0.804, 0.801, 0.803])
    (False, True)
    """
    if len(scores) <= PATIENCE:
        return False
    before, lately = scores[:-PATIENCE], scores[-PATIENCE:]
    return max(lately) < max(before) + LEAST_RISE


class EarlyStopping:
    """Judge populations by rows held out, keep the best one, and tell when to stop."""

    def __init__(self, held_out: LabelledRows, patience: int, tolerance: float) -> None:
        self.held_out = held_out
        self._patience = patience
        self._keeper = PopulationKeeper(
            newest_of_equals=False, with_memory=True, tolerance=tolerance
        )

    @property
    def scores(self) -> list[float]:
        """Return the scores at all looks."""
        return self._keeper.scores

    def note(self, engine: XCS, score: float) -> bool:
        """Take in a score; tell whether the last improvement was too long ago."""
        self._keeper.offer(engine, score)
        return self._keeper.offers_since_rise >= self._patience

    def best(self) -> XCS:
        """Return the engine as it was at its best."""
        best = self._keeper.choose()
        assert best is not None
        return best


def make_look(
    estimator: Any,
    steps: int,
    rows: LabelledRows,
    stopping: EarlyStopping | None,
    show: Show,
    measure: Measure,
    score_name: str,
) -> Look | None:
    """Return what is to be done at each look, or None if there is nothing to do.

    The score is measured on the rows held out, else on some of those that are learned from.
    """
    if stopping is None and not estimator.verbose and estimator.callback is None:
        return None
    test = (
        stopping.held_out
        if stopping
        else rows.take(slice(None, None, len(rows.rows) // ROWS_SHOWN + 1))
    )

    def look(step: int) -> bool:
        score, stop = None, False
        if stopping is not None or estimator.verbose > 1:
            score = measure(test)
        if stopping is not None and score is not None:
            stop = stopping.note(estimator.engine_, score)
        progress = TrainingProgress(
            estimator, step, steps, estimator.engine_.macroclassifiers, score if stopping else None
        )
        show(step)
        if estimator.verbose > 1:
            kind = "validation" if stopping else "training"
            print(
                f"step {step} of {steps}: {progress.rules} rules, {kind} {score_name} {score:.3f}"
            )
        if estimator.callback is not None:
            stop = bool(estimator.callback(progress)) or stop
        return stop

    return look
