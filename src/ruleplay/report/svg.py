"""Small line charts within a page: text and lines take their colours from its styles."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ruleplay.rules.wording import in_full

WIDTH, HEIGHT = 380, 250
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 46
DIGIT, BESIDE = 8.0, 8.0  # at most the width of a digit; between the chart and numbers
STEPS = (0.2, 0.1, 0.05, 0.02, 0.01)  # between lines across, of which there are at most MOST
MOST = 6

Point = tuple[float, float]


@dataclass(frozen=True)
class Frame:
    """The axes of a chart: what lies at its edges."""

    left: float
    right: float
    bottom: float
    top: float
    margin: float = LEFT  # for the numbers beside it

    def at(self, x: float, y: float) -> Point:
        """Return where a point is drawn."""
        across = (x - self.left) / ((self.right - self.left) or 1.0)
        up = (y - self.bottom) / (self.top - self.bottom)
        return (
            round(self.margin + (WIDTH - self.margin - RIGHT) * across, 1),
            round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * up, 1),
        )

    def line(self, points: Sequence[Point], style: str) -> str:
        """Return a line through points."""
        places = " ".join("{:g},{:g}".format(*self.at(*point)) for point in points)
        return f'<polyline points="{places}" class="{style}"/>'

    def dot(self, point: Point, style: str, radius: float = 3.5) -> str:
        """Return a point."""
        x, y = self.at(*point)
        return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="{style}"/>'

    def column(self, x: float, height: float, width: float, style: str) -> str:
        """Return a column that stands on the lower edge."""
        left, top = self.at(x - width / 2, self.bottom + height)
        right, bottom = self.at(x + width / 2, self.bottom)
        size = f'width="{right - left:g}" height="{bottom - top:g}"'
        return f'<rect x="{left:g}" y="{top:g}" {size} class="{style}"/>'

    def ticks_up(self, values: Sequence[float]) -> str:
        """Return lines across at some heights, with their numbers."""
        parts = []
        for value in values:
            x, y = self.at(self.left, value)
            parts.append(self.line([(self.left, value), (self.right, value)], "grid"))
            parts.append(text(x - BESIDE, y + 4, in_full(value), "end"))
        return "".join(parts)

    def ticks_across(self, values: Sequence[float]) -> str:
        """Return numbers below the chart, no more of them than there is room for."""
        widest = max(map(width_of, values))
        apart = (WIDTH - self.margin - RIGHT) / max(len(values) - 1, 1)
        parts = []
        shift = max(widest / 2 - RIGHT, 0.0)  # of the last one, which would be cut
        for value in values[:: math.ceil((widest + shift + BESIDE) / apart)]:
            x = min(self.at(value, self.bottom)[0], WIDTH - width_of(value) / 2)
            parts.append(text(x, HEIGHT - BOTTOM + 17, in_full(value), "middle"))
        return "".join(parts)


def width_of(value: float) -> float:
    """Return the room that a number takes, or a little more."""
    return DIGIT * len(in_full(value))


def margin_for(values: Sequence[float]) -> float:
    """Return the room beside a chart that the widest of its numbers needs.

    >>> margin_for([0.0, 0.5]), margin_for([0.0, 1200000.0])
    (44, 64.0)
    """
    return max(LEFT, BESIDE + max(map(width_of, values)))


def chart(label: str, below: str, parts: Sequence[str]) -> str:
    """Return a chart: what it is, what its lower edge shows, and what is drawn."""
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    return (
        f'<svg class="chart-picture" {size} role="img" aria-label="{label}">{"".join(parts)}'
        f"{text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, below, 'middle')}</svg>"
    )


def text(x: float, y: float, words: str, anchor: str) -> str:
    """Return words of our own, which hold no signs of markup."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'


def tick_values(low: float, high: float) -> list[float]:
    """Return round numbers from below some shares to above them.

    >>> tick_values(0.33, 0.97)
    [0.2, 0.4, 0.6, 0.8, 1.0]
    """
    fitting = [step for step in STEPS if (high - low) / step <= MOST - 1]
    step = fitting[-1] if fitting else STEPS[0]
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(step * k, 2) for k in range(first, max(last, first + 1) + 1)]


def round_ticks(low: float, high: float) -> list[float]:
    """Return round numbers of any size from below two numbers to above them.

    >>> round_ticks(133.0, 871.0)
    [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0]
    """
    span = (high - low) or abs(high) or 1.0
    power = 10.0 ** math.floor(math.log10(span / (MOST - 1)))
    step = next(size * power for size in (1.0, 2.0, 5.0, 10.0) if span / (size * power) <= MOST - 1)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [float(f"{step * k:.10g}") for k in range(first, max(last, first + 1) + 1)]
