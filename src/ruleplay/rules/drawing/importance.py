"""Draw how much each feature matters."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine.inputs import as_floats, checked_integer
from ruleplay.errors import ConfigError
from ruleplay.output.harmless import visible
from ruleplay.rules.drawing.colours import PALETTE
from ruleplay.rules.drawing.pictures import LITERAL, check_picture_path, save_picture
from ruleplay.rules.features import Readable
from ruleplay.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Vector = NDArray[np.float64]

LONGEST_NAME = 40  # characters


def draw_importance(
    source: Readable | RuleSet,
    values: ArrayLike | None = None,
    *,
    spread: ArrayLike | None = None,
    path: str | Path | None = None,
    top: int = 20,
) -> "Figure":
    """Draw how much each feature matters, and save the picture if a path is given.

    Args:
        source: An engine or a `RuleSet`.
        values: The importance of each feature, such as the `importances_mean` of scikit-learn's
            `permutation_importance`; default: `RuleSet.importance`.
        spread: How far each value may be off, drawn as a line.
        path: Where to save: .svg, .png or .pdf.
        top: Most features to draw, the most important ones.
    """
    from matplotlib.figure import Figure

    if path is not None:
        check_picture_path("a drawing's file name", Path(path))
    rules = RuleSet.of(source)
    sizes = rules.importance() if values is None else _checked("values", values, rules)
    errors = None if spread is None else _checked("spread", spread, rules)
    order = np.argsort(-sizes, kind="stable")[: checked_integer("top", top, 1)]
    names = [_short(visible(rules.feature_names[k])) for k in order]
    figure = Figure(figsize=(7.0, 1.2 + 0.32 * len(order)), layout="constrained")
    axes = figure.subplots()
    axes.barh(
        range(len(order)),
        sizes[order],
        xerr=None if errors is None else errors[order],
        color=PALETTE[0],
        ecolor="#444444",
        height=0.7,
    )
    axes.set_yticks(range(len(order)), names, **LITERAL)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("share of what rules demand" if values is None else "importance of a feature")
    if len(order) < len(sizes):
        axes.set_title(f"the {len(order)} most important of {len(sizes)} features")
    if path is not None:
        save_picture(figure, Path(path), dpi=130)
    return figure


def _checked(name: str, values: ArrayLike, rules: RuleSet) -> Vector:
    """Return a number for each feature, or refuse them."""
    numbers = as_floats(name, values)
    if numbers.shape != rules.low.shape or not np.isfinite(numbers).all():
        raise ConfigError(f"{name} must be {len(rules.low)} finite numbers, one for each feature")
    return numbers


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
