"""Run what a reading means, as far as it has not been run, and take its distance."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ruleplay.experiments.executors import Executor
from ruleplay.experiments.spec import RunSpec
from ruleplay.experiments.trial import Failure, Outcome, Task
from ruleplay.studies.inferred.distance import Gap, Row, Rows, best_measurement, distance, gaps
from ruleplay.studies.inferred.figures import UNKNOWN, Figures, figures_of, mean_of
from ruleplay.studies.inferred.space import AGENTS, CHECKED, Reading, Space
from ruleplay.studies.inferred.store import InferredStore


@dataclass(frozen=True)
class Evaluation:
    """What the runs of a reading say, measured in the way that suits them best."""

    reading: Reading
    rows: Rows
    seeds: int
    distance: float

    @property
    def gaps(self) -> list[Gap]:
        """Return all cells."""
        return gaps(self.rows, self.reading)

    def by_problem(self) -> dict[str, float]:
        """Return the distance on each problem."""
        problems = dict.fromkeys(problem for problem, _ in self.rows)
        cells = self.gaps
        return {p: distance(gap for gap in cells if gap.problem == p) for p in problems}


class Evaluator:
    """Evaluates readings on a space, with runs from a store or an executor."""

    def __init__(self, space: Space, store: InferredStore, executor: Executor) -> None:
        self.space, self.store, self.executor = space, store, executor

    def evaluate(
        self, reading: Reading, problems: Sequence[str], seeds: Sequence[int]
    ) -> Evaluation:
        """Return the distance of a reading on some problems, over some seeds."""
        runs = self.runs_of(reading, problems, seeds)
        rows = {row: mean_of(figures) for row, figures in runs.items()}
        found, best = best_measurement(self.space, rows, reading)
        return Evaluation(best, rows, len(seeds), found)

    def runs_of(
        self, reading: Reading, problems: Sequence[str], seeds: Sequence[int]
    ) -> dict[Row, list[Figures]]:
        """Return the figures of all runs of a reading, row by row and seed by seed."""
        rows = [Row(problem, agent) for problem in problems for agent in agents_on(problem)]
        specs = {row: self.space.specify(reading, *row) for row in rows}
        self._complete(specs.items(), seeds)
        runs = self.store.runs
        return {row: [runs[spec.digest(), seed] for seed in seeds] for row, spec in specs.items()}

    def _complete(self, specs: Iterable[tuple[Row, RunSpec]], seeds: Sequence[int]) -> None:
        """Do the runs that the store lacks."""
        missing, rows = [], {}
        for row, spec in specs:
            for seed in seeds:
                key = spec.digest(), seed
                if key not in self.store.runs and key not in rows:
                    rows[key] = row
                    missing.append(Task(spec, seed))
        for outcome in self.executor.outcomes(missing):
            row = rows[outcome.digest, outcome.seed]
            labels = _labels(outcome, row)
            self.store.add_run(outcome.digest, outcome.seed, _figures(outcome), **labels)


def agents_on(problem: str) -> tuple[str, ...]:
    """List the agents that the paper has on a problem, but for DQN."""
    return CHECKED.get(problem, AGENTS)


def _figures(outcome: Outcome) -> Figures:
    return dict(UNKNOWN) if isinstance(outcome, Failure) else figures_of(outcome)


def _labels(outcome: Outcome, row: Row) -> dict[str, Any]:
    labels = {"problem": row.problem, "agent": row.agent, "seconds": round(outcome.seconds, 3)}
    return labels | ({"error": outcome.error} if isinstance(outcome, Failure) else {})
