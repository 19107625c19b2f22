"""Leave one problem out: does the reading that fits the others fit it too?"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ruleplay.studies.inferred.distance import best_measurement, distance, gaps
from ruleplay.studies.inferred.evaluation import Evaluation
from ruleplay.studies.inferred.space import Reading, Space


class LeftOut(NamedTuple):
    """A problem that took no part in the choice of a reading."""

    problem: str
    reading: Reading  # chosen by the other problems
    distance: float  # of that reading, on the problem
    presets: float  # of the presets' reading, on the problem
    smallest: float  # of any reading, on the problem


def leave_one_out(
    space: Space, evaluations: Sequence[Evaluation], presets: Evaluation
) -> list[LeftOut]:
    """Choose a reading without each problem in turn, and look how far it is off there.

    Ways to measure are chosen anew each time, by the other problems as well.
    """
    problems = dict.fromkeys(problem for problem, _ in presets.rows)
    if len(problems) < 2:
        return []
    return [_leave_out(space, evaluations, presets, problem) for problem in problems]


def _leave_out(
    space: Space, evaluations: Sequence[Evaluation], presets: Evaluation, problem: str
) -> LeftOut:
    fits = [_fit_without(space, one, problem) for one in (presets, *evaluations)]
    best = min(fits, key=lambda fit: fit["others"])
    return LeftOut(
        problem=problem,
        reading=best["reading"],
        distance=best["on"],
        presets=fits[0]["on"],
        smallest=min(fit["on"] for fit in fits),
    )


def _fit_without(space: Space, evaluation: Evaluation, problem: str) -> dict[str, Any]:
    """Measure a reading as suits all problems but one; return its distance there and on that."""
    others = {row: figures for row, figures in evaluation.rows.items() if row[0] != problem}
    alone = {row: figures for row, figures in evaluation.rows.items() if row[0] == problem}
    found, reading = best_measurement(space, others, evaluation.reading)
    on = distance(gaps(alone, reading))
    return {"others": found, "reading": reading, "on": on}
