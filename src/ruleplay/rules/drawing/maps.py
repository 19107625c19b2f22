"""Draw rules over the plane of two features: the boxes, what they decide, what it is worth."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine.inputs import checked_integer
from ruleplay.rules.drawing.colours import action_colours
from ruleplay.rules.drawing.pictures import LITERAL, add_legend, check_picture_path, save_picture
from ruleplay.rules.drawing.planes import (
    Points,
    chosen_features,
    draw_boxes,
    draw_image,
    grid_points,
    harmless,
    kept_values,
    label_axes,
    parts_of,
    rules_in_slice,
    title_of,
    usual_limits,
)
from ruleplay.rules.drawing.quantity_maps import draw_quantities
from ruleplay.rules.features import Readable
from ruleplay.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Vector = NDArray[np.float64]

MOST_BOXES = 600


def draw_map(
    source: Readable | RuleSet,
    features: Sequence[str | int] | None = None,
    *,
    at: ArrayLike | None = None,
    path: str | Path | None = None,
    resolution: int = 240,
) -> "Figure":
    """Draw rules over the plane of two features, and save the picture if a path is given.

    Three maps: the boxes of rules for the action that is chosen at their middle, the more
    opaque the more fitness; the action chosen everywhere; and its value. Of a quantity, two: the
    boxes in the colours of what they say at their middles, and what all rules say.

    Args:
        source: An engine or a `RuleSet`.
        features: Names or numbers of the features that point right and up; default: the
            first two. With a single feature the picture is a band.
        at: A whole observation whose other features are kept fixed; default: the middle.
        path: Where to save: .svg, .png or .pdf.
        resolution: Points along each side at which actions and values are computed.
    """
    if path is not None:
        check_picture_path("a map's file name", Path(path))
    rules = RuleSet.of(source)
    plane = chosen_features(rules, features)
    rules = harmless(rules)
    fixed_at = kept_values(rules, at)
    points = grid_points(rules, plane, fixed_at, checked_integer("resolution", resolution, 2, 2000))
    draw = draw_quantities if rules.regresses else _draw_decisions
    figure = draw(rules, plane, fixed_at, points)
    figure.suptitle(title_of(rules, plane, fixed_at), fontsize=11, **LITERAL)
    if path is not None:
        save_picture(figure, Path(path), dpi=130)
    return figure


def _draw_decisions(rules: RuleSet, plane: tuple[int, int], at: Vector, points: Points) -> "Figure":
    """Draw boxes, decisions and their values."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.0, 4.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3, sharex=True, sharey=True)
    _draw_boxes(left, rules, plane, at)
    _draw_policy(middle, rules, points)
    _draw_values(figure, right, rules, points)
    label_axes((left, middle, right), rules, plane)
    _legend(figure, rules)
    return figure


def _draw_boxes(axes: "Axes", rules: RuleSet, plane: tuple[int, int], at: Vector) -> None:
    """Draw the boxes that the plane cuts, the weakest first; of a list, the last first."""
    places = _boxes_to_draw(rules, plane, at)
    draw_boxes(axes, rules, places, plane, _rgb(rules)[rules.action[places]])
    if rules.ordered:
        axes.set_facecolor((*_rgb(rules)[rules.default_action], 0.35))
    which = "the first on top" if rules.ordered else "that are not outvoted"
    axes.set_title(f"{len(places)} rules{',' if rules.ordered else ''} {which}")


def _boxes_to_draw(rules: RuleSet, plane: tuple[int, int], at: Vector) -> NDArray[np.intp]:
    """Return rules whose box the plane cuts and whose action is chosen at its middle there."""
    places = rules_in_slice(rules, plane, at)
    if rules.ordered:
        return places[::-1]
    middles = np.repeat(at[np.newaxis], len(places), axis=0)
    for k in plane:
        parts = (parts_of(rules, place, k)[:1] for place in places.tolist())
        middle = np.array([sum(part[0]) / 2 if part else at[k] for part in parts])
        middles[:, k] = np.floor(middle) if rules.features[k].categories else middle
    speaking = places[rules.actions(middles) == rules.action[places]]
    order = np.argsort(rules.fitness[speaking], kind="stable")[-MOST_BOXES:]
    strongest: NDArray[np.intp] = speaking[order]
    return strongest


def _draw_policy(axes: "Axes", rules: RuleSet, points: Points) -> None:
    """Draw the action chosen; paler where no rule speaks and the default action is taken."""
    values = rules.values(points.rows)
    colours = _rgb(rules)[rules.actions(points.rows)]
    silent = np.isnan(values).all(axis=1)
    colours[silent] = 0.5 + 0.5 * colours[silent]
    draw_image(axes, points, colours)
    axes.set_title(f"{rules.noun} (paler: default)" if silent.any() else rules.noun)


def _draw_values(figure: "Figure", axes: "Axes", rules: RuleSet, points: Points) -> None:
    """Draw the value of the best action; extreme ones, two in a hundred, are cut."""
    values = rules.values(points.rows)
    known = ~np.isnan(values)
    best = np.where(known, values, -np.inf).max(axis=1)
    shown = np.ma.masked_where(~known.any(axis=1) | ~np.isfinite(best), best)
    picture = draw_image(axes, points, shown, usual_limits(shown))
    figure.colorbar(picture, ax=axes)
    axes.set_title(f"value of the best {rules.noun}")


def _legend(figure: "Figure", rules: RuleSet) -> None:
    from matplotlib.patches import Patch

    add_legend(figure, [Patch(color=colour) for colour in _rgb(rules)], rules.outcome_names)


def _rgb(rules: RuleSet) -> Vector:
    """Return a colour for each action, (actions, 3)."""
    from matplotlib.colors import to_rgb

    return np.array([to_rgb(colour) for colour in action_colours(rules.outcome_names)])
