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

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.config.fields import param as setting
from ruleplay.core.basics.copying import copy_values
from ruleplay.core.basics.rng import draw_below, draw_uniform
from ruleplay.core.basics.weight import FULL, Weight, damp, move_prediction
from ruleplay.core.components.registry import Sizes
from ruleplay.core.components.seams import (
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
from ruleplay.core.matching import contains_state
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
