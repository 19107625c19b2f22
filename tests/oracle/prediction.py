"""Predict the payoff: a number (XCS), or a linear or quadratic function of the state (XCSF).

A model knows how to predict, to learn from one target, to hand itself down to a child, and to
meet half-way with another child.
"""

from collections.abc import Sequence


class Scalar:
    """Predict the same payoff in the whole box."""

    def __init__(self, prediction: float) -> None:
        """Start from a given payoff."""
        self.prediction = prediction

    def predict(self, state: Sequence[float]) -> float:
        """Return cl.p."""
        return self.prediction

    def learn(
        self,
        state: Sequence[float],
        target: float,
        rate: float,
        share: float = 1.0,
        weight: float = 1.0,
    ) -> None:
        """Move towards the target: p += rate (P - p), Alg. 3 line 15; or a part of that."""
        self.prediction += weight * (rate * share) * (target - self.prediction)

    def hand_down(self) -> "Scalar":
        """Return a copy for a child."""
        return Scalar(self.prediction)

    def begin_anew(self, value: float) -> "Scalar":
        """Return a model that predicts a payoff everywhere."""
        return Scalar(value)

    def average_with(self, other: "Scalar") -> None:
        """Set both predictions to their mean."""
        mean = 0.5 * (self.prediction + other.prediction)
        self.prediction = other.prediction = mean


class Linear:
    """Predict w . x with x = (1, s), fitted by recursive least squares (RLS)."""

    def __init__(self, weights: Sequence[float], initial_gain: float, forgetting: float) -> None:
        """Start from given weights and the gain matrix V = delta_RLS I."""
        self.weights = list(weights)
        self.initial_gain = initial_gain
        self.forgetting = forgetting
        size = len(self.weights)
        self.gain = [[initial_gain if i == j else 0.0 for j in range(size)] for i in range(size)]

    def inputs(self, state: Sequence[float]) -> list[float]:
        """Return x = (1, s)."""
        return [1.0, *state]

    def predict(self, state: Sequence[float]) -> float:
        """Add up w0 + w1 x1 + w2 x2 + ..., from left to right."""
        return dot(self.weights, self.inputs(state))

    def learn(
        self,
        state: Sequence[float],
        target: float,
        rate: float,
        share: float = 1.0,
        weight: float = 1.0,
    ) -> None:
        """Take one RLS step towards the target; the rate plays no part in it.

        k = V x / (lambda + x' V x);  w += k (P - w . x);  V = (V - k (V x)') / lambda
        An observation that counts for a share u of one has k = u V x / (lambda + u x' V x), an
        experience of a weight lambda / weight in place of the first lambda.
        """
        x = self.inputs(state)
        everything = range(len(x))
        v_x = [dot(row, x) for row in self.gain]
        denominator = self.forgetting / weight + share * dot(x, v_x)
        k = [share * v_x[i] / denominator for i in everything]
        residual = target - self.predict(state)
        for i in everything:
            self.weights[i] += k[i] * residual
        for i in everything:
            for j in everything:
                self.gain[i][j] = (self.gain[i][j] - k[i] * v_x[j]) / self.forgetting

    def hand_down(self) -> "Linear":
        """Return a copy for a child: the same weights, a fresh gain matrix."""
        return type(self)(self.weights, self.initial_gain, self.forgetting)

    def begin_anew(self, value: float) -> "Linear":
        """Return a model that predicts a payoff everywhere, with a fresh gain matrix."""
        weights = [value] + [0.0] * (len(self.weights) - 1)
        return type(self)(weights, self.initial_gain, self.forgetting)

    def average_with(self, other: "Linear") -> None:
        """Set each weight of both models to the mean."""
        pairs = zip(self.weights, other.weights, strict=True)
        means = [0.5 * (mine + theirs) for mine, theirs in pairs]
        self.weights, other.weights = means, list(means)


class Quadratic(Linear):
    """Predict w . x with x = (1, s, all products of two features), fitted in the same way."""

    def inputs(self, state: Sequence[float]) -> list[float]:
        """Return x = (1, s, s0 s0, s0 s1, ..., s1 s1, s1 s2, ...)."""
        values = [float(s) for s in state]
        products = [first * second for i, first in enumerate(values) for second in values[i:]]
        return [1.0, *values, *products]


def dot(left: Sequence[float], right: Sequence[float]) -> float:
    """Add up the products from left to right.

    Spelled out, because `sum` of floats rounds more cleverly than a plain loop since Python 3.12.
    """
    total = 0.0
    for a, b in zip(left, right, strict=True):
        total += a * b
    return total
