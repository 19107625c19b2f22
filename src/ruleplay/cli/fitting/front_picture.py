"""Draw accuracy against the number of rules as a small picture within a page."""

from collections.abc import Callable, Sequence

from markupsafe import Markup

from ruleplay.learners.rule_list import RuleListFront

At = Callable[[int, float], tuple[float, float]]  # where a length and an accuracy are drawn

WIDTH, HEIGHT = 560, 280
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 12, 44
TICKS = 5
_STYLES = {
    "training rows": 'stroke="#8886" stroke-dasharray="5 4" fill="none"',
    "held-out rows": 'stroke="#27c" fill="none"',
}


def draw_front(front: RuleListFront) -> Markup:
    """Return the drawing: it takes its colours from the page, and needs nothing else."""
    lengths = [known.n_rules for known in front]
    curves = {
        "training rows": [known.train_accuracy for known in front],
        "held-out rows": [known.held_out_accuracy for known in front],
    }
    heights = [height for curve in curves.values() for height in curve]
    low, high = min(heights), max(heights)
    high = max(high, low + 0.01)

    def at(length: int, accuracy: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * (length - lengths[0]) / (lengths[-1] - lengths[0])
        y = TOP + (HEIGHT - TOP - BOTTOM) * (high - accuracy) / (high - low)
        return round(x, 1), round(y, 1)

    parts = [_tick_line(low + (high - low) * k / TICKS, at, lengths) for k in range(TICKS + 1)]
    parts += [_text(at(n, low)[0], HEIGHT - BOTTOM + 18, str(n), "middle") for n in lengths]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "rules", "middle"))
    for name, curve in curves.items():
        points = [at(n, height) for n, height in zip(lengths, curve, strict=True)]
        parts.append(_line(points, _STYLES[name]))
        parts.append(_text(points[-1][0], points[-1][1] - 6, name, "end"))
    x, y = at(front.chosen, front.of_length(front.chosen).held_out_accuracy)
    parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="#c33"><title>shown</title></circle>')
    label = "accuracy against the number of rules"
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
    return Markup("".join([head, *parts, "</svg>"]))


def _tick_line(accuracy: float, at: At, lengths: Sequence[int]) -> str:
    """Return a line across at an accuracy, with its number."""
    (left, y), (right, _) = at(lengths[0], accuracy), at(lengths[-1], accuracy)
    line = _line([(left, y), (right, y)], 'stroke="#8883"')
    return line + _text(left - 8, y + 4, f"{accuracy:.2f}", "end")


def _line(points: Sequence[tuple[float, float]], style: str) -> str:
    return f'<polyline points="{" ".join(f"{x},{y}" for x, y in points)}" {style}/>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
    return f'<text {place} font-size="12" fill="currentColor">{words}</text>'
