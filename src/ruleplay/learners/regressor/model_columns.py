"""Choose the columns that models are about, if there are very many."""

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import OrthogonalMatchingPursuit

from ruleplay.contrib.symbols.spans import write_spans
from ruleplay.learners.common.labelled_rows import LabelledRows

Vector = NDArray[np.float64]

MOST_COLUMNS = 30  # of a linear model: the price of learning grows with the square


def choose_columns(labelled: LabelledRows) -> str:
    """Name the columns by which a linear model explains the payoffs best, found one by one.

    Orthogonal matching pursuit, of columns and payoffs whose standard deviation is 1. Of several
    payoffs, the columns of the largest coefficients are taken.
    """
    weights = labelled.weights
    columns, payoffs = (_standard(part, weights) for part in (labelled.rows, labelled.answers))
    pursuit = OrthogonalMatchingPursuit(n_nonzero_coefs=MOST_COLUMNS, fit_intercept=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the columns left depend on those chosen
        found = np.atleast_2d(pursuit.fit(columns, payoffs).coef_)
    strength = (found**2).sum(axis=0)
    best = np.argsort(-strength, kind="stable")[:MOST_COLUMNS]
    chosen = sorted(int(k) for k in best if strength[k] > 0.0) or [0]
    return write_spans(tuple((k, k + 1) for k in chosen))


def _standard(values: Vector, weights: Vector) -> Vector:
    """Return columns with mean 0 and standard deviation 1, or 0; heavy rows count as several."""
    centred = values - np.average(values, axis=0, weights=weights)
    spread = np.sqrt(np.average(centred**2, axis=0, weights=weights))
    scaled = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 1e-12)
    return np.asarray(scaled * np.sqrt(weights)[:, np.newaxis])
