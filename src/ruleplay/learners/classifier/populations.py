"""Let several populations learn apart, each from a sample of the rows, and vote as one."""

from collections.abc import Sequence

import numpy as np
from joblib import Parallel, delayed

from ruleplay.engine import XCS
from ruleplay.engine.checkpoints import united
from ruleplay.learners.classifier.presentation import LabelledRows, Presenter
from ruleplay.learners.classifier.settings import Plan
from ruleplay.learners.classifier.training import Convergence, Deadline, train
from ruleplay.learners.common.progress import Show


def learn_apart(
    engines: Sequence[XCS],
    labelled: LabelledRows,
    plan: Plan,
    rng: np.random.Generator,
    n_jobs: int | None,
    show: Show,
) -> tuple[XCS, int]:
    """Train each engine on a sample of its own; return one with the rules of all, and the steps.

    They are shared out to threads, or to what `joblib.parallel_config` names. What comes out does
    not depend on how many there are.
    """
    seeds, deadline = rng.integers(2**63, size=len(engines)), Deadline(plan.max_seconds)
    jobs = (
        delayed(learn_from_sample)(engine, labelled, plan, int(seed), deadline)
        for engine, seed in zip(engines, seeds, strict=True)
    )
    taught, total = [], 0
    for engine, steps in Parallel(n_jobs, prefer="threads", return_as="generator")(jobs):
        taught.append(engine)
        total += steps
        show(len(taught))
    return united(taught), total


def learn_from_sample(
    engine: XCS, labelled: LabelledRows, plan: Plan, seed: int, deadline: Deadline
) -> tuple[XCS, int]:
    """Train an engine on as many rows as there are, drawn with replacement by their weights."""
    rng = np.random.default_rng(seed)
    shares = labelled.weights / labelled.weights.sum()
    counts = rng.multinomial(len(labelled.rows), shares).astype(np.float64)
    sample = LabelledRows(labelled.rows, labelled.answers, counts).take(counts > 0)
    presenter = Presenter(sample, engine.n_actions, plan.learn_from, rng)
    watch = Convergence(engine, sample) if plan.is_open else None
    steps = train(engine, presenter, plan.looks(len(labelled.rows)), deadline, watch)
    return engine, steps
