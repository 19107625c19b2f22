"""What an engine's rules say about the classes of rows, and how they settle on them."""

import numpy as np

from ruleplay.engine import XCS
from ruleplay.engine.settling import settle
from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.learners.common.class_shares import Vector, class_shares, fill_with_priors
from ruleplay.learners.common.labelled_rows import LabelledRows


def settle_on(engine: XCS, labelled: LabelledRows, priors: Vector) -> None:
    """Let all rules predict the mean of what all rows pay, instead of the last ones."""
    for_rows = RIGHT_REWARD * (labelled.answers[:, np.newaxis] == np.arange(len(priors)))
    settle(engine, labelled.rows, for_rows, labelled.weights, RIGHT_REWARD * priors)


def votes_of(engine: XCS, rows: Vector, priors: Vector) -> Vector:
    """Return the share of each class in the payoffs of each row, (rows, classes)."""
    return class_shares(fill_with_priors(engine.predict(rows), priors), priors)


def measure_accuracy(payoffs: Vector, test: LabelledRows) -> float:
    """Return the weighted share of rows whose class is that of the largest payoff."""
    guesses = np.nan_to_num(payoffs, nan=-np.inf).argmax(axis=1)
    return float(np.average(guesses == test.answers, weights=test.weights))
