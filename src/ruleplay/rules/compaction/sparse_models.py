"""Fit linear models of few terms: the column that explains most is added while it pays.

A term pays if it lowers the description length of the answers (the Bayesian information criterion):
rows / 2 * log(squared error) must fall by more than log(rows) / 2 times what a term costs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

RIDGE = 1e-6  # of the scatter of all columns, so that columns may depend on each other
LEAST_SHARE = 1e-6  # of a column's scatter that the terms before it must have left


class Fitting(NamedTuple):
    """How models are fitted."""

    most_terms: int
    term_price: float  # in units of log(rows) / 2


def fit_model(states: Vector, answers: Vector, weights: Vector, how: Fitting) -> Vector:
    """Return a constant and a weight for each column, most of them 0, (1 + columns,)."""
    total = float(weights.sum())
    means, mean = weights @ states / total, float(weights @ answers / total)
    centred = states - means
    heavy = centred * weights[:, np.newaxis]
    scatter, slopes = heavy.T @ centred, heavy.T @ (answers - mean)
    left = float(weights @ (answers - mean) ** 2)
    terms = _choose_terms(scatter, slopes, left, total, how)
    model = np.zeros(states.shape[1] + 1)
    if terms:
        chosen = scatter[np.ix_(terms, terms)]
        ridge = RIDGE * np.trace(chosen) / len(terms)
        model[1 + np.array(terms)] = np.linalg.solve(
            chosen + ridge * np.eye(len(terms)), slopes[terms]
        )
    model[0] = mean - model[1:] @ means
    return model


def _choose_terms(
    scatter: Vector, slopes: Vector, left: float, total: float, how: Fitting
) -> list[int]:
    """Return the columns of a model, those that explain most first.

    Scatter and slopes are swept by each term that is taken: what remains is what the terms so far
    do not explain.
    """
    swept, rest = scatter.copy(), slopes.copy()
    least = LEAST_SHARE * np.diag(scatter)
    terms: list[int] = []
    floor = left * 1e-12
    while len(terms) < min(how.most_terms, len(rest)):
        spread = np.diag(swept)
        usable = (spread > least) & (spread > 0.0)
        usable[terms] = False
        if not usable.any() or left <= floor:
            break
        gains = np.divide(rest**2, spread, out=np.full(len(rest), -1.0), where=usable)
        best = int(gains.argmax())
        after = max(left - float(gains[best]), floor)
        if total * np.log(left / after) <= how.term_price * np.log(max(total, 2.0)):
            break
        terms.append(best)
        left = after
        row = swept[best] / swept[best, best]
        rest = rest - row * rest[best]
        swept = swept - np.outer(row, swept[best])
    return terms
