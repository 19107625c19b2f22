"""Make the actions among which rules choose of an action space of any kind.

Rules choose one of a number of fixed actions. Of spaces with several or real numbers these are
combinations: of all values, or for real numbers of some that lie evenly between the bounds.
"""

import math
import operator
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from gymnasium import spaces

from ruleplay.errors import ConfigError
from ruleplay.learners.agent.spaces.actions import Actions
from ruleplay.learners.agent.spaces.bounds import unbounded_features

MOST_ACTIONS = 256  # combinations
MOST_LEVELS = 64  # of one real number
OF_ONE, OF_SEVERAL, OF_MANY = 5, 3, 2  # values of each real number where nobody says how many

Levels = Sequence[Sequence[float]]  # the values of each of an action's numbers


def choose_actions(space: spaces.Space[Any], grid: Any = None) -> Actions:
    """Return the actions of a space, or refuse it; `grid` says how many values real numbers get."""
    if grid is not None and not isinstance(space, spaces.Box):
        raise ConfigError(f"action_grid must be None for {space}, got {grid!r}")
    if isinstance(space, spaces.Discrete):
        return Actions(int(space.n), int(space.start))
    if isinstance(space, spaces.Box):
        levels: Levels = _box_levels(space, grid)
    elif isinstance(space, spaces.MultiDiscrete):
        firsts = space.start.ravel().tolist()
        counts = space.nvec.ravel().tolist()
        levels = [range(low, low + n) for low, n in zip(firsts, counts, strict=True)]
    elif isinstance(space, spaces.MultiBinary):
        levels = [range(2)] * math.prod(space.shape)
    else:
        raise ConfigError(
            "action space must be Discrete, MultiDiscrete, MultiBinary or Box, got "
            f"{type(space).__name__}: offer a number of fixed actions through "
            "gymnasium.wrappers.TransformAction"
        )
    return combined(levels, space.shape, str(space.dtype))


def combined(levels: Levels, shape: Any, dtype: str) -> Actions:
    """Return all combinations of the values of an action's numbers."""
    count = math.prod(len(values) for values in levels)
    if not 1 <= count <= MOST_ACTIONS or not levels:
        raise ConfigError(
            f"combinations of actions must be at most {MOST_ACTIONS}, got "
            f"{' x '.join(str(len(values)) for values in levels) or 'none'}: offer fewer through "
            "gymnasium.wrappers.TransformAction, or real numbers fewer values by action_grid"
        )
    table = tuple(tuple(row) for row in product(*levels))
    return Actions(count, 0, table, tuple(int(size) for size in shape), dtype)


def _box_levels(space: spaces.Box, grid: Any) -> list[list[float]]:
    low, high = (np.asarray(side, np.float64).ravel() for side in (space.low, space.high))
    if unbounded_features((low, high)).any():
        raise ConfigError(
            f"action space must have finite bounds, got {space}: wrap the environment in "
            "gymnasium.wrappers.TransformAction or RescaleAction"
        )
    counts = _level_counts(grid, len(low))
    is_whole = np.issubdtype(space.dtype, np.integer)
    levels = []
    for first, last, count in zip(low, high, counts, strict=True):
        values = np.linspace(first, last, count) if count > 1 else np.array([(first + last) / 2])
        levels.append(np.unique(np.round(values) if is_whole else values).tolist())
    return levels


def _level_counts(grid: Any, size: int) -> list[int]:
    """Return how many values each of an action's real numbers gets."""
    if grid is None:
        several = OF_SEVERAL if OF_SEVERAL**size <= MOST_ACTIONS else OF_MANY
        return [OF_ONE if size == 1 else several] * size
    given = [grid] * size if isinstance(grid, int) else grid
    try:
        counts = [operator.index(count) for count in given]
    except TypeError:
        counts = []
    if len(counts) != size or not all(1 <= count <= MOST_LEVELS for count in counts):
        raise ConfigError(
            f"action_grid must be None, or an integer in [1, {MOST_LEVELS}], or {size} of them, "
            f"got {grid!r}"
        )
    return counts
