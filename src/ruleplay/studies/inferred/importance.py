"""What each choice matters: alone, and among the best readings of each of its values."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib import rc_context
from matplotlib.figure import Figure

from ruleplay.report.curves import BLUE, GREY, VERMILION
from ruleplay.report.figures import INK, MANY_RUNS
from ruleplay.studies.inferred.space import Choice, Reading, Space

STAGE = 1  # that all readings of the sweep reach, on all problems with the same seeds


class Weight(NamedTuple):
    """One value of a choice: what distance it has alone, and with the best of the others."""

    choice: Choice
    value: str
    printed: bool
    alone: float | None  # change of the distance of the presets' reading
    together: float | None  # smallest distance of a joint reading with it, above that of all
    tried: int


def weigh(space: Space, readings: Sequence[dict[str, Any]]) -> list[Weight]:
    """Return what is known about each value of the choices that decide runs.

    Only readings that were tried on most problems are compared.
    """
    most = max((len(line["on"]) for line in readings), default=0)
    compared = [line for line in readings if len(line["on"]) == most]
    reached = [line for line in compared if len(line["distances"]) > STAGE]
    known = [(space.complete(line["reading"]), line["distances"][STAGE]) for line in reached]
    if not known:
        return []
    smallest = min(found for _, found in known)
    alone = _alone(space, known)
    weights = []
    for choice in space.of_runs():
        for value in choice.values:
            found = [one for one in known if one[0][choice.name] == value.name]
            joint = [d for reading, d in found if _changes(space, reading) > 1]
            together = min(joint) - smallest if joint else None
            single = alone.get((choice.name, value.name))
            weights.append(Weight(choice, value.name, value.printed, single, together, len(found)))
    return weights


def _changes(space: Space, reading: Reading) -> int:
    """Count the choices about runs in which a reading differs from the presets."""
    return sum(reading[choice.name] != choice.names[0] for choice in space.of_runs())


def _alone(space: Space, known: list[tuple[dict[str, str], float]]) -> dict[tuple[str, str], float]:
    """Return the change that each value makes on its own."""
    names = [choice.name for choice in space.of_runs()]
    base = [d for reading, d in known if all(reading[n] == space.base[n] for n in names)]
    changes: dict[tuple[str, str], float] = {}
    for reading, found in known if base else ():
        differing = [name for name in names if reading[name] != space.base[name]]
        if len(differing) == 1:
            changes.setdefault((differing[0], reading[differing[0]]), found - base[0])
    own = {(choice.name, choice.names[0]): 0.0 for choice in space.of_runs()} if base else {}
    return changes | own


def draw_importance(weights: Sequence[Weight]) -> Figure:
    """Draw a row for each value: its change alone, and the price of keeping it."""
    with rc_context(MANY_RUNS):
        figure = Figure(figsize=(12, 0.21 * len(weights) + 1.2), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        for row, weight in enumerate(weights):
            colour = VERMILION if weight.printed else BLUE
            for axes, value in ((left, weight.alone), (right, weight.together)):
                if value is not None:
                    axes.plot((0.0, value), (row, row), color=GREY, linewidth=1.0)
                    axes.plot([value], [row], "o", color=colour, markersize=4)
        left.axvline(0.0, color=INK, linewidth=0.8)
        right.axvline(0.0, color=INK, linewidth=0.8)
        left.set_title("changed alone")
        left.set_xlabel("change of the distance")
        right.set_title("with the best of the others")
        right.set_xlabel("distance above the best")
        labels = [f"{weight.choice.title}: {weight.value}" for weight in weights]
        left.set_yticks(range(len(weights)), labels, fontsize=7)
        left.set_ylim(len(weights) - 0.5, -0.5)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once for all formats
    return figure
