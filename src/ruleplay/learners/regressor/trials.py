"""Learn from halves of the rows: which tolerance is best, and how far predictions are off.

How much error a rule may have and still count as accurate depends on the noise in the data: with
less, rules fit noise in small boxes; with more, they overlook what could be known. Short runs with
several tolerances learn from each half of the rows and are judged by the other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.refitting import moments_of, refit
from ruleplay.engine.transfer import empty_like
from ruleplay.learners.common.labelled_rows import LabelledRows
from ruleplay.learners.common.progress import Show
from ruleplay.learners.common.training import Deadline, teach
from ruleplay.learners.regressor.presentation import Presenter
from ruleplay.learners.regressor.settings import Plan
from ruleplay.learners.regressor.targets import Targets, spoken

Vector = NDArray[np.float64]

USUAL_SHARE = 0.1  # of the standard deviation of payoffs: eps_0 if nothing is known
SHARES = (0.05, 0.1, 0.2, 0.4, 0.7)  # of which the best is taken
LEAST_ROWS, MOST_ROWS = 20, 20_000  # of which halves can be, and are, learned from
_SALT = 0x5EED


class Judged(NamedTuple):
    """What rules say about rows that they have not seen, in the targets' units."""

    errors: Vector  # (rows, targets)
    stated: Vector  # how far off they think they are
    weights: Vector

    def loss(self, targets: Targets) -> float:
        """Return the mean square of errors, each target in its own scale."""
        return float(
            np.average(((self.errors / targets.scale) ** 2).sum(axis=1), weights=self.weights)
        )


class Trials:
    """Lets engines like a given one learn from one half of the rows and speak about the other."""

    def __init__(
        self, engine: XCS, labelled: LabelledRows, plan: Plan, targets: Targets, show: Show
    ) -> None:
        self._engine, self._targets, self._settles = engine, targets, plan.settles
        self._rng = np.random.default_rng([engine.seed, _SALT])
        order = self._rng.permutation(len(labelled.rows))[:MOST_ROWS]
        self._halves = [labelled.take(np.sort(half)) for half in (order[::2], order[1::2])]
        self._steps = plan.trial_steps(len(labelled.rows), len(targets.names))
        self._deadline = Deadline(plan.seconds_of_halves)
        self._seed = int(self._rng.integers(2**31))
        self._show, self._done = show, 0

    def judge(self, threshold: float) -> Judged:
        """Learn from each half with a tolerance, and be judged by the other."""
        first, second = (self._judge_half(threshold, half) for half in (0, 1))
        return Judged(*(np.concatenate(both) for both in zip(first, second, strict=True)))

    def _judge_half(self, threshold: float, half: int) -> Judged:
        sample, others = self._halves[half], self._halves[1 - half]
        learner = empty_like(self._engine, seed=self._seed, error_threshold=threshold)
        presenter = Presenter(sample, np.random.default_rng([self._seed, half]))
        teach(learner, presenter, self._steps, self._deadline)
        if self._settles:
            refit(learner, sample.rows, sample.answers, sample.weights)
        self._done += self._steps
        self._show(self._done)
        return judge(learner, others, self._targets)

    def find_threshold(self, noise: float) -> tuple[float, Judged]:
        """Return the best of some tolerances, parts of the noise, and how its rules are judged."""
        tried = [(share * noise, self.judge(share * noise)) for share in SHARES]
        return min(tried, key=lambda one: one[1].loss(self._targets))


def planned_steps(labelled: LabelledRows, plan: Plan, n_targets: int) -> int:
    """Return how many presentations trials take; none if they are not needed or not possible."""
    n_rows = len(labelled.rows)
    if not plan.needs_halves or n_rows < LEAST_ROWS:
        return 0
    tried = len(SHARES) if plan.threshold is None else 1
    return 2 * tried * plan.trial_steps(n_rows, n_targets)


def judge(engine: XCS, test: LabelledRows, targets: Targets) -> Judged:
    """Compare what rules say about rows with what is so."""
    sums = moments_of(engine, test.rows, targets.payoffs(targets.mean))
    values, stated = spoken(targets, sums)
    return Judged(values - (test.answers * targets.scale + targets.shift), stated, test.weights)
