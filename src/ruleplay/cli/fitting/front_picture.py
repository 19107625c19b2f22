"""Draw accuracy against the number of rules as a small picture within a page."""

import math
from collections.abc import Callable, Sequence

from ruleplay.learners.rule_list import RuleListFront

At = Callable[[float, float], tuple[float, float]]  # where a length and an accuracy are drawn

WIDTH, HEIGHT = 560, 280
LEFT, RIGHT, TOP, BOTTOM = 48, 16, 12, 44
STEPS = (0.2, 0.1, 0.05, 0.02, 0.01)  # between lines across, of which there are at most MOST
MOST = 6
TRAINING, HELD_OUT = 'stroke="#888" stroke-dasharray="5 4"', 'stroke="#27c" stroke-width="2"'
SHOWN = 'r="5" fill="#c33"'


def draw_front(front: RuleListFront) -> str:
    """Return the drawing, of numbers and our own words: it takes its colours from the page."""
    lengths = [known.n_rules for known in front]
    training = [known.train_accuracy for known in front]
    held_out = [known.held_out_accuracy for known in front]
    ticks = tick_values(min(training + held_out), max(training + held_out))
    at = _scale(lengths[-1], ticks[0], ticks[-1])
    x, y = at(front.chosen, front.of_length(front.chosen).held_out_accuracy)
    parts = [
        *(_across(tick, at, lengths[-1]) for tick in ticks),
        *(_text(at(n, 0.0)[0], HEIGHT - BOTTOM + 18, str(n), "middle") for n in lengths),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "rules", "middle"),
        _line([at(*point) for point in zip(lengths, training, strict=True)], TRAINING),
        _line([at(*point) for point in zip(lengths, held_out, strict=True)], HELD_OUT),
        f'<circle cx="{x}" cy="{y}" {SHOWN}/>',
        *_legend(),
    ]
    label = "accuracy against the number of rules"
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
    return "".join([head, *parts, "</svg>"])


def tick_values(low: float, high: float) -> list[float]:
    """Return round numbers from below some accuracies to above them.

    >>> tick_values(0.33, 0.97)
    [0.2, 0.4, 0.6, 0.8, 1.0]
    """
    fitting = [step for step in STEPS if (high - low) / step <= MOST - 1]
    step = fitting[-1] if fitting else STEPS[0]
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(step * k, 2) for k in range(first, max(last, first + 1) + 1)]


def _scale(longest: int, low: float, high: float) -> At:
    """Return where things are drawn."""

    def at(length: float, accuracy: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * length / max(longest, 1)
        y = TOP + (HEIGHT - TOP - BOTTOM) * (high - accuracy) / (high - low)
        return round(x, 1), round(y, 1)

    return at


def _legend() -> list[str]:
    """Return what the lines are, at the lower right, where curves seldom are."""
    x, parts = WIDTH - RIGHT - 100, []
    for k, (style, name) in enumerate(((TRAINING, "training rows"), (HELD_OUT, "held-out rows"))):
        y = HEIGHT - BOTTOM - 52 + 18 * k
        parts += [_line([(x - 34, y), (x - 8, y)], style), _text(x, y + 4, name, "start")]
    y = HEIGHT - BOTTOM - 16
    return [*parts, f'<circle cx="{x - 21}" cy="{y}" {SHOWN}/>', _text(x, y + 4, "shown", "start")]


def _across(accuracy: float, at: At, longest: int) -> str:
    """Return a line across at an accuracy, with its number."""
    (left, y), (right, _) = at(0, accuracy), at(longest, accuracy)
    line = _line([(left, y), (right, y)], 'stroke="#8883"')
    return line + _text(left - 8, y + 4, f"{accuracy:g}", "end")


def _line(points: Sequence[tuple[float, float]], style: str) -> str:
    places = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{places}" fill="none" {style}/>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
    return f'<text {place} font-size="12" fill="currentColor">{words}</text>'
