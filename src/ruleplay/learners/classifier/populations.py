"""Let several populations learn apart, each from a sample of the rows, and vote as one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from ruleplay.engine import XCS
from ruleplay.engine.checkpoints import copy_of, united
from ruleplay.learners.classifier.by_hand.demands import Demands
from ruleplay.learners.classifier.by_hand.upkeep import begin
from ruleplay.learners.classifier.presentation import LabelledRows, Presenter
from ruleplay.learners.classifier.settings import Plan
from ruleplay.learners.classifier.training import Deadline, train
from ruleplay.learners.classifier.voting import settle_on, votes_of
from ruleplay.learners.common.class_shares import Vector
from ruleplay.learners.common.progress import Show


class Taught(NamedTuple):
    """What has been learned: by one population, or by all that became one."""

    engine: XCS
    steps: int
    votes: Vector  # shares of the classes by rules that have not seen the row; NaN if all have


def learn_apart(
    engines: Sequence[XCS],
    labelled: LabelledRows,
    plan: Plan,
    priors: Vector,
    rng: np.random.Generator,
    n_jobs: int | None,
    show: Show,
    demands: Demands,
) -> Taught:
    """Train each engine on a sample of its own; return one with the rules of all.

    A row's votes are the mean of those of the populations whose samples have not got it.

    They are shared out to threads, or to what `joblib.parallel_config` names. What comes out does
    not depend on how many there are.
    """
    seeds, deadline = rng.integers(2**63, size=len(engines)), Deadline(plan.max_seconds)
    jobs = (
        delayed(learn_from_sample)(engine, labelled, plan, priors, int(seed), deadline, demands)
        for engine, seed in zip(engines, seeds, strict=True)
    )
    taught, total = [], 0
    sums, counts = np.zeros((len(labelled.rows), len(priors))), np.zeros((len(labelled.rows), 1))
    for one in Parallel(n_jobs, prefer="threads", return_as="generator")(jobs):
        taught.append(one.engine)
        total += one.steps
        sums += np.nan_to_num(one.votes)
        counts += ~np.isnan(one.votes[:, :1])
        show(len(taught))
    votes = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return Taught(united(taught), total, votes)


def learn_from_sample(
    engine: XCS,
    labelled: LabelledRows,
    plan: Plan,
    priors: Vector,
    seed: int,
    deadline: Deadline,
    demands: Demands,
) -> Taught:
    """Train an engine on as many rows as there are, drawn with replacement by their weights."""
    rng = np.random.default_rng(seed)
    shares = labelled.weights / labelled.weights.sum()
    counts = rng.multinomial(len(labelled.rows), shares).astype(np.float64)
    sample = LabelledRows(labelled.rows, labelled.answers, counts).take(counts > 0)
    presenter = Presenter(sample, engine.n_actions, plan.learn_from, rng)
    upkeep, looks = begin(engine, demands, sample, priors), plan.looks(len(labelled.rows))
    steps = train(engine, presenter, looks, deadline, upkeep=upkeep)
    votes = np.full((len(counts), len(priors)), np.nan)
    if plan.needs_votes and (counts == 0).any():
        voter = copy_of(engine)
        if plan.settles:
            settle_on(voter, sample, priors)
        votes[counts == 0] = votes_of(voter, labelled.rows[counts == 0], priors)
    return Taught(engine, steps, votes)
