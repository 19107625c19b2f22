"""What a component outside the package is made of: seams, decorators, random numbers, settings.

A component is one file: a NamedTuple class with kernels, registered under a name.

>>> from typing import NamedTuple
>>> from ruleplay.kernels import Selection, inline_kernel
>>> @Selection.register("first")
... class First(NamedTuple):
...     @inline_kernel
...     def select_parent(self, population, members, scratch, rng):
...         return members[0]

From then on `XCSConfig(selection="first")` means this one. `ruleplay.testing` has the checks that
every component must pass.
"""

from ruleplay.config.fields import param as setting
from ruleplay.core._arrays import copy_values
from ruleplay.core._jit import inline_kernel, kernel
from ruleplay.core._rng import draw_below, draw_uniform
from ruleplay.core.components import Sizes
from ruleplay.core.matching import contains_state
from ruleplay.core.seams import (
    Bootstrap,
    Crossover,
    Discovery,
    Encoding,
    Exploration,
    Mixing,
    Prediction,
    Returns,
    Sampler,
    Selection,
    Storage,
    Update,
)
from ruleplay.core.weight import FULL, Weight, damp, move_prediction
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem

__all__ = [
    "FULL",
    "Bootstrap",
    "Crossover",
    "Discovery",
    "Dynamics",
    "Encoding",
    "Exploration",
    "Mixing",
    "Prediction",
    "Problem",
    "Returns",
    "Sampler",
    "Selection",
    "Sizes",
    "Storage",
    "Update",
    "Weight",
    "contains_state",
    "copy_values",
    "damp",
    "draw_below",
    "draw_uniform",
    "inline_kernel",
    "kernel",
    "move_prediction",
    "register_problem",
    "setting",
]
