"""Teach an engine from labelled rows: presentations in compiled blocks, with looks between."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ruleplay.engine import XCS
from ruleplay.learners.classifier.presentation import Lesson, Presenter
from ruleplay.learners.common.progress import Show

LOOKS = 20  # at a run, evenly spaced
LARGEST_BLOCK = 20_000  # presentations in one compiled call: an interrupt waits no longer
ROWS_SHOWN = 1000  # training rows on which `verbose=2` measures accuracy


class TrainingProgress(NamedTuple):
    """What a callback is told: how far training is, and how good."""

    estimator: Any  # as good as it is now: a callback may ask it to predict
    step: int  # presentations so far
    steps: int  # presentations planned
    rules: int  # distinct rules
    score: float | None  # accuracy on the validation rows, with early stopping


Watch = Callable[[int], bool]  # presentations so far -> whether to stop


def teach(engine: XCS, presenter: Presenter, count: int) -> None:
    """Let an engine learn from the next presentations."""
    for first in range(0, count, LARGEST_BLOCK):
        engine.learn_batch(*presenter.take(min(LARGEST_BLOCK, count - first)))


def train(engine: XCS, presenter: Presenter, steps: int, watch: Watch | None) -> int:
    """Teach for a number of steps, or until `watch` says stop; return the steps made.

    The presentations are the same whether anyone watches or not.
    """
    done = 0
    for look in range(1, LOOKS + 1):
        until = steps * look // LOOKS
        if until > done:
            teach(engine, presenter, until - done)
            done = until
            if watch and watch(done):
                break
    return done


class BestSoFar:
    """Keeps the best engine by a score, and tells when it has not improved for long."""

    def __init__(self, patience: int, tolerance: float) -> None:
        self.patience = patience
        self.tolerance = tolerance
        self.scores: list[float] = []
        self._best = -np.inf
        self._since = 0
        self._content = b""

    def note(self, engine: XCS, score: float) -> bool:
        """Take in a score; tell whether the last improvement was too long ago."""
        self.scores.append(score)
        self._since = 0 if score > self._best + self.tolerance else self._since + 1
        if score > self._best:
            self._best, self._content = score, engine.to_bytes()
        return self._since >= self.patience

    def restore(self) -> XCS:
        """Return the engine as it was at its best."""
        return XCS.from_bytes(self._content)


def make_watch(
    estimator: Any, steps: int, test: Lesson, best: BestSoFar | None, show: Show
) -> Watch | None:
    """Return what is to be done at each look, or None if there is nothing to do.

    `test` are the rows held out for `best`, else those learned from.
    """
    if best is None and not estimator.verbose and estimator.callback is None:
        return None
    every = 1 if best else len(test.rows) // ROWS_SHOWN + 1
    rows = Lesson(test.rows[::every], test.answers[::every], test.weights[::every])

    def look(step: int) -> bool:
        score, stop = None, False
        if best is not None or estimator.verbose > 1:
            score = measure_accuracy(estimator, rows)
        if best is not None and score is not None:
            stop = best.note(estimator.engine_, score)
        progress = TrainingProgress(
            estimator, step, steps, estimator.engine_.macroclassifiers, score if best else None
        )
        show(step)
        if estimator.verbose > 1:
            kind = "validation" if best else "training"
            print(f"step {step} of {steps}: {progress.rules} rules, {kind} accuracy {score:.3f}")
        if estimator.callback is not None:
            stop = bool(estimator.callback(progress)) or stop
        return stop

    return look


def measure_accuracy(estimator: Any, test: Lesson) -> float:
    """Return the weighted share of rows that the estimator classifies right."""
    guesses = estimator._payoffs(test.rows).argmax(axis=1)
    return float(np.average(guesses == test.answers, weights=test.weights))
