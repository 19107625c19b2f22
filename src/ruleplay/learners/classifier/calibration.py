"""Find how far shares of payoffs can be trusted, by rows that their rules have not learned from.

On the rows that shaped them, rules are always too sure of themselves, even if each row is left out
of the means of the rules that match it. Two small populations that learn from half of the rows
each, and vote on the other half, say how sure rules may be: for that an eighth of the time is
enough.
"""

import numpy as np
from scipy.optimize import minimize_scalar

from ruleplay.engine import XCS
from ruleplay.engine.transfer import empty_like
from ruleplay.learners.classifier.by_hand.demands import Demands
from ruleplay.learners.classifier.by_hand.upkeep import begin
from ruleplay.learners.classifier.presentation import Presenter
from ruleplay.learners.classifier.settings import Plan
from ruleplay.learners.classifier.voting import settle_on, votes_of
from ruleplay.learners.common.class_shares import Vector, sharpen
from ruleplay.learners.common.labelled_rows import Codes, LabelledRows
from ruleplay.learners.common.training import Deadline, teach

STEPS_SHARE = 8  # the part of all presentations that each half has: one in so many
LEAST_STEPS = 10_000  # of each half, unless the rules themselves had fewer
SPREAD = 0.7  # of the power's logarithm around 0, as expected before any row is seen
STRONGEST = 3.0  # logarithm
DIGITS = 3
SMALLEST_MEASURE = 0.01  # of weights, as a part of the smallest one
ROUNDING = 1e-9  # part of a weight by which it may be off
_SALT = 0xCA11B


def find_power(votes: Vector, labelled: LabelledRows) -> float:
    """Return the power of shares by which the classes of rows are most probable.

    Rows without votes, NaN, do not count. The fewer there are, the closer it is to 1.

    >>> rows = LabelledRows(np.zeros((4, 1)), np.array([0, 0, 0, 1]), np.full(4, 100.0))
    >>> find_power(np.full((4, 2), [0.9, 0.1]), rows)
    0.508
    """
    known = ~np.isnan(votes).any(axis=1)
    if not known.any():
        return 1.0
    shares, (_, answers, weights) = votes[known], labelled.take(known)
    unit = min(1.0, weights.mean())  # as much as in settling

    def loss(logarithm: float) -> float:
        right = sharpen(shares, float(np.exp(logarithm)))[np.arange(len(answers)), answers]
        return float(unit * 0.5 * (logarithm / SPREAD) ** 2 - weights @ np.log(right))

    found = minimize_scalar(loss, bounds=(-STRONGEST, STRONGEST), method="bounded")
    return round(float(np.exp(found.x)), DIGITS)


def find_power_of_all(votes: Vector, labelled: LabelledRows) -> float:
    """Return the power of the shares of all populations, by the votes of some on each row.

    The fewer vote together, the surer they are of themselves: what makes them humbler would make
    all of them too humble, and is left.
    """
    return max(1.0, find_power(votes, labelled))


def cross_votes(
    engine: XCS,
    labelled: LabelledRows,
    plan: Plan,
    priors: Vector,
    n_steps: int,
    demands: Demands,
) -> tuple[Vector, LabelledRows]:
    """Return each class's share for rows by rules that learned from the other half, and the rows.

    They learn as the engine did in so many steps, which is left as it is, but for less long.
    """
    rng = np.random.default_rng([engine.seed, _SALT])
    parts = halves(labelled, rng)
    votes = [np.full((len(part.rows), len(priors)), np.nan) for part in parts]
    if all(len(part.rows) for part in parts):
        for k, sample in enumerate(parts):
            learner = empty_like(engine, seed=int(rng.integers(2**31)))
            presenter = Presenter(sample, len(priors), plan.learn_from, rng)
            deadline = Deadline(plan.seconds_of_half)
            upkeep = begin(learner, demands, sample, priors)
            teach(learner, presenter, steps_of_half(n_steps), deadline, upkeep)
            if plan.settles:
                settle_on(learner, sample, priors)
            votes[1 - k] = votes_of(learner, parts[1 - k].rows, priors)
    united = LabelledRows(*(np.concatenate(both) for both in zip(*parts, strict=True)))
    return np.concatenate(votes), united


def steps_of_half(n_steps: int) -> int:
    """Return how many presentations each half has, given those of the rules themselves.

    >>> steps_of_half(800_000), steps_of_half(20_000), steps_of_half(500)
    (100000, 10000, 500)
    """
    return min(n_steps, max(n_steps // STEPS_SHARE, LEAST_STEPS))


def halves(labelled: LabelledRows, rng: np.random.Generator) -> tuple[LabelledRows, LabelledRows]:
    """Divide distinct rows by chance, half of every class to each part.

    A row that stands for many equal ones is in both parts, with half of them.
    """
    answers, weights = labelled.answers, labelled.weights
    unit = units(answers, weights)
    shared = unit * (np.round(weights / unit) // 2.0)
    rest = weights - 2.0 * shared
    order = rng.permutation(len(answers))
    order = order[np.argsort(answers[order], kind="stable")]
    parts = []
    for chosen in (order[::2], order[1::2]):
        heavy = shared.copy()
        heavy[chosen] += rest[chosen]
        parts.append(labelled._replace(weights=heavy).take(heavy > 0.0))
    return parts[0], parts[1]


def units(answers: Codes, weights: Vector) -> Vector:
    """Return what one of the equal rows weighs that each row stands for.

    Weights are counts of equal rows if those of a class have a common measure, which may be any,
    as the weights of classes are; else each row stands for itself.

    >>> units(np.array([0, 0, 1, 1]), np.array([1.0, 1.5, 1.0, 2.3456789]))
    array([0.5      , 0.5      , 1.       , 2.3456789])
    """
    unit = weights.copy()
    for code in np.unique(answers):
        own = answers == code
        measure = common_measure(np.unique(weights[own]))
        if measure > 0.0:
            unit[own] = measure
    return unit


def common_measure(weights: Vector) -> float:
    """Return the largest number of which all are multiples, by Euclid; 0 if it is very small."""
    finest, found = SMALLEST_MEASURE * weights[0], float(weights[0])
    for weight in weights[1:]:
        rest = float(weight)
        while rest > finest:
            found, rest = rest, found % rest
        if found <= 2.0 * finest or rest > ROUNDING * weight:
            return 0.0
    return found
