"""Draw mean ranks on a line, with bars over contenders that are not significantly apart."""

from typing import NamedTuple

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ruleplay.benchmarks.real_data.analysis import Standing
from ruleplay.benchmarks.roster import Roster
from ruleplay.report.curves import BLUE, STYLE
from ruleplay.report.figures import INK
from ruleplay.rules.drawing.pictures import LITERAL

LINE = 1.0  # height of a name's line
BAR = 0.45  # distance of bars
WIDTH, INCHES_PER_LINE = 8.0, 0.21


class Label(NamedTuple):
    """What stands beside the line of a contender, at which side."""

    title: str
    is_left: bool
    colour: str


def draw_ranks(standing: Standing, figure_name: str, roster: Roster) -> Figure:
    """Draw contenders at their mean ranks, the best at the left (Demsar 2006)."""
    names = list(standing.ranks.index)
    half = (len(names) + 1) // 2
    groups = standing.groups
    depth = BAR * (len(groups) + 1)
    with rc_context(STYLE):
        height = INCHES_PER_LINE * (half * LINE + depth + 3.5)
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.subplots()
        _draw_scale(axes, len(names), standing)
        for place, group in enumerate(groups):
            ranks = standing.ranks[list(group)]
            level = -BAR * (place + 1)
            ends = ranks.min() - 0.05, ranks.max() + 0.05
            axes.plot(ends, (level, level), color=INK, linewidth=2.5, solid_capstyle="butt")
        for place, name in enumerate(names):
            is_left = place < half
            row = place if is_left else len(names) - 1 - place
            label = Label(roster.title(name), is_left, BLUE if name in roster.own else INK)
            _draw_name(axes, label, standing.ranks[name], -depth - LINE * row, len(names))
        axes.set_ylim(-depth - LINE * half, 2.6)
        axes.set_title(
            f"Mean rank by {figure_name}, {standing.sets} sets", loc="left", fontsize="medium"
        )
    return figure


def _draw_scale(axes: Axes, count: int, standing: Standing) -> None:
    """Draw the line of ranks, and how far apart ranks must be."""
    axes.set_axis_off()
    margin = 0.55 * count
    axes.set_xlim(1 - margin, count + margin)
    axes.plot((1, count), (0, 0), color=INK, linewidth=1)
    for rank in range(1, count + 1):
        axes.plot((rank, rank), (0, 0.25), color=INK, linewidth=1)
        axes.text(rank, 0.4, str(rank), ha="center", va="bottom", fontsize="small")
    apart = standing.critical_difference
    axes.plot((1, 1 + apart), (1.7, 1.7), color=INK, linewidth=1, marker="|")
    axes.text(
        1 + apart,
        1.7,
        f"  critical difference {apart:.2f}",
        ha="left",
        va="center",
        fontsize="small",
    )


def _draw_name(axes: Axes, label: Label, rank: float, level: float, count: int) -> None:
    """Lead a line from a rank down to the contender's name at the side."""
    is_left, colour = label.is_left, label.colour
    end = 0.8 if is_left else count + 0.2
    axes.plot((rank, rank, end), (0, level, level), color=colour, linewidth=0.9)
    text = f"{label.title}  {rank:.2f}" if is_left else f"{rank:.2f}  {label.title}"
    axes.text(
        end + (-0.1 if is_left else 0.1),
        level,
        text,
        ha="right" if is_left else "left",
        va="center",
        fontsize="small",
        color=colour,
        **LITERAL,
    )
