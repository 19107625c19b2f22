"""Teach an engine from labelled rows: presentations in compiled blocks, with looks between."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ruleplay.engine import XCS
from ruleplay.engine.checkpoints import PopulationKeeper
from ruleplay.learners.classifier.presentation import LabelledRows, Presenter
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


Look = Callable[[int], bool]  # presentations so far -> whether to stop


def teach(engine: XCS, presenter: Presenter, count: int) -> None:
    """Let an engine learn from the next presentations."""
    for first in range(0, count, LARGEST_BLOCK):
        engine.learn_batch(*presenter.take(min(LARGEST_BLOCK, count - first)))


def train(engine: XCS, presenter: Presenter, steps: int, look: Look | None) -> int:
    """Teach for a number of steps, or until `look` says stop; return the steps made.

    The presentations are the same whether anyone looks or not.
    """
    done = 0
    for number in range(1, LOOKS + 1):
        until = steps * number // LOOKS
        if until > done:
            teach(engine, presenter, until - done)
            done = until
            if look and look(done):
                break
    return done


class EarlyStopping:
    """Measure accuracy on rows held out, keep the best population, and tell when to stop."""

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
    estimator: Any, steps: int, rows: LabelledRows, stopping: EarlyStopping | None, show: Show
) -> Look | None:
    """Return what is to be done at each look, or None if there is nothing to do.

    Accuracy is measured on the rows held out, else on some of those that are learned from.
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
            score = measure_accuracy(estimator, test)
        if stopping is not None and score is not None:
            stop = stopping.note(estimator.engine_, score)
        progress = TrainingProgress(
            estimator, step, steps, estimator.engine_.macroclassifiers, score if stopping else None
        )
        show(step)
        if estimator.verbose > 1:
            kind = "validation" if stopping else "training"
            print(f"step {step} of {steps}: {progress.rules} rules, {kind} accuracy {score:.3f}")
        if estimator.callback is not None:
            stop = bool(estimator.callback(progress)) or stop
        return stop

    return look


def measure_accuracy(estimator: Any, test: LabelledRows) -> float:
    """Return the weighted share of rows that the estimator classifies right."""
    guesses = estimator._payoffs(test.rows).argmax(axis=1)
    return float(np.average(guesses == test.answers, weights=test.weights))
