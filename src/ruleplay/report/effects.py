"""Draw what each factor of the recipe does: changes with their intervals, problem by problem."""

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ruleplay.experiments.beyond import RECIPE, REMOVAL_TASKS, TASKS
from ruleplay.report.ablation_tables import METRICS, Effects, effects_on
from ruleplay.report.analysis import Analysis
from ruleplay.report.curves import BLUE, VERMILION
from ruleplay.report.figures import INK, MANY_RUNS

COLOURS = {"otm": BLUE, "greedy": VERMILION}
OFFSET = {"otm": -0.17, "greedy": 0.17}  # of a row


def draw_effects(analysis: Analysis) -> Figure | None:
    """Draw a row for each factor and a panel for each problem; None if there are none."""
    effects = {name: effects_on(analysis, name) for name in REMOVAL_TASKS}
    effects = {name: found for name, found in effects.items() if found}
    variants = list(dict.fromkeys(variant for found in effects.values() for variant, _ in found))
    if not variants:
        return None
    with rc_context(MANY_RUNS):
        figure = Figure(figsize=(11, 0.27 * len(variants) + 1.6), layout="constrained")
        panels = figure.subplots(1, len(effects), sharey=True, squeeze=False)[0]
        for axes, (name, found) in zip(panels, effects.items(), strict=True):
            _draw_problem(axes, TASKS[name].title, found, variants)
        labels = [variant.removeprefix(RECIPE).strip() for variant in variants]
        panels[0].set_yticks(range(len(variants)), labels)
        panels[0].invert_yaxis()
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=len(names))
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once for all formats
    return figure


def _draw_problem(axes: Axes, title: str, effects: Effects, variants: list[str]) -> None:
    """Draw the intervals of one problem; what is clear has a filled mark."""
    axes.axvline(0.0, color=INK, linewidth=0.8)
    for metric, name in METRICS.items():
        label, colour = f"{name}, change", COLOURS[metric]
        for row, variant in enumerate(variants):
            effect = effects.get((variant, metric))
            if effect is None:
                continue
            place = row + OFFSET[metric]
            axes.plot(effect.comparison.interval, (place, place), color=colour, linewidth=1.2)
            axes.plot(
                effect.comparison.difference,
                place,
                marker="o",
                markersize=4,
                linestyle="none",
                color=colour,
                markerfacecolor=colour if effect.is_clear else "white",
                label=label,
            )
            label = "_again"
    axes.set_title(title)
    axes.set_xlabel("change of the return")
