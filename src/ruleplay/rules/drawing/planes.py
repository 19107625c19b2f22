"""The plane of two features: which it is, points and boxes on it, and the words around a map."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine.inputs import as_floats
from ruleplay.errors import ConfigError
from ruleplay.output.harmless import visible
from ruleplay.rules.drawing.pictures import LITERAL
from ruleplay.rules.features import Feature
from ruleplay.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Vector = NDArray[np.float64]


def harmless(rules: RuleSet) -> RuleSet:
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


def kept_values(rules: RuleSet, at: ArrayLike | None) -> Vector:
    """Return the observation whose features are kept."""
    if at is None:
        middle = (rules.low + rules.high) / 2
        return np.where([feature.whole for feature in rules.features], np.round(middle), middle)
    row = as_floats("at", at)
    if row.shape != rules.low.shape:
        raise ConfigError(f"at must have shape {rules.low.shape}, got {row.shape}")
    return row


class Points:
    """Observations on a grid over the plane."""

    def __init__(self, rows: Vector, side: int, extent: tuple[float, float, float, float]) -> None:
        self.rows, self.side, self.extent = rows, side, extent

    def image(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of the observations as a picture, the first row at the bottom."""
        return values.reshape(self.side, self.side, *values.shape[1:])


def grid_points(rules: RuleSet, plane: tuple[int, int], at: Vector, side: int) -> Points:
    """Return observations all over the plane, others as in `at`."""
    x, y = plane
    across, up = (along_axis(rules.features[k], side) for k in plane)
    rows = np.repeat(at[np.newaxis], side * side, axis=0)
    rows[:, y] = np.repeat(up, side)
    rows[:, x] = np.tile(across, side)
    return Points(rows, side, (*reach_of(rules.features[x]), *reach_of(rules.features[y])))


def along_axis(feature: Feature, side: int) -> Vector:
    """Return the middles of equal parts of a feature's axis; of categories, what lies there."""
    start, end = reach_of(feature)
    points: Vector = np.linspace(start, end, side, endpoint=False) + (end - start) / (2 * side)
    return points.round() if feature.categories else points


def reach_of(feature: Feature) -> tuple[float, float]:
    """Return where a feature's axis begins and ends; each category takes as much room."""
    if feature.categories:
        return -0.5, len(feature.categories) - 0.5
    return feature.low, feature.high


def draw_boxes(
    axes: "Axes", rules: RuleSet, places: NDArray[np.intp], plane: tuple[int, int], colours: Vector
) -> None:
    """Draw the boxes of rules in their colours, (rules, 3), the first at the bottom."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    boxes = [_boxes_of(rules, place, plane) for place in places.tolist()]
    patches = [Rectangle(*box) for parts in boxes for box in parts]
    counts = [len(parts) for parts in boxes]
    drawn, colours = np.repeat(places, counts), np.repeat(colours, counts, axis=0)
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


def rules_in_slice(rules: RuleSet, plane: tuple[int, int], at: Vector) -> NDArray[np.intp]:
    """Return the rules whose box the plane cuts."""
    free = rules.filled(at[np.newaxis])
    free[:, list(plane)] = np.nan
    return np.flatnonzero(rules.inside(free)[0])


def draw_image(
    axes: "Axes", points: Points, values: NDArray[Any], limits: Sequence[float] | None = None
) -> Any:
    """Draw colours, or numbers between limits, at points of the plane."""
    scale: dict[str, Any] = {}
    if limits is not None:
        low, high = limits
        scale = {"cmap": "viridis", "vmin": low, "vmax": max(high, low + 1e-9)}
    return axes.imshow(
        points.image(values),
        origin="lower",
        extent=points.extent,
        aspect="auto",
        interpolation="nearest",
        **scale,
    )


def usual_limits(values: Any) -> tuple[float, float]:
    """Return between which values, as far as they are known, 98 in a hundred lie."""
    known = np.ma.compressed(np.ma.masked_invalid(values))
    low, high = np.percentile(known, [1, 99]) if len(known) else (0.0, 1.0)
    return float(low), float(high)


def _boxes_of(
    rules: RuleSet, place: int, plane: tuple[int, int]
) -> list[tuple[tuple[float, float], float, float]]:
    """Return the boxes of a rule in a plane: corner, width, height; one for each run of sets."""
    across, up = (parts_of(rules, place, k) for k in plane)
    return [((x, y), right - x, top - y) for x, right in across for y, top in up]


def parts_of(rules: RuleSet, place: int, k: int) -> list[tuple[float, float]]:
    """Return the parts of a feature's axis that a rule has; a category reaches half a place."""
    if k not in rules.category_slices:
        lower, upper = (float(side[place, k]) for side in rules.bounds)
        return [(lower, max(lower, upper))]
    flags = np.concatenate([[False], rules.allowed_of(k)[place], [False]])
    edges = np.flatnonzero(flags[1:] != flags[:-1]) - 0.5
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def label_axes(panels: Sequence["Axes"], rules: RuleSet, plane: tuple[int, int]) -> None:
    """Write the features' names, and categories, on the axes of panels side by side."""
    right, up = (rules.features[k] for k in plane)
    for axes in panels:
        axes.set_xlim(*reach_of(right))
        axes.set_ylim(*reach_of(up))
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


def title_of(rules: RuleSet, plane: tuple[int, int], at: Vector) -> str:
    """Say what is kept fixed."""
    kept = [
        f"{feature.name} = {feature.say(value)}"
        for k, (feature, value) in enumerate(zip(rules.features, at.tolist(), strict=True))
        if k not in plane
    ]
    return f"where {', '.join(kept)}" if kept else ""
