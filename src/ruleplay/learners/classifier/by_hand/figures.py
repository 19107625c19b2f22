"""What rules that a person wrote are worth on rows: as if they had learned from them."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.transfer import Parts, rules_of, sum_up
from ruleplay.engine.uniting import copy_of
from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.learners.classifier.by_hand.boxes import boxes_in, engine_keys
from ruleplay.learners.classifier.voting import settle_on
from ruleplay.learners.common.labelled_rows import LabelledRows, Vector
from ruleplay.rules.origins import Key
from ruleplay.rules.thresholds import scale

LEAST_ACCURACY = 1e-300  # so that shares of it are numbers
ROWS_COMPARED = 1000  # on which rules share accuracy with those that match beside them


def judged(rules: XCS, labelled: LabelledRows | None, priors: Vector) -> Parts:
    """Return the parts of new rules: prediction and error on rows, and how many rows they match."""
    engine = copy_of(rules)
    records, places = engine.state.arrays.population.rules, engine.places()
    actions = places // engine.state.stride
    if labelled is None:
        records["prediction"][places] = RIGHT_REWARD * priors[actions]
    else:
        settle_on(engine, labelled, priors)
        none, ones = np.zeros((len(labelled.rows), len(priors))), np.ones(len(labelled.rows))
        counts = engine.tally(labelled.rows, none, ones, np.zeros(len(places)))[:, 0]
        records["experience"][places] = counts
    records["fitness"][places] = engine.config.initial_fitness
    parts = rules_of(engine)
    if engine.config.prediction == "linear":
        parts["weights"][:, 0] = parts["rules"]["prediction"]
    return parts


def share_accuracy(
    engine: XCS, new: Collection[Key], labelled: LabelledRows, *, settled: bool
) -> None:
    """Give new rules the fitness to which learning from rows would lead them.

    F is the mean share of a rule's accuracy in that of all rules of its class that match beside
    it [Wilson 1995]; among rules that have settled, its root. Rules that match no row stay as they
    are.
    """
    some = labelled.take(slice(None, None, len(labelled.rows) // ROWS_COMPARED + 1))
    records, places = engine.state.arrays.population.rules, engine.places()
    boxes = boxes_in(engine)
    inside = _inside(engine, some.rows)
    accuracy = np.maximum(accuracy_of(records["error"][places], engine), LEAST_ACCURACY)
    strength = accuracy * records["numerosity"][places]
    for place, key in enumerate(engine_keys(engine)):
        if key not in new or not inside[:, place].any():
            continue
        rivals = boxes.action == boxes.action[place]
        here = inside[:, place]
        shares = strength[place] / (inside[np.ix_(here, rivals)] @ strength[rivals])
        fitness = np.average(shares, weights=some.weights[here])
        records["fitness"][places[place]] = np.sqrt(fitness) if settled else fitness
    engine.derive()
    sum_up(engine)


def accuracy_of(error: Vector, engine: XCS) -> Vector:
    """Return the accuracy of rules with these errors: 1 below eps_0, then falling by a power law.

    kappa = alpha * (eps / eps_0) ^ -nu                                      [Wilson 1995]
    """
    config = engine.config
    relative = np.maximum(error / config.error_threshold, 1.0)
    falling = config.accuracy_scale * relative**-config.accuracy_power
    return np.where(error < config.error_threshold, 1.0, falling)


def _inside(engine: XCS, rows: Vector) -> NDArray[np.bool_]:
    """Tell which rows lie in which rules' boxes, (rows, rules); a missing value keeps none out."""
    boxes, states = boxes_in(engine), scale(rows, engine.low, engine.high)
    outside = np.zeros((len(rows), len(boxes.action)), np.bool_)
    for k, column in enumerate(states.T):
        outside |= column[:, np.newaxis] < boxes.lower[:, k]
        outside |= column[:, np.newaxis] > boxes.upper[:, k]
    return ~outside
