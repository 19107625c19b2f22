"""Draw how far a classifier's probabilities can be trusted."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError
from ruleplay.rules.drawing.colours import PALETTE
from ruleplay.rules.drawing.pictures import check_picture_path, save_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Vector = NDArray[np.float64]


class Reliability(NamedTuple):
    """How often answers are right, by how probable they are; NaN where a bin has none."""

    probability: Vector  # mean of each bin
    right: Vector  # share of each bin
    counts: NDArray[np.int64]  # answers in each bin

    @property
    def calibration_error(self) -> float:
        """Return the mean distance of probabilities from shares of right answers (ECE)."""
        distances = np.nan_to_num(abs(self.right - self.probability))
        return float(distances @ self.counts / self.counts.sum())


def measure_reliability(probability: Vector, right: NDArray[np.bool_], bins: int) -> Reliability:
    """Sort answers into bins of equal width by how probable they are.

    >>> found = measure_reliability(np.array([0.55, 0.95, 1.0]), np.array([True, True, False]), 2)
    >>> found.counts, round(found.calibration_error, 3)
    (array([0, 3]), 0.167)
    """
    places = np.minimum((probability * bins).astype(np.int64), bins - 1)
    count = np.bincount(places, minlength=bins)
    sums = (np.bincount(places, values, bins) for values in (probability, right))
    with np.errstate(invalid="ignore"):
        means = [total / count for total in sums]
    return Reliability(means[0], means[1], count)


def draw_reliability(
    model: Any, X: ArrayLike, y: ArrayLike, *, bins: int = 10, path: str | Path | None = None
) -> "Figure":
    """Draw how far probabilities can be trusted, and save the picture if a path is given.

    Left: how often answers are right that are as probable; what can be trusted lies on the
    diagonal. Right: how often answers are right if only the most probable ones are given.

    Args:
        model: Any classifier with `predict_proba` and `classes_`.
        X: Rows that it has not learned from.
        y: Their classes.
        bins: Into how many bins of equal width answers are sorted.
        path: Where to save: .svg, .png or .pdf.
    """
    from matplotlib.figure import Figure

    if path is not None:
        check_picture_path("a drawing's file name", Path(path))
    n_bins = checked_integer("bins", bins, 2, 1000)
    shares, labels = np.asarray(model.predict_proba(X)), np.asarray(y)
    if labels.shape != shares.shape[:1] or not len(labels):
        raise ConfigError(f"y must have one class for each of {len(shares)} rows")
    right = model.classes_[shares.argmax(axis=1)] == labels
    probability = shares.max(axis=1)
    figure = Figure(figsize=(9.5, 4.4), layout="constrained")
    left, other = figure.subplots(1, 2)
    _draw_bins(left, measure_reliability(probability, right, n_bins))
    _draw_coverage(other, probability, right)
    if path is not None:
        save_picture(figure, Path(path), dpi=130)
    return figure


def _draw_bins(axes: "Axes", found: Reliability) -> None:
    """Draw the share of right answers of each bin, and how many answers it has."""
    n_bins, used = len(found.counts), found.counts > 0
    middles = (np.arange(n_bins) + 0.5) / n_bins
    shares = found.counts / found.counts.sum()
    axes.bar(middles, shares, 0.9 / n_bins, color="#cccccc", label="share of the answers")
    axes.plot([0.0, 1.0], [0.0, 1.0], color="#444444", linestyle=":", label="as probable as right")
    points = found.probability[used], found.right[used]
    axes.plot(*points, color=PALETTE[0], marker="o", label="right answers")
    axes.set(xlim=(0.0, 1.02), ylim=(0.0, 1.02))
    axes.set_xlabel("probability of the answer")
    axes.set_ylabel("share")
    axes.set_title(f"calibration error {found.calibration_error:.3f}")
    axes.legend(loc="upper left", frameon=False)
    _tidy(axes)


def _draw_coverage(axes: "Axes", probability: Vector, right: NDArray[np.bool_]) -> None:
    """Draw the share of right answers among the most probable ones, however many are given."""
    order = np.argsort(-probability, kind="stable")
    given = np.arange(1, len(order) + 1)
    whole = np.append(probability[order][1:] < probability[order][:-1], True)  # not within equals
    accuracy = np.cumsum(right[order]) / given
    axes.plot((given / len(order))[whole], accuracy[whole], color=PALETTE[0])
    axes.set(xlim=(0.0, 1.02))
    axes.set_xlabel("share of the rows that are answered, the surest first")
    axes.set_ylabel("share of right answers")
    axes.set_title(f"all rows: {accuracy[-1]:.3f} right")
    _tidy(axes)


def _tidy(axes: "Axes") -> None:
    axes.grid(alpha=0.3)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
