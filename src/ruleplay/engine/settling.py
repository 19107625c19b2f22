"""Let rules settle: after learning, each predicts the mean of all it has been paid for.

What a rule learned is a moving average over its last payoffs, and few rules of a niche have nearly
all of its fitness. Where all observations are at hand, both can be mended at the end.
"""

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.transfer import sum_up

Vector = NDArray[np.float64]

PRIOR_STRENGTH = 1.0  # observations that count as many as what is known of an action without a rule


def settle(
    engine: XCS, observations: Vector, payoffs: Vector, weights: Vector, priors: Vector
) -> None:
    """Let rules predict the mean payoff of the observations that they match, and share their votes.

    A prediction is drawn towards its action's prior payoff as by one observation more, of weight 1,
    or of the mean weight if that is less. The root of a rule's fitness becomes its vote: the
    fittest no longer decide alone. What matches no observation has none.
    """
    rules, places = engine.state.arrays.population.rules, engine.places()
    actions = places // engine.state.stride
    sums = engine.tally(observations, payoffs, weights, np.zeros(len(places)))
    unit = PRIOR_STRENGTH * min(1.0, weights.mean())
    means = (sums[:, 1] + unit * priors[actions]) / (sums[:, 0] + unit)
    distances = engine.tally(observations, payoffs, weights, means)[:, 2]
    matching = sums[:, 0] > 0.0
    rules["prediction"][places] = means
    rules["error"][places[matching]] = distances[matching] / sums[matching, 0]
    rules["fitness"][places] = np.where(matching, np.sqrt(rules["fitness"][places]), 0.0)
    engine.derive()
    sum_up(engine)
