"""Draw the state of a problem as a picture: no window, and nothing but Pillow needed."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.envs.problem import Problem
from ruleplay.envs.woods.maps import MAPS

Pixels = NDArray[np.uint8]  # (HEIGHT, WIDTH, 3)
Point = tuple[float, float]

WIDTH, HEIGHT = 480, 320
FINE = 3  # dots per pixel and side, averaged for smooth edges
PAPER, INK, SOIL, GREY = (250, 250, 247), (40, 44, 52), (214, 208, 190), (170, 174, 180)
BODY, POLE, GOAL = (38, 101, 163), (196, 96, 44), (46, 139, 87)
MOST_STATES = 40  # of a chain that is drawn state by state


class Canvas:
    """A picture in the problem's own units, which grow to the right and upwards."""

    def __init__(self, left: float, right: float, bottom: float) -> None:
        from PIL import Image, ImageDraw

        self.scale = WIDTH * FINE / (right - left)
        self._left, self._bottom = left, bottom
        self._image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def place(self, x: float, y: float) -> Point:
        """Return where a point lies on the picture."""
        down = HEIGHT * FINE - (y - self._bottom) * self.scale
        return (x - self._left) * self.scale, down

    def line(self, points: Sequence[Point], colour: Any, width: float) -> None:
        """Draw a line with round bends and ends."""
        places = [self.place(*point) for point in points]
        thick = max(1, round(width * self.scale))
        self._draw.line(places, colour, thick, joint="curve")
        for end in (points[0], points[-1]):
            self.disc(end, width / 2, colour)

    def shape(self, points: Sequence[Point], colour: Any) -> None:
        """Fill a polygon."""
        self._draw.polygon([self.place(*point) for point in points], fill=colour)

    def disc(self, centre: Point, radius: float, colour: Any, outline: Any = None) -> None:
        """Fill a circle."""
        (x, y), size = self.place(*centre), radius * self.scale
        box = (x - size, y - size, x + size, y + size)
        self._draw.ellipse(box, fill=colour, outline=outline, width=2 * FINE)

    def pixels(self) -> Pixels:
        """Return the picture in its final size."""
        return np.asarray(self._image.reduce(FINE), np.uint8)


def draw_mountaincar(state: ArrayLike) -> Pixels:
    """Draw the car (position, velocity) in its valley, and the flag on the hill."""
    position = float(np.asarray(state)[0])
    canvas = Canvas(-1.2, 0.6, -0.05)
    ground = [(x, _hill(x)) for x in np.linspace(-1.2, 0.6, 121)]
    canvas.shape([(-1.2, -1.0), *ground, (0.6, -1.0)], SOIL)
    canvas.line(ground, INK, 0.008)
    canvas.line([(0.5, _hill(0.5)), (0.5, _hill(0.5) + 0.14)], INK, 0.008)
    top = _hill(0.5) + 0.14
    canvas.shape([(0.5, top), (0.5, top - 0.06), (0.42, top - 0.03)], GOAL)
    tilt = math.atan(1.35 * math.cos(3 * position))
    middle = (position, _hill(position))

    def on_car(along: float, above: float) -> Point:
        cosine, sine = math.cos(tilt), math.sin(tilt)
        return middle[0] + along * cosine - above * sine, middle[1] + along * sine + above * cosine

    body = [(-0.075, 0.03), (-0.075, 0.07), (-0.035, 0.1), (0.035, 0.1), (0.075, 0.07)]
    canvas.shape([on_car(*corner) for corner in [*body, (0.075, 0.03)]], BODY)
    for wheel in (-0.045, 0.045):
        canvas.disc(on_car(wheel, 0.025), 0.025, INK)
    return canvas.pixels()


def _hill(position: float) -> float:
    return 0.45 * math.sin(3 * position) + 0.55


def draw_cartpole(state: ArrayLike) -> Pixels:
    """Draw the cart (position, velocity, angle, ...) on its track, and the pole on it."""
    position, _, angle = (float(value) for value in np.asarray(state)[:3])
    canvas = Canvas(-2.6, 2.6, -1.1)
    canvas.line([(-2.4, 0.0), (2.4, 0.0)], GREY, 0.03)
    for end in (-2.4, 2.4):
        canvas.line([(end, -0.12), (end, 0.12)], INK, 0.03)
    left, right = position - 0.25, position + 0.25
    canvas.shape([(left, 0.0), (left, 0.26), (right, 0.26), (right, 0.0)], BODY)
    foot = (position, 0.22)
    canvas.line(
        [foot, (foot[0] + 1.5 * math.sin(angle), foot[1] + 1.5 * math.cos(angle))], POLE, 0.1
    )
    canvas.disc(foot, 0.035, INK)
    return canvas.pixels()


def draw_acrobot(observation: ArrayLike) -> Pixels:
    """Draw the two links (cosine and sine of each angle, ...) and the line to reach."""
    cos_1, sin_1, cos_2, sin_2 = (float(value) for value in np.asarray(observation)[:4])
    canvas = Canvas(-3.3, 3.3, -2.2)
    canvas.line([(-3.2, 1.0), (3.2, 1.0)], GOAL, 0.03)
    elbow = (sin_1, -cos_1)
    both = (sin_1 * cos_2 + cos_1 * sin_2, cos_1 * cos_2 - sin_1 * sin_2)
    hand = (elbow[0] + both[0], elbow[1] - both[1])
    canvas.line([(0.0, 0.0), elbow], BODY, 0.16)
    canvas.line([elbow, hand], POLE, 0.16)
    for joint in ((0.0, 0.0), elbow):
        canvas.disc(joint, 0.08, INK)
    return canvas.pixels()


def _seen_angles(state: ArrayLike) -> list[float]:
    """Return cosine and sine of Acrobot's two angles."""
    first, second = np.asarray(state)[:2]
    return [math.cos(first), math.sin(first), math.cos(second), math.sin(second)]


def draw_chain(state: int, count: int) -> Pixels:
    """Draw the states of a chain in a row, the present one filled, the last one ringed."""
    span, large = max(count, 8), max(1.0, count / MOST_STATES)
    canvas = Canvas(-large, span - 1 + large, -(span - 1) / 3)
    row = (span - count) / 2
    canvas.line([(row, 0.0), (row + count - 1, 0.0)], GREY, 0.06 * large)
    each = range(count) if count <= MOST_STATES else (0, count - 1)
    radius = 0.36 * large
    for k in each:
        ring = GOAL if k == count - 1 else GREY
        canvas.disc((row + k, 0.0), radius, PAPER, ring)
    canvas.disc((row + state, 0.0), 0.8 * radius, BODY)
    return canvas.pixels()


def draw_woods(cells: NDArray[np.int64], place: ArrayLike) -> Pixels:
    """Draw a map (0: empty, 1 and 2: obstacles, more: food) and the animal (row, column) in it."""
    height, width = cells.shape
    size = max(width, 1.5 * height)
    canvas = Canvas((width - size) / 2, (width + size) / 2, height / 2 - size / 3)
    for row, column in np.ndindex(height, width):
        x, y = float(column), float(height - 1 - row)
        corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        canvas.shape(corners, (SOIL, INK, GREY, GOAL, GOAL)[cells[row, column]])
    row, column = (float(part) for part in np.asarray(place))
    canvas.disc((column + 0.5, height - row - 0.5), 0.35, BODY)
    return canvas.pixels()


def can_draw(problem: Problem) -> bool:
    """Tell whether there is a picture of a compiled problem."""
    return problem.name in _COMPILED


def draw_problem(problem: Problem) -> Pixels:
    """Draw a compiled problem as it stands."""
    return _COMPILED[problem.name](problem.dynamics)


def painter_for(env: Any) -> Callable[[Any], Pixels] | None:
    """Return how to draw an observation of one of Gymnasium's classic problems, if we can.

    Their own pictures need the package pygame.
    """
    kind = type(env.unwrapped)
    if not kind.__module__.startswith("gymnasium.envs.classic_control"):
        return None
    return _CLASSIC.get(kind.__name__)


_COMPILED: dict[str, Callable[[Any], Pixels]] = {
    "chain": lambda chain: draw_chain(int(chain.state[0]), chain.last + 1),
    "cartpole": lambda cartpole: draw_cartpole(cartpole.state),
    "mountaincar": lambda car: draw_mountaincar(car.state),
    "acrobot": lambda acrobot: draw_acrobot(_seen_angles(acrobot.state)),
    **dict.fromkeys(MAPS, lambda woods: draw_woods(woods.cells, woods.state)),
}
_CLASSIC: dict[str, Callable[[Any], Pixels]] = {
    "CartPoleEnv": draw_cartpole,
    "MountainCarEnv": draw_mountaincar,
    "AcrobotEnv": draw_acrobot,
}
