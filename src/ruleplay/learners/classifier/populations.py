"""Let several populations learn apart, each from a sample of the rows, and vote as one."""

from collections.abc import Sequence

import numpy as np
from joblib import Parallel, delayed

from ruleplay.engine import XCS
from ruleplay.engine.checkpoints import united
from ruleplay.learners.classifier.presentation import LabelledRows, Presenter
from ruleplay.learners.classifier.settings import Plan
from ruleplay.learners.classifier.training import train
from ruleplay.learners.common.progress import Show


def learn_apart(
    engines: Sequence[XCS],
    labelled: LabelledRows,
    plan: Plan,
    rng: np.random.Generator,
    n_jobs: int | None,
    show: Show,
) -> XCS:
    """Train each engine on a sample of its own; return one with the rules of all.

    They are shared out to threads, or to what `joblib.parallel_config` names. What comes out does
    not depend on how many there are.
    """
    seeds = rng.integers(2**63, size=len(engines))
    jobs = (
        delayed(learn_from_sample)(engine, labelled, plan, int(seed))
        for engine, seed in zip(engines, seeds, strict=True)
    )
    taught = []
    for engine in Parallel(n_jobs, prefer="threads", return_as="generator")(jobs):
        taught.append(engine)
        show(len(taught) * plan.steps(len(labelled.rows)))
    return united(taught)


def learn_from_sample(engine: XCS, labelled: LabelledRows, plan: Plan, seed: int) -> XCS:
    """Train an engine on as many rows as there are, drawn with replacement by their weights."""
    rng = np.random.default_rng(seed)
    shares = labelled.weights / labelled.weights.sum()
    counts = rng.multinomial(len(labelled.rows), shares).astype(np.float64)
    sample = LabelledRows(labelled.rows, labelled.answers, counts).take(counts > 0)
    presenter = Presenter(sample, engine.n_actions, plan.learn_from, rng)
    train(engine, presenter, plan.steps(len(labelled.rows)), None)
    return engine
