"""How finely spaces are divided: what settings depend on."""

import math
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ruleplay.learners.agent.spaces.bounds import Bounds, plain_bounds
from ruleplay.learners.agent.spaces.encoder import Encoder
from ruleplay.learners.agent.spaces.parts import AnyEncoder, encoded_spaces

FEW_STATES = 0.2  # of the observations of random play, that differ from each other
MORE_STATES = 20  # times those that random play saw, later on


class Grain(NamedTuple):
    """How finely a space is divided."""

    states: float  # different observations; may be infinite for discrete spaces too
    finest: int  # values of the feature that has most; 0 for real numbers


def grain_of(space: spaces.Space[Any], encoder: AnyEncoder) -> Grain:
    """Count the observations of a space, and the values of its finest feature."""
    grains = [_plain_grain(one, how) for one, how in encoded_spaces(space, encoder)]
    finest = 0 if any(grain.finest == 0 for grain in grains) else max(g.finest for g in grains)
    return Grain(math.prod(grain.states for grain in grains), finest)


def _plain_grain(space: spaces.Space[Any], encoder: Encoder) -> Grain:
    if isinstance(space, spaces.Box):
        return Grain(math.inf, 0)
    if isinstance(space, spaces.Discrete):
        finest = 2 if encoder.one_hot else max(encoder.sizes or (int(space.n),))
        return Grain(float(space.n), finest)
    low, high = plain_bounds(space, encoder)
    values = high - low + 1.0
    return Grain(float(np.exp(np.log(values).sum())), int(values.max()))


def grain_of_few(observations: NDArray[np.float64], declared: Bounds) -> Grain | None:
    """Return the grain of whole numbers of which random play saw few combinations, else None.

    A view of cells has more combinations than can be counted. If the same ones come again and
    again, they are what numbered states are.
    """
    values = declared[1] - declared[0] + 1.0
    different = len(np.unique(observations, axis=0))
    if different > FEW_STATES * len(observations) or not np.isfinite(values).all():
        return None
    return Grain(float(MORE_STATES * different), int(values.max()))


def whole_features(space: spaces.Space[Any], encoder: AnyEncoder) -> tuple[bool, ...]:
    """Tell which features take whole numbers only."""
    return tuple(
        not isinstance(one, spaces.Box) or bool(np.issubdtype(one.dtype, np.integer))
        for one, how in encoded_spaces(space, encoder)
        for _ in range(how.n_features)
    )
