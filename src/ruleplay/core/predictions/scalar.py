"""A scalar prediction per rule, moved by the Widrow-Hoff rule."""

from typing import NamedTuple

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.weight import move_prediction
from ruleplay.core.components.seams import Prediction


@inline_kernel
def predict_scalar(tag, population, i, state, params):
    """Return the rule's prediction, the same for every state."""
    return population.rules[i].prediction


@inline_kernel
def adapt_scalar(tag, agent, i, state, target, rate, weight):
    """Move the prediction towards the target: p += rate * (P - p)  [Stein2020, Alg. 3]."""
    rule = agent.population.rules[i]
    rule.prediction += move_prediction(weight, rate) * (target - rule.prediction)


@inline_kernel
def adapt_scalar_in_part(tag, agent, i, state, target, rate, share, weight):
    """Move the prediction by a share of its usual step: p += rate * share * (P - p)."""
    adapt_scalar(tag, agent, i, state, target, rate * share, weight)


@inline_kernel
def new_scalar(tag, nursery, c, params):
    """Start at p_ini."""
    nursery.rules[c].prediction = params.p_ini


@inline_kernel
def inherit_scalar(tag, population, i, nursery, c):
    """Copy the parent's prediction."""
    nursery.rules[c].prediction = population.rules[i].prediction


@inline_kernel
def average_scalars(tag, nursery):
    """Give both children the mean prediction."""
    mean = 0.5 * (nursery.rules[0].prediction + nursery.rules[1].prediction)
    nursery.rules[0].prediction = mean
    nursery.rules[1].prediction = mean


@inline_kernel
def place_scalar(tag, nursery, c, population, i, params):
    """Do nothing: the prediction travels with the rule's record."""


@inline_kernel
def move_scalar(tag, population, source, target):
    """Do nothing: the prediction travels with the rule's record."""


@Prediction.register(
    "scalar",
    predict=predict_scalar,
    adapt=adapt_scalar,
    adapt_in_part=adapt_scalar_in_part,
    new_model=new_scalar,
    inherit_model=inherit_scalar,
    average_models=average_scalars,
    place_model=place_scalar,
    move_model=move_scalar,
)
class Scalar(NamedTuple):
    """The scalar prediction."""
