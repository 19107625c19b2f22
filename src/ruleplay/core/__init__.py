"""The compiled core: arrays in, arrays out, nothing but numpy and numba."""

from ruleplay.core import (  # noqa: F401 - each registers its components
    crossover,
    discovery,
    exploration,
    frozen,
    gradient,
    selection,
)
from ruleplay.core.encodings import center_spread, unordered  # noqa: F401
from ruleplay.core.predictions import linear, scalar  # noqa: F401
