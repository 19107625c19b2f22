"""Draw how far probabilities can be trusted as a small picture within a page."""

import numpy as np
from markupsafe import Markup

from ruleplay.report.svg import Frame, chart
from ruleplay.rules.drawing.reliability import Reliability

TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def draw_trust(found: Reliability) -> Markup:
    """Return the drawing: right answers against probable ones, and how many answers there are."""
    frame = Frame(0.0, 1.0, 0.0, 1.0)
    used, bins = found.counts > 0, len(found.counts)
    shares = found.counts / found.counts.sum()
    points = list(zip(found.probability[used].tolist(), found.right[used].tolist(), strict=True))
    columns = zip(
        ((np.arange(bins) + 0.5) / bins)[used].tolist(), shares[used].tolist(), strict=True
    )
    parts = [
        frame.ticks_up(TICKS),
        frame.ticks_across(TICKS),
        *(frame.column(x, share, 0.8 / bins, "column") for x, share in columns),
        frame.line([(0.0, 0.0), (1.0, 1.0)], "curve faint"),
        frame.line(points, "curve"),
        *(frame.dot(point, "dot") for point in points),
    ]
    return Markup(
        chart("Right answers against their probability", "probability of the answer", parts)
    )
