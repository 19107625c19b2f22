"""A linear prediction of some columns, for observations that have very many.

The model is w . x with x = (1, s_k for k in `model_columns`); conditions are about all columns. A
step of recursive least squares takes as many operations as the square of the number of weights.
Predictions are cut to +-`prediction_limit`.
"""

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.config.fields import param
from ruleplay.contrib.symbols.spans import read_spans
from ruleplay.core.basics.weight import damp
from ruleplay.core.components.registry import Sizes
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
from ruleplay.errors import ConfigError

SETTINGS = {
    "model_columns": param(
        "",
        later=True,
        doc="Columns that models are about: '0-2,7-7' are four; '' is all of them.",
    )
}


def columns_in(text: str, n_columns: int) -> NDArray[np.int64]:
    """Return the columns that text names, or all.

    >>> columns_in("0-2,7-7", 9).tolist(), columns_in("", 2).tolist()
    ([0, 1, 2, 7], [0, 1])
    """
    spans = read_spans(text, "model_columns")
    if spans and spans[-1][1] > n_columns:
        raise ConfigError(f"model_columns must lie in [0, {n_columns - 1}], got {text[-20:]!r}")
    places = [place for first, end in spans for place in range(first, end)]
    return np.array(places if spans else range(n_columns), np.int64)


@inline_kernel
def predict_sparse(own, population, i, state, params):
    """Return w . (1, s_k), within the prediction limit."""
    weights = population.weights[i]
    value = weights[0]
    for k in range(own.columns.shape[0]):
        value += weights[k + 1] * state[own.columns[k]]
    return min(max(value, -params.prediction_limit), params.prediction_limit)


@inline_kernel
def write_sparse_inputs(own, state, inputs):
    """Write x = (1, s_k)."""
    inputs[0] = 1.0
    for k in range(own.columns.shape[0]):
        inputs[k + 1] = state[own.columns[k]]


@inline_kernel
def fit_sparse(own, agent, i, state, target, damping, share):
    """Take one recursive least-squares step for a share of an observation, as `fit_linear`."""
    population, params, scratch = agent.population, agent.params, agent.scratch
    weights, gain = population.weights[i], population.gain[i]
    vx, k, inputs = scratch.gains[0], scratch.gains[1], scratch.gains[2]
    write_sparse_inputs(own, state, inputs)
    denominator = damping + share * multiply_by_inputs(gain, inputs, vx)
    if not denominator > 0.0:  # rounding has eaten a matrix of huge entries
        reset_gain(gain, weights.shape[0], params.delta_rls)
        denominator = damping + share * multiply_by_inputs(gain, inputs, vx)
    residual = target - predict_sparse(own, population, i, state, params)
    correct_model(weights, gain, vx, k, residual, target, share, denominator, params)


@kernel
def adapt_sparse(own, agent, i, state, target, rate, weight):
    """Take one recursive least-squares step towards the target; the rate plays no part."""
    fit_sparse(own, agent, i, state, target, damp(weight, agent.params.lambda_rls), 1.0)


@kernel
def adapt_sparse_in_part(own, agent, i, state, target, rate, share, weight):
    """Take a step as if the target had been seen for a share of once; the gain knows it too."""
    fit_sparse(own, agent, i, state, target, damp(weight, agent.params.lambda_rls), share)


@Prediction.register(
    "sparse_linear",
    settings=SETTINGS,
    predict=predict_sparse,
    adapt=adapt_sparse,
    adapt_in_part=adapt_sparse_in_part,
    new_model=new_weights,
    inherit_model=inherit_weights,
    average_models=average_weights,
    place_model=place_weights,
    move_model=move_weights,
    write_inputs=write_sparse_inputs,
)
class SparseLinear(NamedTuple):
    """The linear prediction of some columns with recursive least squares."""

    columns: NDArray[np.int64]

    @property
    def fixed(self) -> tuple[NDArray[Any], ...]:
        """Return the arrays that follow from the settings."""
        return (self.columns,)

    @staticmethod
    def check_settings(settings: Any) -> None:
        """Refuse text that names no columns."""
        read_spans(settings.model_columns, "model_columns")

    @classmethod
    def reserve(cls, sizes: Sizes, settings: Any) -> Self:
        """Return the prediction by the columns that the settings name."""
        return cls(columns_in(settings.model_columns, sizes.n_features))

    @staticmethod
    def columns_used(settings: Any, n_features: int) -> int:
        """Return how many columns models are about."""
        return len(columns_in(settings.model_columns, n_features))

    @staticmethod
    def model_size(n_columns: int) -> tuple[int, int]:
        """Return how many weights a model has, and how many numbers its gain matrix."""
        return n_columns + 1, (n_columns + 1) ** 2

    def inputs(self, states: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return what the weights are multiplied by, (states, weights)."""
        chosen = states[:, self.columns]
        return np.column_stack([np.ones(len(states)), chosen]).astype(np.float64)

    def all_weights(self, weights: NDArray[np.float64], n_features: int) -> NDArray[np.float64]:
        """Return the weights of the same models about all columns."""
        whole = np.zeros((len(weights), n_features + 1))
        whole[:, 0], whole[:, 1 + self.columns] = weights[:, 0], weights[:, 1:]
        return whole
