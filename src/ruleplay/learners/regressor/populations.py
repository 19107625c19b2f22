"""Let several populations learn apart, each from a sample of the rows."""

import numpy as np

from ruleplay.engine import XCS
from ruleplay.engine.refitting import moments_of, refit
from ruleplay.engine.uniting import copy_of
from ruleplay.learners.common.labelled_rows import LabelledRows
from ruleplay.learners.common.populations import Taught, draw_sample
from ruleplay.learners.common.training import Deadline, train
from ruleplay.learners.regressor.presentation import Presenter
from ruleplay.learners.regressor.settings import Plan
from ruleplay.learners.regressor.targets import Targets


def learn_from_sample(
    engine: XCS,
    seed: int,
    labelled: LabelledRows,
    plan: Plan,
    targets: Targets,
    seconds: float | None,
) -> Taught:
    """Train an engine on a sample, for `seconds` at most.

    Its votes are the moments of its rules on the other rows.
    """
    rng = np.random.default_rng(seed)
    counts = draw_sample(labelled, rng)
    sample = labelled._replace(weights=counts).take(counts > 0)
    looks = plan.looks(len(labelled.rows), engine.n_actions)
    steps = train(engine, Presenter(sample, rng), looks, Deadline(seconds))
    votes = np.full((len(counts), engine.n_actions, 3), np.nan)
    if plan.needs_votes and (counts == 0).any():
        voter = copy_of(engine)
        if plan.settles:
            refit(voter, sample.rows, sample.answers, sample.weights, plan.ridge)
        centres = targets.payoffs(targets.mean)
        votes[counts == 0] = moments_of(voter, labelled.rows[counts == 0], centres)
    return Taught(engine, steps, votes)
