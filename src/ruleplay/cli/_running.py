"""Run a specification once in this process, compiling first, and keep what comes out."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ruleplay.cli._run_log import RunLog
from ruleplay.core.compiling import compile_clock
from ruleplay.engine import XCS
from ruleplay.envs import Problem, make_problem
from ruleplay.experiments.live import describe_band
from ruleplay.experiments.metrics import RunCurve, Scalar, band_of, course_of, summarize
from ruleplay.experiments.spec import RunSpec
from ruleplay.experiments.trial import learn, make_engine, rehearse, run_trial
from ruleplay.keeping import Piece
from ruleplay.run_record import RunRecord

FIGURES = (
    "reward",
    "system_error",
    "macroclassifiers",
    "generality_volume",
    "generality_half_width",
    "otm",
    "otm_trailing",
    "diverged",
    "first_reward_step",
)
GREEDY_FIGURES = ("greedy", "greedy_length", "kept_step", "kept_rules", "validation_steps")


class Watcher(Protocol):
    """Whoever wants to know how a run is going."""

    def compiling(self) -> None:
        """Take note that kernels are being compiled."""

    def compiled(self, seconds: float) -> None:
        """Take note that they are ready."""

    def progress(self, done: int, total: int) -> None:
        """Take note of the learning steps done."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FinishedRun:
    """A run, what it has learned and what it took."""

    spec: RunSpec
    seed: int
    problem: Problem
    engine: XCS | None  # None if the agent has no rules
    summary: Mapping[str, Scalar]
    course: RunCurve
    seconds: float  # of running, without compiling
    compile_seconds: float  # 0 if the kernels came from the cache

    def heading(self) -> str:
        """Name the run in one line."""
        return f"{self.spec.preset}, {self.spec.agent}, seed {self.seed}"

    def figures(self) -> dict[str, Any]:
        """Return everything a script may want to know, by name."""
        return {
            "preset": self.spec.preset,
            "agent": self.spec.agent,
            "digest": self.spec.digest(),
            "seed": self.seed,
            "steps": self.spec.steps,
            **{name: self.summary[name] for name in FIGURES},
            **{name: self.summary[name] for name in GREEDY_FIGURES if name in self.summary},
            "seconds": self.seconds,
            "microseconds_per_step": 1e6 * self.seconds / self.spec.steps,
            "compile_seconds": self.compile_seconds,
        }


def run_once(spec: RunSpec, seed: int, watcher: Watcher, log: RunLog | None = None) -> FinishedRun:
    """Run a specification, tell the watcher how it goes, and keep a log of it."""
    run = _run_network if spec.xcs is None else _run_rules
    finished = run(spec, seed, watcher, log)
    if log is not None:
        log.end(finished.summary, describe_band(band_of([finished.course])))
    return finished


def _teller(watcher: Watcher, log: RunLog | None, engine: XCS) -> Piece:
    """Return what tells both how far an engine is."""

    def tell(done: int, total: int, record: Callable[[], RunRecord]) -> None:
        watcher.progress(done, total)
        if log is not None:
            curve = describe_band(band_of([course_of(record())]))
            log.progress(done, engine.macroclassifiers, curve)

    return tell


def _run_rules(spec: RunSpec, seed: int, watcher: Watcher, log: RunLog | None) -> FinishedRun:
    """Run XCS; compiling happens before, on an engine that is thrown away."""
    problem = make_problem(spec.problem_name, **spec.problem_options)
    engine = make_engine(spec, problem, seed)
    engine.about = describe_run(spec, problem)

    def tell_compiling() -> None:
        watcher.compiling()
        if log is not None:
            log.compiling()

    with compile_clock(tell_compiling) as clock:
        rehearse(spec, seed)
    if clock.seconds > 0.0:
        watcher.compiled(clock.seconds)
        if log is not None:
            log.compiled()
    began = time.perf_counter()
    tell = _teller(watcher, log, engine)
    record, kept, figures = learn(spec, engine, tell)
    return FinishedRun(
        spec=spec,
        seed=seed,
        problem=problem,
        engine=kept,
        summary=summarize(record, problem) | figures,
        course=course_of(record),
        seconds=time.perf_counter() - began,
        compile_seconds=clock.seconds,
    )


def _run_network(spec: RunSpec, seed: int, watcher: Watcher, log: RunLog | None) -> FinishedRun:
    """Run a learner without rules; the little there is to compile is part of the run."""

    def tell(done: int, total: int) -> None:
        watcher.progress(done, total)
        if log is not None:
            log.progress(done)

    with compile_clock(lambda: None) as clock:
        trial = run_trial(spec, seed, tell)
    return FinishedRun(
        spec=spec,
        seed=seed,
        problem=make_problem(spec.problem_name, **spec.problem_options),
        engine=None,
        summary=trial.summary,
        course=trial.course,
        seconds=trial.seconds,
        compile_seconds=clock.seconds,
    )


def describe_run(spec: RunSpec, problem: Problem) -> dict[str, Any]:
    """Return what a saved model has to say about itself, names of its features included."""
    return {
        "preset": spec.preset,
        "agent": spec.agent,
        "problem": spec.problem_name,
        "feature_names": list(problem.feature_names),
        "action_names": list(problem.action_names),
    }
