"""Mario: which colour has the pixel a point lies in? [SteinMaierHaehner2017].

The plumber is our own drawing; any other small picture can take his place.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.envs.classification import judge_answer, single_step_problem
from ruleplay.envs.drawing.picture import load_picture, mario_picture
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem


@kernel
def draw_pixel(problem, observation, rng):
    """Draw a point (x, y) uniformly from [0, 1)^2 and note its pixel's class."""
    observation[0] = draw_uniform(rng)
    observation[1] = draw_uniform(rng)
    height, width = problem.pixels.shape
    row = int(observation[1] * height)
    column = int(observation[0] * width)
    problem.answer[0] = problem.pixels[row, column]


@Dynamics.register("mario", reset_problem=draw_pixel, step_problem=judge_answer)
class PixelArt(NamedTuple):
    """A picture over the unit square: x points right, y up, so row 0 is the bottom."""

    pixels: NDArray[np.int64]
    answer: NDArray[np.int64]


@register_problem("mario")
def make_mario(*, picture: Any = None) -> Problem:
    """Build the problem of naming a pixel's colour, in Mario or in another picture.

    `picture` is whatever `load_picture` reads: a file's path, an array, or a Picture.
    """
    shown = mario_picture() if picture is None else load_picture(picture)
    pixels = np.ascontiguousarray(shown.classes[::-1])
    dynamics = PixelArt(pixels, np.zeros(1, dtype=np.int64))
    return single_step_problem("mario", dynamics, ("x", "y"), shown.names)
