"""Run a specification once in this process, compiling first, and keep what comes out."""

from dataclasses import dataclass
from typing import Any, Protocol

from ruleplay.cli.running.log import RunLog
from ruleplay.engine import XCS
from ruleplay.envs import Problem
from ruleplay.experiments.live import describe_band
from ruleplay.experiments.metrics import band_of, course_of, summarize_answers, summarize_prediction
from ruleplay.experiments.spec import RunSpec
from ruleplay.experiments.trial import Look, Observer, Trial, conduct

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
    trial: Trial
    problem: Problem
    engine: XCS | None  # None if the agent has no rules

    def heading(self) -> str:
        """Name the run in one line."""
        return f"{self.spec.preset}, {self.spec.agent}, seed {self.trial.seed}"

    def figures(self) -> dict[str, Any]:
        """Return everything a script may want to know, by name."""
        trial, summary = self.trial, self.trial.summary
        return {
            "preset": self.spec.preset,
            "agent": self.spec.agent,
            "digest": trial.digest,
            "seed": trial.seed,
            "steps": self.spec.steps,
            **{name: summary[name] for name in FIGURES},
            **self._at_last(),
            **{name: summary[name] for name in GREEDY_FIGURES if name in summary},
            "seconds": trial.seconds,
            "microseconds_per_step": 1e6 * trial.seconds / self.spec.steps,
            "compile_seconds": trial.compiled,
        }

    def _at_last(self) -> dict[str, Any]:
        """Return how good answers or predictions were at the end, if there are any to judge."""
        if self.problem.right_or_wrong:
            return dict(summarize_answers(self.trial.course, self.problem))
        return dict(summarize_prediction(self.trial.course)) if self.problem.is_quantity else {}


def run_once(spec: RunSpec, seed: int, watcher: Watcher, log: RunLog | None = None) -> FinishedRun:
    """Run a specification, tell the watcher how it goes, and keep a log of it."""
    trial, problem, engine = conduct(spec, seed, Teller(watcher, log))
    if log is not None:
        log.end(trial.summary, describe_band(band_of([trial.course])))
    return FinishedRun(spec=spec, trial=trial, problem=problem, engine=engine)


class Teller(Observer):
    """Tell a watcher and a log how a run is going."""

    def __init__(self, watcher: Watcher, log: RunLog | None) -> None:
        self._watcher, self._log = watcher, log

    def compiling(self) -> None:
        """Tell that kernels are being compiled."""
        self._watcher.compiling()
        if self._log is not None:
            self._log.compiling()

    def compiled(self, seconds: float) -> None:
        """Tell that they are ready."""
        self._watcher.compiled(seconds)
        if self._log is not None:
            self._log.compiled()

    def learning(self, done: int, total: int, look: Look | None) -> None:
        """Tell how far the run is, and what its rules have come to."""
        self._watcher.progress(done, total)
        if self._log is None:
            return
        if look is None:
            self._log.progress(done)
        else:
            curve = describe_band(band_of([course_of(look.record())]))
            self._log.progress(done, look.engine.macroclassifiers, curve)
