"""A linear prediction per rule, fitted by recursive least squares (RLS).

The model is w . x with x = (1, s). Where a model forgets (lambda < 1), what it does not see
again it knows less and less of: its gain matrix grows, and rounding errors with it, until it is
no more the inverse of anything. A matrix whose mean diagonal leaves [0, `gain_limit`] starts
anew. Predictions are cut to +-`prediction_limit`, and weights beyond all sense start anew, too.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.copying import copy_values
from ruleplay.core.basics.weight import damp
from ruleplay.core.components.seams import Prediction
from ruleplay.core.state.described import LARGEST_MODEL

Vector = NDArray[np.float64]


@inline_kernel
def predict_linear(tag, population, i, state, params):
    """Return w . (1, s), within the prediction limit."""
    weights = population.weights[i]
    value = weights[0]
    for k in range(state.shape[0]):
        value += weights[k + 1] * state[k]
    return min(max(value, -params.prediction_limit), params.prediction_limit)


@inline_kernel
def reset_gain(gain, size, value):
    """Write value * I into a flat square matrix."""
    gain[:] = 0.0
    for k in range(size):
        gain[k * size + k] = value


@inline_kernel
def multiply_gain(gain, state, out):
    """Write V x for x = (1, s) and return x' V x."""
    size = out.shape[0]
    product = 0.0
    for r in range(size):
        row = gain[r * size : (r + 1) * size]
        total = row[0]
        for k in range(size - 1):
            total += row[k + 1] * state[k]
        out[r] = total
        product += total if r == 0 else total * state[r - 1]
    return product


@inline_kernel
def fit_linear(tag, agent, i, state, target, damping, share):
    """Take one recursive least-squares step for a share u of an observation, in place.

    k = u V x / (damping + u x' V x);  w += k (P - w . x);  V = (V - k (V x)') / lambda

    The damping is lambda, or lambda / w for an experience of weight w: weighted least squares.
    """
    population, params, scratch = agent.population, agent.params, agent.scratch
    weights, gain = population.weights[i], population.gain[i]
    size = weights.shape[0]
    vx, k = scratch.gains[0], scratch.gains[1]
    denominator = damping + share * multiply_gain(gain, state, vx)
    if not denominator > 0.0:  # rounding has eaten a matrix of huge entries
        reset_gain(gain, size, params.delta_rls)
        denominator = damping + share * multiply_gain(gain, state, vx)
    residual = target - predict_linear(tag, population, i, state, params)
    trace, largest = 0.0, 0.0
    for r in range(size):
        k[r] = share * vx[r] / denominator
        weights[r] += k[r] * residual
        largest = max(largest, abs(weights[r]))
        row = gain[r * size : (r + 1) * size]
        for c in range(size):
            row[c] = (row[c] - k[r] * vx[c]) / params.lambda_rls
        trace += row[r]
    if not 0.0 <= trace <= params.gain_limit * size:
        reset_gain(gain, size, params.delta_rls)
    if not largest <= LARGEST_MODEL:
        weights[:] = 0.0
        weights[0] = target


@kernel
def adapt_linear(tag, agent, i, state, target, rate, weight):
    """Take one recursive least-squares step towards the target; the rate plays no part."""
    fit_linear(tag, agent, i, state, target, damp(weight, agent.params.lambda_rls), 1.0)


@kernel
def adapt_linear_in_part(tag, agent, i, state, target, rate, share, weight):
    """Take a step as if the target had been seen for a share of once; the gain knows it too."""
    fit_linear(tag, agent, i, state, target, damp(weight, agent.params.lambda_rls), share)


@inline_kernel
def new_linear(tag, nursery, c, params):
    """Start as the constant p_ini."""
    nursery.rules[c].prediction = params.p_ini
    nursery.weights[c, :] = 0.0
    nursery.weights[c, 0] = params.p_ini


@inline_kernel
def inherit_linear(tag, population, i, nursery, c):
    """Copy the parent's weights."""
    nursery.rules[c].prediction = population.rules[i].prediction
    copy_values(population.weights[i], nursery.weights[c])


@inline_kernel
def average_linear(tag, nursery):
    """Give both children the mean weights."""
    for k in range(nursery.weights.shape[1]):
        mean = 0.5 * (nursery.weights[0, k] + nursery.weights[1, k])
        nursery.weights[0, k] = mean
        nursery.weights[1, k] = mean


@inline_kernel
def place_linear(tag, nursery, c, population, i, params):
    """Copy the child's weights to its place and start its gain matrix at delta_RLS * I."""
    copy_values(nursery.weights[c], population.weights[i])
    reset_gain(population.gain[i], nursery.weights.shape[1], params.delta_rls)


@inline_kernel
def move_linear(tag, population, source, target):
    """Copy weights and gain matrix from one place to another."""
    copy_values(population.weights[source], population.weights[target])
    copy_values(population.gain[source], population.gain[target])


@Prediction.register(
    "linear",
    predict=predict_linear,
    adapt=adapt_linear,
    adapt_in_part=adapt_linear_in_part,
    new_model=new_linear,
    inherit_model=inherit_linear,
    average_models=average_linear,
    place_model=place_linear,
    move_model=move_linear,
)
class Linear(NamedTuple):
    """The linear prediction with recursive least squares."""

    @staticmethod
    def model_size(n_features: int) -> tuple[int, int]:
        """Return how many weights a model has, and how many numbers its gain matrix."""
        return n_features + 1, (n_features + 1) ** 2

    @staticmethod
    def widen_models(
        weights: Vector, gain: Vector, offset: Vector, factor: Vector, n_new: int, settings: Any
    ) -> tuple[Vector, Vector]:
        """Return models of features in a new scale, and of new ones, that have the same values.

        With x = (1, s) and x' = (1, offset + factor s) = M x:  w' = M^-T w,  V' = M^-T V M^-1.
        """
        old, new = weights.shape[1], weights.shape[1] + n_new
        turn = np.eye(old)
        turn[0, 1:] = -offset / factor
        turn[range(1, old), range(1, old)] = 1.0 / factor
        models = np.zeros((len(weights), new))
        models[:, :old] = weights @ turn.T
        gains = np.zeros((len(weights), new, new))
        gains[:, range(new), range(new)] = settings.rls_initial_gain
        gains[:, :old, :old] = turn @ gain.reshape(len(weights), old, old) @ turn.T
        return models, gains.reshape(len(weights), new * new)
