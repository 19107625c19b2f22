"""Predict many rows in threads: compiled code does not hold the lock."""

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray

from ruleplay.engine import XCS

ROWS_PER_JOB = 20_000  # fewer are predicted sooner than shared out


def predict_in_threads(
    engine: XCS, rows: NDArray[np.float64], n_jobs: int | None
) -> NDArray[np.float64]:
    """Return what `engine.predict` does."""
    jobs = min(effective_n_jobs(n_jobs), len(rows) // ROWS_PER_JOB)
    if jobs <= 1:
        return engine.predict(rows)
    parts = np.array_split(rows, jobs)
    shared = Parallel(jobs, prefer="threads")(delayed(engine.predict)(part) for part in parts)
    return np.concatenate(shared)
