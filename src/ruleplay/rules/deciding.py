"""Which rule of an ordered list decides about each observation."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.rules.ruleset import RuleSet


def deciding_rules(rules: RuleSet, observations: ArrayLike) -> NDArray[np.int64]:
    """Return the place of the first rule that matches each observation.

    What is answered if no rule matches counts as a last rule, which always does.
    """
    inside = rules.matches(observations)
    always = np.ones((len(inside), 1), np.bool_)
    places: NDArray[np.int64] = np.hstack([inside, always]).argmax(axis=1)
    return places
