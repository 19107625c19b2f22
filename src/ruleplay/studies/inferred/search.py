"""Search for the reading that explains the paper's cells best: one change at a time, then jointly.

A reading is tried in stages, cheap problems and few seeds first. One that is not among the best
third of all readings that reached a stage goes no further. Everything found is in the store, and
what is tried next follows from it and the seed: a search that was stopped goes on.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleplay.errors import RuleplayError
from ruleplay.studies.inferred.effects import Belief, fit_rows
from ruleplay.studies.inferred.evaluation import Evaluation, Evaluator
from ruleplay.studies.inferred.space import FITTED, Reading, Space

if TYPE_CHECKING:
    import optuna

# Neither the paper's seeds (0 to 29) nor those of the verdict.
SEARCH_SEEDS = tuple(range(2000, 2008))
CHEAP = ("rmp6", "chain16", "chain16-t", "mountaincar")
KEPT_SHARE = 1 / 3
FIRST_READINGS = 2  # so many go on before shares mean anything
STARTUP = 20  # random readings before the sampler learns from them
SAMPLED_EVERY = 5  # one reading in so many is the sampler's
STARTS = 5  # best readings, near one of which the model of effects looks
PATIENCE = 200  # known readings in a row after which nothing new is expected


@dataclass(frozen=True)
class Stage:
    """How much of a reading's runs is looked at."""

    problems: tuple[str, ...]
    seeds: tuple[int, ...]


def make_stages(problems: Sequence[str] = FITTED) -> tuple[Stage, ...]:
    """Return the stages of a search: cheap problems, all with two seeds, four, eight."""
    wanted = tuple(problems)
    cheap = tuple(name for name in wanted if name in CHEAP) or wanted
    return (Stage(cheap, SEARCH_SEEDS[:2]), *(Stage(wanted, SEARCH_SEEDS[:n]) for n in (2, 4, 8)))


class Search:
    """A search over a space; `tell` hears of each reading that was tried."""

    def __init__(
        self,
        evaluator: Evaluator,
        stages: Sequence[Stage],
        tell: Callable[[dict[str, Any]], None] = lambda line: None,
    ) -> None:
        self.evaluator, self.stages, self.tell = evaluator, tuple(stages), tell
        self.space, self.store = evaluator.space, evaluator.store

    def known(self, reading: Reading) -> dict[str, Any] | None:
        """Return what was found about a reading's runs, if it was tried."""
        wanted = self._run_part(reading)
        for line in self.comparable():
            if self._run_part(self.space.complete(line["reading"])) == wanted:
                return line
        return None

    def comparable(self) -> list[dict[str, Any]]:
        """List the readings that were tried on the same problems."""
        problems = sorted(self.stages[-1].problems)
        return [line for line in self.store.readings if sorted(line["on"]) == problems]

    def _run_part(self, reading: Reading) -> Reading:
        return {choice.name: reading[choice.name] for choice in self.space.of_runs()}

    def try_reading(
        self, reading: Reading, phase: str, first: int = 1, last: int | None = None
    ) -> dict[str, Any]:
        """Evaluate a reading as far as it deserves; keep and return what was found.

        It goes through `first` stages at least, and through no more than `last`.
        """
        begin = time.process_time()
        distances: list[float] = []
        for number, stage in enumerate(self.stages[:last]):
            if number >= first and not self._deserves(distances[-1], number - 1):
                break
            evaluation = self.evaluator.evaluate(reading, stage.problems, stage.seeds)
            distances.append(evaluation.distance)
        line = self._line(evaluation, phase, distances)
        line["cpu"] = round(time.process_time() - begin, 2)
        self.store.add_reading(line)
        self.tell(line)
        return line

    def _line(
        self, evaluation: Evaluation, phase: str, distances: Sequence[float]
    ) -> dict[str, Any]:
        cells = evaluation.gaps
        return {
            "phase": phase,
            "reading": self.space.differences(evaluation.reading),
            "on": list(self.stages[-1].problems),
            "distances": [round(value, 5) for value in distances],
            "seeds": evaluation.seeds,
            "problems": {p: round(value, 4) for p, value in evaluation.by_problem().items()},
            "matched": sum(cell.matched for cell in cells),
            "cells": len(cells),
        }

    def _deserves(self, value: float, stage: int) -> bool:
        """Tell whether a distance is among the best third of those that reached a stage."""
        reached = [line["distances"] for line in self.comparable()]
        others = sorted(float(found[stage]) for found in reached if len(found) > stage)
        if len(others) < FIRST_READINGS:
            return True
        return value <= others[max(0, round(KEPT_SHARE * len(others)) - 1)]

    # --- one at a time, then together -------------------------------------------------------

    def sweep(self, is_over: Callable[[], bool]) -> None:
        """Try the presets' reading and each that differs in one choice, with two seeds.

        Only the presets' reading goes through all stages: what others do is compared with two.
        """
        for reading in one_change_each(self.space):
            if is_over():
                return
            if self.known(reading) is None:
                stages = len(self.stages) if reading == self.space.base else 2
                self.try_reading(reading, "one change", first=stages, last=stages)

    def try_given(self, readings: Sequence[Reading], is_over: Callable[[], bool]) -> None:
        """Try joint readings that someone has thought of, with two seeds at least."""
        for reading in readings:
            if is_over():
                return
            if self.known(reading) is None:
                self.try_reading(reading, "given", first=min(2, len(self.stages)))

    def search(self, is_over: Callable[[], bool], seed: int = 0) -> None:
        """Try joint readings that the model of effects suggests, and Optuna's sampler in turn."""
        study = self._study(seed)
        distributions = _distributions(self.space)
        repeated = 0
        while not is_over() and repeated < PATIENCE:
            tried = len(self.comparable())
            if tried % SAMPLED_EVERY:
                reading = self.suggest(np.random.default_rng([seed, tried, repeated]))
                if self.known(reading) is None:
                    tried_now = self.try_reading(reading, "effects")
                    study.add_trial(self._trial_of(tried_now, distributions))
                    continue
            trial = study.ask(distributions)
            reading = self.space.complete(trial.params)
            line = self.known(reading)
            repeated = 0 if line is None else repeated + 1
            if line is None:
                line = self.try_reading(reading, "sampler")
            study.tell(trial, *self._outcome(line))

    def suggest(self, rng: np.random.Generator) -> Reading:
        """Return the reading that is best if effects are as drawn, near one of the best known."""
        tried = self.comparable()
        best = [self.space.complete(line["reading"]) for line in finalists(tried)[:STARTS]]
        models = fit_rows(
            self.space,
            self.store,
            self.stages[-1].problems,
            self.stages[-1].seeds,
            [self.space.base, *(self.space.complete(line["reading"]) for line in tried)],
        )
        choices = self.space.of_runs()
        order = [choices[i] for i in rng.permutation(len(choices))]
        start = best[int(rng.integers(len(best)))]
        return Belief(self.space, models, rng).descend(start, order)

    def _study(self, seed: int) -> "optuna.Study":
        """Return a study that knows all comparable readings; its next ideas follow from them."""
        package = _optuna()
        package.logging.set_verbosity(package.logging.WARNING)
        tried = self.comparable()
        sampler = package.samplers.TPESampler(
            seed=seed + len(tried), n_startup_trials=STARTUP, multivariate=True
        )
        study: optuna.Study = package.create_study(
            sampler=sampler, pruner=package.pruners.NopPruner()
        )
        distributions = _distributions(self.space)
        for line in tried:
            study.add_trial(self._trial_of(line, distributions))
        return study

    def _trial_of(self, line: dict[str, Any], distributions: Any) -> Any:
        value, state = self._outcome(line)
        return _optuna().trial.create_trial(
            params=self._run_part(self.space.complete(line["reading"])),
            distributions=distributions,
            intermediate_values=dict(enumerate(line["distances"])),
            value=value,
            state=state,
        )

    def _outcome(self, line: dict[str, Any]) -> tuple[float | None, Any]:
        states = _optuna().trial.TrialState
        if len(line["distances"]) == len(self.stages):
            return line["distances"][-1], states.COMPLETE
        return None, states.PRUNED


def one_change_each(space: Space) -> Iterator[Reading]:
    """Go through the presets' reading and those whose runs differ from it in one choice."""
    yield space.base
    for choice in space.of_runs():
        for name in choice.names[1:]:
            yield space.complete({choice.name: name})


def finalists(readings: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """List the readings that were tried with most seeds on most problems, the best first."""
    if not readings:
        return []
    effort = max((len(line["on"]), line["seeds"]) for line in readings)
    chosen = [line for line in readings if (len(line["on"]), line["seeds"]) == effort]
    return sorted(chosen, key=lambda line: float(line["distances"][-1]))


def _distributions(space: Space) -> dict[str, Any]:
    categorical = _optuna().distributions.CategoricalDistribution
    return {choice.name: categorical(choice.names) for choice in space.of_runs()}


def _optuna() -> Any:
    try:
        import optuna
    except ImportError as error:
        raise RuleplayError(
            "the joint search needs an extra: pip install 'ruleplay[optuna]'"
        ) from error
    return optuna
