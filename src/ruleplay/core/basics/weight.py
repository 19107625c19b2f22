"""How much one experience counts: in full, or less, as replay samplers may say.

A weight below 1 scales the steps by which a rule's estimates move.
"""

from typing import NamedTuple

from ruleplay.compiler.jit import inline_kernel


class Weight(NamedTuple):
    """Weights in (0, 1] of one experience."""

    prediction: float
    others: float


FULL = Weight(1.0, 1.0)


@inline_kernel
def move_prediction(weight, rate):
    """Return the rate of a scalar prediction, smaller by the weight."""
    return weight.prediction * rate


@inline_kernel
def move_others(weight, rate):
    """Return the rate of error, action-set size and fitness, smaller by the weight."""
    return weight.others * rate


@inline_kernel
def damp(weight, forgetting):
    """Return lambda / weight: then each squared error counts as much as its weight says."""
    return forgetting / weight.prediction
