"""A quadratic prediction per rule, fitted by recursive least squares (RLS).

The model is w . x with x = (1, s, products s_i s_j for i <= j), row by row: s_0 s_0, s_0 s_1, ...,
s_1 s_1, ... Predictions are cut to +-`prediction_limit`.
"""

from typing import NamedTuple

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
    multiply_by_inputs,
    new_weights,
    place_weights,
    reset_gain,
)

Vector = NDArray[np.float64]


@inline_kernel
def predict_quadratic(tag, population, i, state, params):
    """Return w . (1, s, s_i s_j), within the prediction limit."""
    weights, n_features = population.weights[i], state.shape[0]
    value, place = weights[0], n_features + 1
    for k in range(n_features):
        value += weights[k + 1] * state[k]
    for k in range(n_features):
        for j in range(k, n_features):
            value += weights[place] * (np.float64(state[k]) * state[j])
            place += 1
    return min(max(value, -params.prediction_limit), params.prediction_limit)


@inline_kernel
def write_quadratic_inputs(tag, state, inputs):
    """Write x = (1, s, s_i s_j)."""
    n_features = state.shape[0]
    inputs[0], place = 1.0, n_features + 1
    for k in range(n_features):
        inputs[k + 1] = state[k]
        for j in range(k, n_features):
            inputs[place] = np.float64(state[k]) * state[j]
            place += 1


@inline_kernel
def fit_quadratic(tag, agent, i, state, target, damping, share):
    """Take one recursive least-squares step for a share of an observation, as `fit_linear`."""
    population, params, scratch = agent.population, agent.params, agent.scratch
    weights, gain = population.weights[i], population.gain[i]
    vx, k, inputs = scratch.gains[0], scratch.gains[1], scratch.gains[2]
    write_quadratic_inputs(tag, state, inputs)
    denominator = damping + share * multiply_by_inputs(gain, inputs, vx)
    if not denominator > 0.0:  # rounding has eaten a matrix of huge entries
        reset_gain(gain, weights.shape[0], params.delta_rls)
        denominator = damping + share * multiply_by_inputs(gain, inputs, vx)
    residual = target - predict_quadratic(tag, population, i, state, params)
    correct_model(weights, gain, vx, k, residual, target, share, denominator, params)


@kernel
def adapt_quadratic(tag, agent, i, state, target, rate, weight):
    """Take one recursive least-squares step towards the target; the rate plays no part."""
    fit_quadratic(tag, agent, i, state, target, damp(weight, agent.params.lambda_rls), 1.0)


@kernel
def adapt_quadratic_in_part(tag, agent, i, state, target, rate, share, weight):
    """Take a step as if the target had been seen for a share of once; the gain knows it too."""
    fit_quadratic(tag, agent, i, state, target, damp(weight, agent.params.lambda_rls), share)


@Prediction.register(
    "quadratic",
    predict=predict_quadratic,
    adapt=adapt_quadratic,
    adapt_in_part=adapt_quadratic_in_part,
    new_model=new_weights,
    inherit_model=inherit_weights,
    average_models=average_weights,
    place_model=place_weights,
    move_model=move_weights,
    write_inputs=write_quadratic_inputs,
)
class Quadratic(NamedTuple):
    """The quadratic prediction with recursive least squares."""

    @staticmethod
    def model_size(n_features: int) -> tuple[int, int]:
        """Return how many weights a model has, and how many numbers its gain matrix."""
        size = 1 + n_features + n_features * (n_features + 1) // 2
        return size, size**2

    @staticmethod
    def inputs(states: NDArray[np.float32]) -> Vector:
        """Return what the weights are multiplied by, (states, weights)."""
        columns = states.astype(np.float64)
        first, second = np.triu_indices(columns.shape[1])
        products = columns[:, first] * columns[:, second]
        return np.column_stack([np.ones(len(states)), columns, products])
