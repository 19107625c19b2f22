"""Draw rules about quantities over the plane of two features: boxes, and what they say together."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.drawing.pictures import LITERAL
from ruleplay.rules.drawing.planes import (
    Points,
    draw_boxes,
    draw_image,
    label_axes,
    rules_in_slice,
    usual_limits,
)
from ruleplay.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Vector = NDArray[np.float64]
Limits = tuple[float, float]

MOST_BOXES = 100  # of rules that vote, the strongest


def draw_quantities(rules: RuleSet, plane: tuple[int, int], at: Vector, points: Points) -> "Figure":
    """Draw the boxes and the values of each quantity, a row for each, in the same colours."""
    from matplotlib.figure import Figure

    names = rules.outcome_names
    figure = Figure(figsize=(9.5, 4.6 * len(names)), layout="constrained")
    panels = figure.subplots(len(names), 2, sharex=True, sharey=True, squeeze=False)
    values = np.where(np.isnan(rules.values(points.rows)), np.nan, rules.estimates(points.rows))
    for target, (left, right) in enumerate(panels):
        limits = usual_limits(values[:, target])
        _draw_boxes_of(left, rules, target, plane, at, limits)
        shown = np.ma.masked_invalid(values[:, target])
        picture = draw_image(right, points, shown, limits)
        bar = figure.colorbar(picture, ax=right)
        bar.set_label(names[target], **LITERAL)
        right.set_title(
            names[target] + (" (empty: no rule)" if shown.mask.any() else ""), **LITERAL
        )
        label_axes((left, right), rules, plane)
    return figure


def _draw_boxes_of(
    axes: "Axes", rules: RuleSet, target: int, plane: tuple[int, int], at: Vector, limits: Limits
) -> None:
    """Draw boxes in the colours of what they say at their middles; a list's first on top."""
    from matplotlib import colormaps

    found = rules_in_slice(rules, plane, at)
    found = found[rules.action[found] == target]
    if rules.ordered:
        places, which = found[::-1], ", the first on top"
    else:
        places = found[np.argsort(rules.fitness[found], kind="stable")[-MOST_BOXES:]]
        which = f" of {len(found)}, the strongest" if len(places) < len(found) else ""
    low, high = limits
    shares = (rules.typical[places] - low) / max(high - low, 1e-9)
    draw_boxes(axes, rules, places, plane, colormaps["viridis"](np.clip(shares, 0, 1))[:, :3])
    axes.set_title(f"{len(places)} rules{which}")
