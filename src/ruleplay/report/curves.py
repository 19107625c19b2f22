"""Draw the learning curve of one run."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from ruleplay.engine.run_record import trailing_mean
from ruleplay.experiments.metrics import RunCurve
from ruleplay.output.harmless import visible
from ruleplay.rules.drawing.pictures import LITERAL, check_picture_path, save_picture

# Colours that remain apart for colour-blind eyes (Okabe and Ito).
BLUE, VERMILION, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#666666"

STYLE: Any = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "svg.fonttype": "none",
}


def draw_learning_curve(
    course: RunCurve, title: str, diverged_below: float | None = None
) -> Figure:
    """Draw performance over learning steps and, below it, the size of the population.

    Performance is reward and system error in single-step problems, and the return of
    episodes in multi-step ones, which have a threshold: `diverged_below`, a mean return
    below which the run counts as diverged.
    """
    has_rules = bool(np.isfinite(course.curve["macroclassifiers"]).any())
    with rc_context(STYLE):
        figure = Figure(figsize=(7, 5), layout="constrained")
        heights = (2, 1) if has_rules else (1,)
        panels = figure.subplots(
            len(heights), 1, sharex=True, height_ratios=heights, squeeze=False
        )[:, 0]
        if diverged_below is None:
            _draw_rewards(panels[0], course)
        else:
            _draw_returns(panels[0], course, diverged_below)
        if has_rules:
            _draw_population(panels[1], course)
        for panel in panels:
            _put_legend_above(panel)
        figure.suptitle(visible(title), x=0.01, ha="left", fontsize="medium", **LITERAL)
        panels[-1].set_xlabel("learning steps")
        panels[-1].xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        panels[-1].set_xlim(0, float(course.curve["step"][-1]))
    return figure


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure in the format of the suffix, whole or not at all."""
    check_picture_path("a plot's file name", path)
    save_picture(figure, path, dpi=150, style=STYLE)


def _put_legend_above(axes: Axes) -> None:
    """Put the legend, if there is anything to explain, where it covers no curve."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(
            handles,
            labels,
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            borderpad=0.0,
            ncols=len(labels),
            fontsize="small",
        )


def _draw_rewards(axes: Axes, course: RunCurve) -> None:
    curve = course.curve
    axes.plot(curve["step"], curve["reward"], color=BLUE, label="reward")
    axes.plot(curve["step"], curve["system_error"], color=VERMILION, label="system error")
    axes.set_ylim(bottom=0)
    axes.set_ylabel("mean per recorded step")


def _draw_returns(axes: Axes, course: RunCurve, diverged_below: float) -> None:
    axes.set_ylabel("return of an episode")
    if len(course.episode_returns) == 0:
        axes.text(0.5, 0.5, "no episode was finished", transform=axes.transAxes, ha="center")
        return
    ends = course.episode_lengths.cumsum()
    returns = course.episode_returns
    axes.plot(ends, returns, ".", color=BLUE, alpha=0.25, markersize=3, label="one episode")
    axes.plot(ends, trailing_mean(returns), color=BLUE, label="mean of the last 100 episodes")
    axes.axhline(diverged_below, color=GREY, linestyle="--", label="threshold of divergence")


def _draw_population(axes: Axes, course: RunCurve) -> None:
    curve = course.curve
    axes.plot(curve["step"], curve["microclassifiers"], color=GREY, label="with numerosity")
    axes.plot(curve["step"], curve["macroclassifiers"], color=GREEN, label="distinct")
    axes.set_ylim(bottom=0)
    axes.set_ylabel("rules")
