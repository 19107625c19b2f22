"""Draw answers against what is right as a small picture within a page."""

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from ruleplay.report.svg import Frame, chart, margin_for, round_ticks

Vector = NDArray[np.float64]

MOST = 500  # rows that are drawn


def draw_answers(right: Vector, answers: Vector) -> Markup:
    """Return the drawing: a dot for each row, and the line on which all answers are right."""
    chosen = np.sort(np.random.default_rng(0).permutation(len(right))[:MOST])
    ticks = round_ticks(
        float(min(right.min(), answers.min())), float(max(right.max(), answers.max()))
    )
    frame = Frame(ticks[0], ticks[-1], ticks[0], ticks[-1], margin_for(ticks))
    points = zip(right[chosen].tolist(), answers[chosen].tolist(), strict=True)
    parts = [
        frame.ticks_up(ticks),
        frame.ticks_across(ticks),
        frame.line([(ticks[0], ticks[0]), (ticks[-1], ticks[-1])], "curve faint"),
        *(frame.dot(point, "dot", 2.0) for point in points),
    ]
    return Markup(chart("Answers against what is right", "what is right", parts))
