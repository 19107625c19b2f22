"""Measure how well rows are classified: four figures of one run."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import roc_auc_score

CLIP = 1e-6  # a probability is at least this much before its logarithm is taken

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Figures(NamedTuple):
    """What is known about the answers of a contender."""

    accuracy: float
    balanced_accuracy: float
    auc: float
    log_loss: float


def measure(labels: Integers, predictions: ArrayLike, probabilities: ArrayLike) -> Figures:
    """Compare answers with the classes of the test rows.

    Accuracies are those of what was predicted, not of the largest probabilities.
    """
    guesses = np.asarray(predictions)
    shares = checked_shares(np.asarray(probabilities, dtype=np.float64), labels)
    hits = guesses == labels
    recalls = [hits[labels == code].mean() for code in np.unique(labels)]
    return Figures(
        float(hits.mean()), float(np.mean(recalls)), mean_auc(labels, shares), loss(labels, shares)
    )


def checked_shares(shares: Floats, labels: Integers) -> Floats:
    """Return probabilities that add up to 1, or refuse what are none."""
    if shares.ndim != 2 or len(shares) != len(labels) or shares.shape[1] <= labels.max():
        raise ValueError(f"probabilities must be (rows, classes), got {shares.shape}")
    if not np.isfinite(shares).all() or (shares < 0.0).any():
        raise ValueError("probabilities must be finite and not negative")
    sums = shares.sum(axis=1, keepdims=True)
    even = np.full_like(shares, 1.0 / shares.shape[1])
    return np.where(sums > 0.0, shares / np.where(sums > 0.0, sums, 1.0), even)


def mean_auc(labels: Integers, shares: Floats) -> float:
    """Return the mean over classes of the area under the curve of each against the rest.

    >>> mean_auc(np.array([0, 0, 1]), np.array([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5]]))
    0.5
    """
    present = np.unique(labels)
    if len(present) < 2:
        return float("nan")
    return float(np.mean([roc_auc_score(labels == code, shares[:, code]) for code in present]))


def loss(labels: Integers, shares: Floats) -> float:
    """Return the mean of minus the logarithm of the right class's probability, clipped."""
    clipped = np.clip(shares, CLIP, 1.0)
    clipped = clipped / clipped.sum(axis=1, keepdims=True)
    return float(-np.log(clipped[np.arange(len(labels)), labels]).mean())
