"""Draw how good lists are against the number of rules as a small picture within a page."""

from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from ruleplay.learners.common.list_front import ListFront
from ruleplay.report.svg import Frame, chart, margin_for

MOST_NUMBERS = 12  # of rules that stand below the chart

Ticks = Callable[[float, float], list[float]]  # round numbers from below two to above them


def describe_front(front: ListFront[Any], ticks: Ticks) -> dict[str, Any] | None:
    """Return the drawing and its figures, if there is more than one list."""
    if len(front) < 2:
        return None
    rows = [
        {
            "rules": known.n_rules,
            "training": front.written(known.training),
            "held_out": front.written(known.held_out),
            "is_chosen": known.n_rules == front.chosen,
        }
        for known in front
    ]
    return {
        "measure": front.measure.capitalize(),
        "picture": draw_front(front, ticks),
        "rows": rows,
    }


def draw_front(front: ListFront[Any], ticks: Ticks) -> Markup:
    """Return the drawing, of numbers and our own words."""
    lengths = [known.n_rules for known in front]
    training = [known.training for known in front]
    held_out = [known.held_out for known in front]
    up = ticks(min(training + held_out), max(training + held_out))
    frame = Frame(lengths[0], lengths[-1], up[0], up[-1], margin_for(up))
    step = -(-len(lengths) // MOST_NUMBERS)
    parts = [
        frame.ticks_up(up),
        frame.ticks_across(lengths[::step]),
        frame.line(list(zip(lengths, training, strict=True)), "curve faint"),
        frame.line(list(zip(lengths, held_out, strict=True)), "curve"),
        *(frame.dot(point, "dot") for point in zip(lengths, held_out, strict=True)),
        frame.dot((front.chosen, front.in_use.held_out), "dot shown", 6.0),
    ]
    title = f"{front.measure.capitalize()} against the number of rules"
    return Markup(chart(title, "number of rules", parts))
