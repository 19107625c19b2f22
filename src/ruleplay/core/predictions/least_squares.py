"""What models have in common that recursive least squares fits: weights w, and a gain matrix V.

Where a model forgets (lambda < 1), what it does not see again it knows less and less of: its gain
matrix grows, and rounding errors with it, until it is no more the inverse of anything. A matrix
whose mean diagonal leaves [0, `gain_limit`] starts anew, and so do weights beyond all sense.
"""

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.basics.copying import copy_values
from ruleplay.core.state.described import LARGEST_MODEL


@inline_kernel
def reset_gain(gain, size, value):
    """Write value * I into a flat square matrix."""
    gain[:] = 0.0
    for k in range(size):
        gain[k * size + k] = value


@inline_kernel
def correct_model(weights, gain, vx, k, residual, target, share, denominator, params):
    """Move a model by a share u of an observation, in place, given V x.

    k = u V x / denominator;  w += k residual;  V = (V - k (V x)') / lambda
    """
    size = weights.shape[0]
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


@inline_kernel
def multiply_by_inputs(gain, inputs, out):
    """Write V x and return x' V x."""
    size = inputs.shape[0]
    product = 0.0
    for r in range(size):
        row, total = gain[r * size : (r + 1) * size], 0.0
        for k in range(size):
            total += row[k] * inputs[k]
        out[r] = total
        product += total * inputs[r]
    return product


@inline_kernel
def new_weights(tag, nursery, c, params):
    """Start as the constant p_ini."""
    nursery.rules[c].prediction = params.p_ini
    nursery.weights[c, :] = 0.0
    nursery.weights[c, 0] = params.p_ini


@inline_kernel
def inherit_weights(tag, population, i, nursery, c):
    """Copy the parent's weights."""
    nursery.rules[c].prediction = population.rules[i].prediction
    copy_values(population.weights[i], nursery.weights[c])


@inline_kernel
def average_weights(tag, nursery):
    """Give both children the mean weights."""
    for k in range(nursery.weights.shape[1]):
        mean = 0.5 * (nursery.weights[0, k] + nursery.weights[1, k])
        nursery.weights[0, k] = mean
        nursery.weights[1, k] = mean


@inline_kernel
def place_weights(tag, nursery, c, population, i, params):
    """Copy the child's weights to its place and start its gain matrix at delta_RLS * I."""
    copy_values(nursery.weights[c], population.weights[i])
    reset_gain(population.gain[i], nursery.weights.shape[1], params.delta_rls)


@inline_kernel
def move_weights(tag, population, source, target):
    """Copy weights and gain matrix from one place to another."""
    copy_values(population.weights[source], population.weights[target])
    copy_values(population.gain[source], population.gain[target])
