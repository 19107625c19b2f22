"""A linear prediction per rule, fitted by recursive least squares (RLS).

The model is w . x with x = (1, s). Predictions are cut to +-`prediction_limit`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.weight import damp
from ruleplay.core.components.seams import Prediction
from ruleplay.core.predictions.least_squares import (
    average_weights,
    correct_model,
    inherit_weights,
    move_weights,
    new_weights,
    place_weights,
    reset_gain,
)

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
    correct_model(weights, gain, vx, k, residual, target, share, denominator, params)


@kernel
def adapt_linear(tag, agent, i, state, target, rate, weight):
    """Take one recursive least-squares step towards the target; the rate plays no part."""
    fit_linear(tag, agent, i, state, target, damp(weight, agent.params.lambda_rls), 1.0)


@kernel
def adapt_linear_in_part(tag, agent, i, state, target, rate, share, weight):
    """Take a step as if the target had been seen for a share of once; the gain knows it too."""
    fit_linear(tag, agent, i, state, target, damp(weight, agent.params.lambda_rls), share)


@inline_kernel
def write_linear_inputs(tag, state, inputs):
    """Write x = (1, s)."""
    inputs[0] = 1.0
    for k in range(state.shape[0]):
        inputs[k + 1] = state[k]


@Prediction.register(
    "linear",
    predict=predict_linear,
    adapt=adapt_linear,
    adapt_in_part=adapt_linear_in_part,
    new_model=new_weights,
    inherit_model=inherit_weights,
    average_models=average_weights,
    place_model=place_weights,
    move_model=move_weights,
    write_inputs=write_linear_inputs,
)
class Linear(NamedTuple):
    """The linear prediction with recursive least squares."""

    @staticmethod
    def model_size(n_features: int) -> tuple[int, int]:
        """Return how many weights a model has, and how many numbers its gain matrix."""
        return n_features + 1, (n_features + 1) ** 2

    @staticmethod
    def inputs(states: NDArray[np.float32]) -> Vector:
        """Return what the weights are multiplied by, (states, weights)."""
        return np.column_stack([np.ones(len(states)), states]).astype(np.float64)

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
