"""Let several populations learn apart, each from a sample of the rows, and vote as one."""

import numpy as np

from ruleplay.engine import XCS
from ruleplay.engine.uniting import copy_of
from ruleplay.learners.classifier.by_hand.demands import Demands
from ruleplay.learners.classifier.by_hand.upkeep import begin
from ruleplay.learners.classifier.presentation import Presenter
from ruleplay.learners.classifier.settings import Plan
from ruleplay.learners.classifier.voting import settle_on, votes_of
from ruleplay.learners.common.class_shares import Vector
from ruleplay.learners.common.labelled_rows import LabelledRows
from ruleplay.learners.common.populations import Taught, draw_sample
from ruleplay.learners.common.training import Deadline, train


def learn_from_sample(
    engine: XCS,
    seed: int,
    labelled: LabelledRows,
    plan: Plan,
    priors: Vector,
    seconds: float | None,
    demands: Demands,
) -> Taught:
    """Train an engine on a sample, for `seconds` at most; return its votes on the other rows.

    A vote is the shares of the classes.
    """
    rng = np.random.default_rng(seed)
    counts = draw_sample(labelled, rng)
    sample = LabelledRows(labelled.rows, labelled.answers, counts).take(counts > 0)
    presenter = Presenter(sample, engine.n_actions, plan.learn_from, rng)
    upkeep, looks = begin(engine, demands, sample, priors), plan.looks(len(labelled.rows))
    steps = train(engine, presenter, looks, Deadline(seconds), upkeep=upkeep)
    votes = np.full((len(counts), len(priors)), np.nan)
    if plan.needs_votes and (counts == 0).any():
        voter = copy_of(engine)
        if plan.settles:
            settle_on(voter, sample, priors)
        votes[counts == 0] = votes_of(voter, labelled.rows[counts == 0], priors)
    return Taught(engine, steps, votes)
