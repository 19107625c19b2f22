"""Draw rules over the plane of two features: the boxes, what they decide, what it is worth."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine.inputs import as_floats, checked_integer
from ruleplay.errors import ConfigError
from ruleplay.output.harmless import visible
from ruleplay.rules.drawing.colours import action_colours
from ruleplay.rules.drawing.pictures import LITERAL, add_legend, check_picture_path, save_picture
from ruleplay.rules.features import Feature, Readable
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
    opaque the more fitness; the action chosen everywhere; and its value.

    Args:
        source: An engine or a `RuleSet`.
        features: Names or numbers of the features that point right and up; default: the
            first two. With a single feature the picture is a band.
        at: A whole observation whose other features are kept fixed; default: the middle.
        path: Where to save: .svg, .png or .pdf.
        resolution: Points along each side at which actions and values are computed.
    """
    from matplotlib.figure import Figure

    if path is not None:
        check_picture_path("a map's file name", Path(path))
    rules = RuleSet.of(source)
    plane = chosen_features(rules, features)
    rules = _harmless(rules)
    fixed_at = _fixed(rules, at)
    points = _points(rules, plane, fixed_at, checked_integer("resolution", resolution, 2, 2000))
    figure = Figure(figsize=(13.0, 4.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3, sharex=True, sharey=True)
    _draw_boxes(left, rules, plane, fixed_at)
    _draw_policy(middle, rules, points)
    _draw_values(figure, right, rules, points)
    _label((left, middle, right), rules, plane)
    _legend(figure, rules)
    figure.suptitle(_title(rules, plane, fixed_at), fontsize=11, **LITERAL)
    if path is not None:
        save_picture(figure, Path(path), dpi=130)
    return figure


def _harmless(rules: RuleSet) -> RuleSet:
    """Return rules whose names may be drawn: of one line, without signs that steer."""
    features = [
        replace(feature, name=visible(feature.name), categories=_texts(feature))
        for feature in rules.features
    ]
    outcomes = [outcome._replace(name=visible(outcome.name)) for outcome in rules.outcomes]
    return replace(rules, features=tuple(features), outcomes=tuple(outcomes))


def _texts(feature: Feature) -> tuple[str, ...]:
    return tuple(visible(str(category)) for category in feature.categories)


def chosen_features(rules: RuleSet, features: Sequence[str | int] | None) -> tuple[int, int]:
    """Return the numbers of the two features asked for."""
    names = rules.feature_names
    if features is None:
        return 0, min(1, len(names) - 1)
    numbers = []
    for feature in features:
        if feature in names:
            numbers.append(names.index(str(feature)))
        elif isinstance(feature, int) and 0 <= feature < len(names):
            numbers.append(feature)
        else:
            raise ConfigError(f"features must be among {', '.join(names)}, got {feature!r}")
    if len(numbers) != 2 or numbers[0] == numbers[1]:
        raise ConfigError(f"features must be 2 different ones, got {list(features)!r}")
    return numbers[0], numbers[1]


def _fixed(rules: RuleSet, at: ArrayLike | None) -> Vector:
    """Return the observation whose features are kept."""
    if at is None:
        middle = (rules.low + rules.high) / 2
        return np.where([feature.whole for feature in rules.features], np.round(middle), middle)
    row = as_floats("at", at)
    if row.shape != rules.low.shape:
        raise ConfigError(f"at must have shape {rules.low.shape}, got {row.shape}")
    return row


class _Points:
    """Observations on a grid over the plane."""

    def __init__(self, rows: Vector, side: int, extent: tuple[float, float, float, float]) -> None:
        self.rows, self.side, self.extent = rows, side, extent

    def image(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of the observations as a picture, the first row at the bottom."""
        return values.reshape(self.side, self.side, *values.shape[1:])


def _points(rules: RuleSet, plane: tuple[int, int], at: Vector, side: int) -> _Points:
    x, y = plane
    across, up = (_along(rules.features[k], side) for k in plane)
    rows = np.repeat(at[np.newaxis], side * side, axis=0)
    rows[:, y] = np.repeat(up, side)
    rows[:, x] = np.tile(across, side)
    return _Points(rows, side, (*_reach(rules.features[x]), *_reach(rules.features[y])))


def _along(feature: Feature, side: int) -> Vector:
    """Return the middles of equal parts of a feature's axis; of categories, what lies there."""
    start, end = _reach(feature)
    points: Vector = np.linspace(start, end, side, endpoint=False) + (end - start) / (2 * side)
    return points.round() if feature.categories else points


def _reach(feature: Feature) -> tuple[float, float]:
    """Return where a feature's axis begins and ends; each category takes as much room."""
    if feature.categories:
        return -0.5, len(feature.categories) - 0.5
    return feature.low, feature.high


def _draw_boxes(axes: "Axes", rules: RuleSet, plane: tuple[int, int], at: Vector) -> None:
    """Draw the boxes that the plane cuts, the weakest first; of a list, the last first."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    places = _boxes_to_draw(rules, plane, at)
    boxes = [_boxes_of(rules, place, plane) for place in places.tolist()]
    patches = [Rectangle(*box) for parts in boxes for box in parts]
    drawn = np.repeat(places, [len(parts) for parts in boxes])
    colours = _rgb(rules)[rules.action[drawn]]
    strength = np.sqrt(rules.fitness[drawn] / max(rules.fitness[places].max(initial=0.0), 1e-300))
    opacity = np.full(len(drawn), 0.85) if rules.ordered else 0.05 + 0.45 * strength
    axes.add_collection(
        PatchCollection(
            patches,
            facecolors=np.column_stack([colours, opacity]),
            edgecolors=np.column_stack([0.6 * colours, np.minimum(1.0, opacity + 0.25)]),
            linewidths=1.0 if rules.ordered else 0.4,
        )
    )
    if rules.ordered:
        axes.set_facecolor((*_rgb(rules)[rules.default_action], 0.35))
    which = "the first on top" if rules.ordered else "that are not outvoted"
    axes.set_title(f"{len(places)} rules{',' if rules.ordered else ''} {which}")


def _boxes_of(
    rules: RuleSet, place: int, plane: tuple[int, int]
) -> list[tuple[tuple[float, float], float, float]]:
    """Return the boxes of a rule in a plane: corner, width, height; one for each run of sets."""
    across, up = (_parts_of(rules, place, k) for k in plane)
    return [((x, y), right - x, top - y) for x, right in across for y, top in up]


def _parts_of(rules: RuleSet, place: int, k: int) -> list[tuple[float, float]]:
    """Return the parts of a feature's axis that a rule has; a category reaches half a place."""
    if k not in rules.category_slices:
        lower, upper = (float(side[place, k]) for side in rules.bounds)
        return [(lower, max(lower, upper))]
    flags = np.concatenate([[False], rules.allowed_of(k)[place], [False]])
    edges = np.flatnonzero(flags[1:] != flags[:-1]) - 0.5
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _boxes_to_draw(rules: RuleSet, plane: tuple[int, int], at: Vector) -> NDArray[np.intp]:
    """Return rules whose box the plane cuts and whose action is chosen at its middle there."""
    free = at.copy()
    free[list(plane)] = np.nan
    places = np.flatnonzero(rules.inside(free[np.newaxis])[0])
    if rules.ordered:
        return places[::-1]
    middles = np.repeat(at[np.newaxis], len(places), axis=0)
    for k in plane:
        parts = (_parts_of(rules, place, k)[:1] for place in places.tolist())
        middle = np.array([sum(part[0]) / 2 if part else at[k] for part in parts])
        middles[:, k] = np.floor(middle) if rules.features[k].categories else middle
    speaking = places[rules.actions(middles) == rules.action[places]]
    order = np.argsort(rules.fitness[speaking], kind="stable")[-MOST_BOXES:]
    strongest: NDArray[np.intp] = speaking[order]
    return strongest


def _draw_policy(axes: "Axes", rules: RuleSet, points: _Points) -> None:
    """Draw the action chosen; paler where no rule speaks and the default action is taken."""
    values = rules.values(points.rows)
    colours = _rgb(rules)[rules.actions(points.rows)]
    silent = np.isnan(values).all(axis=1)
    colours[silent] = 0.5 + 0.5 * colours[silent]
    axes.imshow(
        points.image(colours),
        origin="lower",
        extent=points.extent,
        aspect="auto",
        interpolation="nearest",
    )
    axes.set_title(f"{rules.noun} (paler: default)" if silent.any() else rules.noun)


def _draw_values(figure: "Figure", axes: "Axes", rules: RuleSet, points: _Points) -> None:
    """Draw the value of the best action; extreme ones, two in a hundred, are cut."""
    values = rules.values(points.rows)
    known = ~np.isnan(values)
    best = np.where(known, values, -np.inf).max(axis=1)
    shown = np.ma.masked_where(~known.any(axis=1) | ~np.isfinite(best), best)
    limits = np.percentile(shown.compressed(), [1, 99]) if shown.count() else (0.0, 1.0)
    picture = axes.imshow(
        points.image(shown),
        origin="lower",
        extent=points.extent,
        aspect="auto",
        interpolation="nearest",
        cmap="viridis",
        vmin=limits[0],
        vmax=max(limits[1], limits[0] + 1e-9),
    )
    figure.colorbar(picture, ax=axes)
    axes.set_title(f"value of the best {rules.noun}")


def _label(panels: tuple["Axes", ...], rules: RuleSet, plane: tuple[int, int]) -> None:
    right, up = (rules.features[k] for k in plane)
    for axes in panels:
        axes.set_xlim(*_reach(right))
        axes.set_ylim(*_reach(up))
        axes.set_xlabel(right.name, **LITERAL)
    if right.categories:
        for axes in panels:
            places = range(len(right.categories))
            axes.set_xticks(places, right.categories, rotation=30, ha="right", **LITERAL)
    if up is right:
        panels[0].set_yticks([])
        return
    panels[0].set_ylabel(up.name, **LITERAL)
    if up.categories:
        panels[0].set_yticks(range(len(up.categories)), up.categories, **LITERAL)


def _legend(figure: "Figure", rules: RuleSet) -> None:
    from matplotlib.patches import Patch

    add_legend(figure, [Patch(color=colour) for colour in _rgb(rules)], rules.outcome_names)


def _title(rules: RuleSet, plane: tuple[int, int], at: Vector) -> str:
    """Say what is kept fixed."""
    kept = [
        f"{feature.name} = {feature.say(value)}"
        for k, (feature, value) in enumerate(zip(rules.features, at.tolist(), strict=True))
        if k not in plane
    ]
    return f"where {', '.join(kept)}" if kept else ""


def _rgb(rules: RuleSet) -> Vector:
    """Return a colour for each action, (actions, 3)."""
    from matplotlib.colors import to_rgb

    return np.array([to_rgb(colour) for colour in action_colours(rules.outcome_names)])
