"""A prediction with squares: w . (1, s, s^2), moved by normalised least mean squares."""

from typing import NamedTuple

from ruleplay.kernels import Prediction, copy_values, inline_kernel, move_prediction


@inline_kernel
def value_at(weights, state):
    """Return w . (1, s, s^2)."""
    n_features = state.shape[0]
    value = weights[0]
    for k in range(n_features):
        value += weights[1 + k] * state[k] + weights[1 + n_features + k] * state[k] * state[k]
    return value


@Prediction.register("squares")
class Squares(NamedTuple):
    """A model has 1 + 2 features weights, in `population.weights`."""

    @staticmethod
    def model_size(n_features):
        """Return how many weights a model has, and that it needs no gain matrix."""
        return 1 + 2 * n_features, 0

    @inline_kernel
    def predict(self, population, i, state, params):
        """Return what the rule at place i expects."""
        value = value_at(population.weights[i], state)
        return min(max(value, -params.prediction_limit), params.prediction_limit)

    @inline_kernel
    def adapt(self, agent, i, state, target, rate, weight):
        """Move against the gradient of the squared error, by a step that suits its length."""
        weights, n_features = agent.population.weights[i], state.shape[0]
        length = 1.0
        for k in range(n_features):
            length += state[k] * state[k] + state[k] ** 4
        error = target - value_at(weights, state)
        step = move_prediction(weight, rate) * error / length
        weights[0] += step
        for k in range(n_features):
            weights[1 + k] += step * state[k]
            weights[1 + n_features + k] += step * state[k] * state[k]

    @inline_kernel
    def adapt_in_part(self, agent, i, state, target, rate, share, weight):
        """Move by a share of the usual step."""
        weights, n_features = agent.population.weights[i], state.shape[0]
        length = 1.0
        for k in range(n_features):
            length += state[k] * state[k] + state[k] ** 4
        error = target - value_at(weights, state)
        step = share * move_prediction(weight, rate) * error / length
        weights[0] += step
        for k in range(n_features):
            weights[1 + k] += step * state[k]
            weights[1 + n_features + k] += step * state[k] * state[k]

    @inline_kernel
    def new_model(self, nursery, c, params):
        """Begin as a constant."""
        nursery.rules[c].prediction = params.p_ini
        nursery.weights[c, :] = 0.0
        nursery.weights[c, 0] = params.p_ini

    @inline_kernel
    def inherit_model(self, population, i, nursery, c):
        """Copy the parent's weights."""
        nursery.rules[c].prediction = population.rules[i].prediction
        copy_values(population.weights[i], nursery.weights[c])

    @inline_kernel
    def average_models(self, nursery):
        """Give both children the mean weights."""
        for k in range(nursery.weights.shape[1]):
            mean = 0.5 * (nursery.weights[0, k] + nursery.weights[1, k])
            nursery.weights[0, k] = mean
            nursery.weights[1, k] = mean

    @inline_kernel
    def place_model(self, nursery, c, population, i, params):
        """Copy the child's weights to its place."""
        copy_values(nursery.weights[c], population.weights[i])

    @inline_kernel
    def move_model(self, population, source, target):
        """Copy weights from one place to another."""
        copy_values(population.weights[source], population.weights[target])
