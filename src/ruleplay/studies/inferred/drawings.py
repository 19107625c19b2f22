"""Draw the verdict: how far every cell is off, and how many runs fail with and without replay."""

import math
from collections.abc import Mapping, Sequence

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ruleplay.experiments.stats import exact_share
from ruleplay.experiments.study import PAPER
from ruleplay.report.curves import BLUE, GREY, VERMILION
from ruleplay.report.figures import INK, MANY_RUNS
from ruleplay.studies.inferred.distance import FARTHEST, Row, sds_between
from ruleplay.studies.inferred.space import MULTI
from ruleplay.studies.inferred.verdict import PROBLEMS, Judged, JudgedCell
from ruleplay.studies.paper.printed import load_paper
from ruleplay.studies.paper.tables import NAMES
from ruleplay.studies.paper.verdicts import CLOSE_SDS

LINEAR_TO = 4.0  # standard deviations; what lies beyond is drawn by its logarithm
DIVERGED = "diverged"
SIDES = (("xcs", "XCS", BLUE, -0.14), ("xcs-er", "XCS-ER", VERMILION, 0.14))


def draw_cells(presets: Judged, best: Judged) -> Figure:
    """Draw, for each cell, how many printed standard deviations both readings are off."""
    pairs = [
        (before, cell)
        for before, cell in zip(presets.cells, best.cells, strict=True)
        if cell.metric != DIVERGED
    ]
    with rc_context(MANY_RUNS):
        figure = Figure(figsize=(12, 0.15 * (len(pairs) + 2 * len(PROBLEMS)) / 2 + 1.2))
        panels = figure.subplots(1, 2, sharex=True, gridspec_kw={"wspace": 0.62})
        for axes, wanted in zip(panels, (False, True), strict=True):
            _draw_side(axes, [p for p in pairs if (p[1].problem in MULTI) == wanted])
        panels[0].set_title("single-step problems")
        panels[1].set_title("multi-step problems")
        figure.subplots_adjust(left=0.17, right=0.99, top=0.95, bottom=0.06)
    return figure


def _draw_side(axes: Axes, pairs: Sequence[tuple[JudgedCell, JudgedCell]]) -> None:
    labels, places, place, last = [], [], 0.0, ""
    for before, cell in pairs:
        place += 1.8 if last and cell.problem != last else 1.0
        last = cell.problem
        x, y = sorted((_sds(before), _sds(cell)))
        axes.plot((x, y), (place, place), color=GREY, linewidth=0.8)
        axes.plot([_sds(before)], [place], "o", mfc="none", color=GREY, markersize=4)
        colour = BLUE if cell.judgement.verdict == "match" else VERMILION
        axes.plot([_sds(cell)], [place], "o", color=colour, markersize=4)
        labels.append(_label(cell))
        places.append(place)
    axes.axvspan(0.0, CLOSE_SDS, color=BLUE, alpha=0.07)
    axes.set_xscale("symlog", linthresh=LINEAR_TO)
    axes.set_xlim(-0.15, FARTHEST * 1.1)
    axes.set_xticks((0, 1, 2, 3, 4, 10, 50), ["0", "1", "2", "3", "4", "10", "50"])
    axes.set_xlabel("printed standard deviations from the paper's mean")
    axes.set_yticks(places, labels, fontsize=6.5)
    axes.set_ylim(place + 1.0, 0.0)


def _sds(cell: JudgedCell) -> float:
    printed = load_paper().problem(PAPER + cell.problem).row(cell.agent).cells[cell.metric]
    sds = sds_between(cell.ours.mean, printed)
    return FARTHEST if math.isnan(sds) else min(sds, FARTHEST)


def _label(cell: JudgedCell) -> str:
    row = load_paper().problem(PAPER + cell.problem).row(cell.agent)
    metric = "Generality" if cell.metric == "generality" else NAMES[cell.metric]
    return f"{load_paper().problem(PAPER + cell.problem).title} {row.label}: {metric}"


def draw_failures(readings: Mapping[str, Judged]) -> Figure:
    """Draw the share of diverged runs of XCS and XCS-ER: the paper's, and those of readings."""
    with rc_context(MANY_RUNS):
        figure = Figure(figsize=(10, 3.6), layout="constrained")
        panels = figure.subplots(1, len(MULTI), sharey=True)
        for axes, problem in zip(panels, MULTI, strict=True):
            for agent, label, colour, shift in SIDES:
                runs = _diverged(readings, Row(problem, agent))
                for place, (count, n) in enumerate(runs):
                    share = exact_share(count, n)
                    x = place + shift
                    axes.plot((x, x), share.interval, color=colour, linewidth=1.2)
                    name = label if place == 0 else None
                    axes.plot([x], [count / n], "o", color=colour, markersize=4, label=name)
            axes.set_title(load_paper().problem(PAPER + problem).title)
            axes.set_xticks(range(1 + len(readings)), ["paper", *readings], fontsize=8)
            axes.set_xlim(-0.5, len(readings) + 0.5)
        panels[0].set_ylabel("share of diverged runs")
        panels[0].set_ylim(-0.04, 1.04)
        panels[0].axhline(0.0, color=INK, linewidth=0.6)
        panels[0].legend(loc="upper left", fontsize=7)
    return figure


def _diverged(readings: Mapping[str, Judged], row: Row) -> list[tuple[int, int]]:
    printed = load_paper().problem(PAPER + row.problem).row(row.agent).cells[DIVERGED]
    found = [(round(printed.mean.value), load_paper().runs)]
    for judged in readings.values():
        for cell in judged.cells:
            if (cell.problem, cell.agent, cell.metric) == (*row, DIVERGED):
                found.append((round(cell.ours.mean), cell.ours.n))
    return found
