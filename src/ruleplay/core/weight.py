"""How much one experience counts: in full, or less, as replay samplers may say.

A weight is a NamedTuple whose type is the tag: most agents know full weights only, and
contain no trace of others. Where a weight is less than 1, it scales the steps by which a
rule's estimates move:

    move_prediction(weight, rate)         -> the rate of a scalar prediction
    move_others(weight, rate)             -> the rate of error, action-set size and fitness
    damp(weight, forgetting)              -> lambda / weight, for recursive least squares
"""

from typing import NamedTuple

from ruleplay.core._jit import Family, inline_kernel

move_prediction = Family("move_prediction")
move_others = Family("move_others")
damp = Family("damp")


class Full(NamedTuple):
    """Tag of experiences that count in full."""


class Weight(NamedTuple):
    """Weights in (0, 1] of one experience."""

    prediction: float
    others: float


FULL = Full()


@move_prediction.member(Full)
@move_others.member(Full)
@damp.member(Full)
@inline_kernel
def keep_value(weight, value):
    """Return the value as it is."""
    return value


@move_prediction.member(Weight)
@inline_kernel
def scale_prediction(weight, rate):
    """Return the rate, smaller by the weight."""
    return weight.prediction * rate


@move_others.member(Weight)
@inline_kernel
def scale_others(weight, rate):
    """Return the rate, smaller by the weight."""
    return weight.others * rate


@damp.member(Weight)
@inline_kernel
def scale_damping(weight, forgetting):
    """Return lambda / weight: then each squared error counts as much as its weight says."""
    return forgetting / weight.prediction
