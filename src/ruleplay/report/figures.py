"""Draw learning curves of many runs: mean lines with bands of one standard deviation."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from ruleplay.experiments.metrics import CurveBand
from ruleplay.report.curves import BLUE, GREEN, GREY, STYLE, VERMILION
from ruleplay.rules.drawing.pictures import LITERAL, add_legend

INK = "#1c1c1c"  # text and axes
PURPLE, ORANGE, SKY = "#CC79A7", "#E69F00", "#56B4E9"

MANY_RUNS: Any = {
    **STYLE,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": "medium",
    "font.size": 9,
    "grid.color": INK,
    "grid.alpha": 0.12,
    "lines.linewidth": 1.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


class Look(NamedTuple):
    """How an agent's curve is drawn: apart by colour, and by line without colour."""

    colour: str
    line: str | tuple[int, tuple[float, ...]]
    dark: str  # the colour on a dark page


DASHED, DOTTED = (0, (5.0, 1.5)), (0, (1.0, 1.0))
DASHED_AND_DOTTED = (0, (3.0, 1.0, 1.0, 1.0))

LOOKS = {
    "xcs": Look(BLUE, "-", "#56a8e8"),
    "xcs-er": Look(VERMILION, "-", "#ff8a4c"),
    "xcs-er-8": Look(PURPLE, DASHED, PURPLE),
    "recipe": Look(PURPLE, "-", PURPLE),
    "dqn": Look(GREEN, DASHED_AND_DOTTED, "#3ccf9f"),
    "dqn-tuned": Look(ORANGE, DOTTED, ORANGE),
    "other": Look(SKY, DOTTED, SKY),
}


class Legend(NamedTuple):
    """How curves are drawn and called, by the names of their bands."""

    looks: Mapping[str, Look]
    keys: Mapping[str, str]  # of the looks, by name; "other" for names that have none
    write: Callable[[str], str]

    def key(self, name: str) -> str:
        """Return the key of a curve's look."""
        return self.keys.get(name, "other")

    def look(self, name: str) -> Look:
        """Return how a curve is drawn."""
        return self.looks[self.key(name)]


AGENTS = Legend(LOOKS, {name: name for name in LOOKS}, str.upper)

_COLOURS = (
    (BLUE, "#56a8e8"),
    (VERMILION, "#ff8a4c"),
    (GREEN, "#3ccf9f"),
    (PURPLE, "#e39cc4"),
    (ORANGE, "#f0b95b"),
    (SKY, "#8fd0ff"),
    (GREY, "#b8bfca"),
)
_LINES = ("-", DASHED, DASHED_AND_DOTTED, DOTTED)


def legend_of(names: Iterable[str]) -> Legend:
    """Return looks for any names, no two of the first 28 alike.

    >>> legend_of(["batch 4", "batch 8"]).key("batch 8")
    'cell-1'
    """
    looks, keys = {}, {}
    for place, name in enumerate(names):
        colour, dark = _COLOURS[place % len(_COLOURS)]
        keys[name] = f"cell-{place}"
        looks[f"cell-{place}"] = Look(colour, _LINES[place % len(_LINES)], dark)
    return Legend(looks, keys, str)


class Panel(NamedTuple):
    """One measure over learning steps."""

    measure: str
    title: str


REWARD = Panel("reward", "Reward")
SYSTEM_ERROR = Panel("system_error", "System error")
RETURN = Panel("trailing_return", "Return, mean of the last 100 episodes")
GREEDY = Panel("greedy", "Return of greedy episodes")
RULES = Panel("macroclassifiers", "Population size (macroclassifiers)")
GENERALITY = Panel("generality_volume", "Generality (mean volume)")

SINGLE_STEP = (REWARD, SYSTEM_ERROR, RULES, GENERALITY)
MULTI_STEP = (RETURN, GREEDY, SYSTEM_ERROR, RULES, GENERALITY)

Bands = Mapping[str, CurveBand]  # by agent


def panels_of(bands: Bands, *, single_step: bool) -> list[Panel]:
    """List the panels for which any agent has a curve."""
    panels = SINGLE_STEP if single_step else MULTI_STEP
    return [panel for panel in panels if any(_has(band, panel) for band in bands.values())]


def draw_problem(title: str, bands: Bands, *, single_step: bool, legend: Legend = AGENTS) -> Figure:
    """Draw all measures of one problem in a grid of two columns."""
    panels = panels_of(bands, single_step=single_step)
    return draw_grid([(title, panel, bands) for panel in panels], legend)


def draw_grid(items: Sequence[tuple[str, Panel, Bands]], legend: Legend = AGENTS) -> Figure:
    """Draw panels, each with a title and bands of its own, two in a row."""
    rows = max(1, (len(items) + 1) // 2)
    with rc_context(MANY_RUNS):
        figure = Figure(figsize=(9, 2.8 * rows + 0.3), layout="constrained")
        axes = figure.subplots(rows, 2, squeeze=False).ravel()
        for ax, (title, panel, bands) in zip(axes, items, strict=False):
            draw_panel(ax, panel, bands, legend)
            ax.set_title(f"{title}: {panel.title}", **LITERAL)
        for ax in axes[len(items) :]:
            ax.set_axis_off()
        lines = {line.get_label(): line for ax in axes for line in ax.get_lines()}
        if lines:
            add_legend(figure, list(lines.values()), list(map(str, lines)))
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once for all formats
    return figure


def draw_panel(axes: Axes, panel: Panel, bands: Bands, legend: Legend = AGENTS) -> None:
    """Draw one measure of all agents that have it."""
    shown = {agent: band for agent, band in bands.items() if _has(band, panel)}
    for agent, band in shown.items():
        look, label = legend.look(agent), legend.write(agent)
        mean, sd = band.mean[panel.measure], np.nan_to_num(band.sd[panel.measure])
        axes.plot(band.step, mean, color=look.colour, linestyle=look.line, label=label)
        axes.fill_between(
            band.step, mean - sd, mean + sd, color=look.colour, alpha=0.18, linewidth=0
        )
    axes.set_xlabel("learning steps")
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlim(0, max((float(band.step[-1]) for band in shown.values()), default=1.0))
    means = [band.mean[panel.measure] for band in shown.values()]
    if blown_up(means):
        axes.set_yscale("log")
    else:
        axes.set_ylim(*_limits(means, axes.get_ylim()))


def blown_up(means: Sequence[Any]) -> bool:
    """Say whether curves range so far that only a logarithmic axis shows them."""
    values = np.concatenate([*means, np.zeros(0)])
    values = values[np.isfinite(values) & (values > 0)]
    return bool(len(values)) and bool(values.max() > 1000 * np.median(values))


def _has(band: CurveBand, panel: Panel) -> bool:
    values = band.mean.get(panel.measure)
    return values is not None and bool(np.isfinite(values).any())


def _limits(means: Sequence[Any], drawn: tuple[float, float]) -> tuple[float, float]:
    """Begin at zero what is never negative and comes near it."""
    low, high = drawn
    if means and min(np.nanmin(mean) for mean in means) >= 0 and low < 0.3 * high:
        return 0.0, high
    return drawn
