"""Draw what each factor of the recipe does: changes with their intervals, problem by problem."""

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ruleplay.experiments.stats import LEVEL
from ruleplay.report.curves import BLUE, GREY, VERMILION
from ruleplay.report.figures import INK, MANY_RUNS
from ruleplay.studies.beyond.ablation import METRICS, Effects, effects_on, variants_in
from ruleplay.studies.beyond.plan import REMOVAL_TASKS, TASKS, factor_of
from ruleplay.studies.paper.analysis import Analysis

COLOURS = {"otm": BLUE, "greedy": VERMILION}
OFFSET = {"otm": -0.17, "greedy": 0.17}  # of a row


def draw_effects(analysis: Analysis) -> Figure | None:
    """Draw a row for each factor and a panel for each problem; None if there are none."""
    effects = {name: effects_on(analysis, name) for name in REMOVAL_TASKS}
    effects = {name: found for name, found in effects.items() if found}
    variants = variants_in(effects.values())
    if not variants:
        return None
    with rc_context(MANY_RUNS):
        figure = Figure(figsize=(12, 0.26 * len(variants) + 1.4), layout="constrained")
        panels = figure.subplots(1, len(effects), sharey=True, squeeze=False)[0]
        for axes, (name, found) in zip(panels, effects.items(), strict=True):
            _draw_problem(axes, TASKS[name].title, found, variants)
        panels[0].set_yticks(range(len(variants)), map(factor_of, variants))
        panels[0].set_ylim(len(variants) - 0.5, -0.5)
        figure.legend(handles=_legend(), loc="outside lower center", ncols=len(METRICS) + 1)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once for all formats
    return figure


def _draw_problem(axes: Axes, title: str, effects: Effects, variants: list[str]) -> None:
    """Draw the intervals of one problem; what is clear has a filled mark."""
    axes.axvline(0.0, color=INK, linewidth=0.8)
    for row, variant in enumerate(variants):
        for metric, colour in COLOURS.items():
            effect = effects.get((variant, metric))
            if effect is None:
                continue
            place = row + OFFSET[metric]
            axes.plot(effect.comparison.interval, (place, place), color=colour, linewidth=1.2)
            axes.add_line(_mark(colour, effect.is_clear, effect.comparison.difference, place))
    axes.set_title(title)
    axes.set_xlabel("change of the return")


def _mark(colour: str, is_filled: bool, x: float = 0.0, y: float = 0.0, label: str = "") -> Line2D:
    return Line2D(
        [x],
        [y],
        marker="o",
        markersize=4,
        linestyle="none",
        color=colour,
        markerfacecolor=colour if is_filled else "white",
        label=label,
    )


def _legend() -> list[Line2D]:
    """Return marks that say which metric has which colour, and what a filled one means."""
    named = [_mark(COLOURS[metric], True, label=title) for metric, title in METRICS.items()]
    return [*named, _mark(GREY, False, label=f"not filled: Holm's p is {LEVEL:g} or more")]
