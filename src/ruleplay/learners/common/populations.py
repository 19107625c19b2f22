"""Let several populations learn apart, each from a sample of the rows, and become one."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.transfer import empty_like
from ruleplay.engine.uniting import united
from ruleplay.learners.common.labelled_rows import LabelledRows
from ruleplay.learners.common.progress import showing_progress
from ruleplay.learners.common.training import Measure, make_look

Vector = NDArray[np.float64]


class Taught(NamedTuple):
    """What one population has learned."""

    engine: XCS
    steps: int
    votes: Vector  # (rows, ...): on rows that it has not seen; NaN on the others


class TaughtApart(NamedTuple):
    """What all populations have learned that became one."""

    engine: XCS
    n_rules: int  # that one of them has on average; equal ones count once
    steps: int
    vote_sums: Vector  # (rows, ...): of those that have not seen a row
    voters: NDArray[np.int64]  # (rows,): how many these are


Teach = Callable[[XCS, int], Taught]  # an engine, the seed of its sample
After = Callable[[Sequence[XCS], int], bool]  # those taught, all presentations -> whether to stop


def train_apart(
    estimator: Any,
    teach: Teach,
    labelled: LabelledRows,
    n: int,
    steps: int,
    measure: Measure,
    score_name: str,
    rng: np.random.Generator,
) -> TaughtApart:
    """Let `n` engines like the estimator's learn apart, and make what they become its engine.

    `steps` are those planned of all. What is asked for is shown after each engine.
    """
    model = estimator.engine_
    engines = [empty_like(model, seed=int(seed)) for seed in rng.integers(2**31, size=n)]
    with showing_progress(estimator.verbose == 1, steps) as show:
        look = make_look(estimator, steps, labelled, None, show, measure, score_name)

        def after(taught: Sequence[XCS], done: int) -> bool:
            show(done)
            if look is None:
                return False
            estimator.engine_ = united(taught)
            return look(done)

        taught = learn_apart(engines, teach, rng, estimator.n_jobs, after)
    estimator.engine_, estimator.n_steps_ = taught.engine, taught.steps
    return taught


def learn_apart(
    engines: Sequence[XCS],
    teach: Teach,
    rng: np.random.Generator,
    n_jobs: int | None,
    after: After,
) -> TaughtApart:
    """Teach each engine on a sample of its own; return one with the rules of all.

    `after` is called after each, and may end it.

    They are shared out to threads, or to what `joblib.parallel_config` names. What comes out does
    not depend on how many there are.
    """
    seeds = rng.integers(2**63, size=len(engines))
    jobs = (delayed(teach)(engine, int(seed)) for engine, seed in zip(engines, seeds, strict=True))
    taught: list[XCS] = []
    total = 0
    sums: Any = 0.0
    voters: Any = 0
    results = Parallel(n_jobs, prefer="threads", return_as="generator")(jobs)
    for one in results:
        taught.append(one.engine)
        total += one.steps
        sums = sums + np.nan_to_num(one.votes)
        voters = voters + ~np.isnan(one.votes.reshape(len(one.votes), -1)[:, 0])
        if after(taught, total):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that others were not finished is intended
                results.close()
            break
    engine = united(taught)
    return TaughtApart(engine, -(-engine.macroclassifiers // len(taught)), total, sums, voters)


def draw_sample(labelled: LabelledRows, rng: np.random.Generator) -> Vector:
    """Return how often each row is drawn: as many as there are, with replacement, by weight."""
    shares = labelled.weights / labelled.weights.sum()
    return rng.multinomial(len(labelled.rows), shares).astype(np.float64)
