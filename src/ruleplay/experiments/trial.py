"""Run one specification with one seed, here and now: the unit that executors hand out."""

import hashlib
import json
import threading
import time
import traceback
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ruleplay.baselines import dqn_is_installed
from ruleplay.compiler.notice import compile_clock
from ruleplay.config import DQNConfig
from ruleplay.engine import XCS
from ruleplay.engine.checkpoints import Piece, learn_and_keep, test_seed
from ruleplay.engine.run_record import RunRecord
from ruleplay.envs import Problem, make_problem
from ruleplay.errors import RuleplayError
from ruleplay.experiments.compacting import compact_figures, episode_maker
from ruleplay.experiments.metrics import (
    RunCurve,
    Scalar,
    course_of,
    summarize,
    summarize_kept,
    summarize_test,
    with_greedy_curve,
)
from ruleplay.experiments.modules import load_module, load_named_modules
from ruleplay.experiments.portraits import Painter, Portrait
from ruleplay.experiments.spec import RunSpec

PIECES = 100  # after which those who watch a run are told

# Stable-Baselines3 draws from the process's global generators.
_ONE_DQN_AT_A_TIME = threading.Lock()


@dataclass(frozen=True, eq=False, kw_only=True)
class Trial:
    """What a finished run leaves behind. Two are equal if all bits but the time are.

    Snapshots of the rules on the way are no part of its identity: the run is the same without.
    """

    digest: str  # of the specification
    seed: int
    summary: Mapping[str, Scalar]
    course: RunCurve
    seconds: float = 0.0  # without compilation
    prepared: float = 0.0  # seconds before: kernels are compiled, or loaded
    compiled: float = 0.0  # seconds of these that the compiler took
    portrait: Portrait | None = None

    def fingerprint(self) -> str:
        """Return the SHA-256 of figures and course."""
        return fingerprint_of(self.digest, self.seed, self.summary, self.course)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trial) and self.fingerprint() == other.fingerprint()

    def __hash__(self) -> int:
        return hash((self.digest, self.seed))


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A run that raised, or whose process died."""

    digest: str
    seed: int
    error: str  # one line
    traceback: str = ""
    seconds: float = 0.0


class Task(NamedTuple):
    """A run to be done, by whomever."""

    spec: RunSpec
    seed: int
    module: str = ""  # a Python file to be loaded before
    portrait: bool = False  # whether snapshots of its rules are wanted


Outcome = Trial | Failure
Outcomes = Generator[Outcome, None, None]


class Look(NamedTuple):
    """What can be seen of a run of rules on its way."""

    engine: XCS
    record: Callable[[], RunRecord]  # so far


class Observer:
    """Hear how a run is going. These do nothing; others tell somebody."""

    def compiling(self) -> None:
        """Hear that kernels are being compiled, not merely loaded."""

    def compiled(self, seconds: float) -> None:
        """Hear that they are ready."""

    def learning(self, done: int, total: int, look: Look | None) -> None:
        """Hear how many steps are done; there is nothing to look at in a network."""


class Finished(NamedTuple):
    """A run that was done here: what it leaves behind, and what it has learned."""

    trial: Trial
    problem: Problem
    engine: XCS | None  # the population that is kept; None of an agent without rules


def run_trial(spec: RunSpec, seed: int, *, portrait: bool = False) -> Trial:
    """Run a specification on a fresh problem, see `conduct`."""
    return conduct(spec, seed, portrait=portrait).trial


def conduct(
    spec: RunSpec, seed: int, observer: Observer | None = None, *, portrait: bool = False
) -> Finished:
    """Run a specification on a fresh problem; whoever runs one does it here.

    The problem's random stream depends on the seed alone, so that runs of different agents
    with the same seed meet the same problem. Neither an observer nor the painter of a portrait
    changes the run.
    """
    problem, painter = make_problem_of(spec), Painter() if portrait else None
    start = time.perf_counter()
    with compile_clock(observer.compiling if observer and spec.xcs else _nobody_hears) as clock:
        if spec.xcs is not None:
            rehearse(spec, seed)  # compiles, so that only the run is timed
            if observer and clock.seconds > 0.0:
                observer.compiled(clock.seconds)
        begin = time.perf_counter()
        learned = _run(spec, seed, problem, observer, painter)
    trial = Trial(
        digest=spec.digest(),
        seed=seed,
        summary=summarize(learned.record, problem) | learned.figures,
        course=course_of(learned.record),
        seconds=time.perf_counter() - begin,
        prepared=begin - start,
        compiled=clock.seconds,
        portrait=None if painter is None else painter.portrait(seed),
    )
    return Finished(trial, problem, learned.engine)


def _nobody_hears() -> None:
    pass


def _run(
    spec: RunSpec, seed: int, problem: Problem, observer: Observer | None, painter: Painter | None
) -> "Learned":
    """Return the record of a run, what it has learned, and the figures that only some runs have."""
    if spec.dqn is not None:
        return _train(spec, spec.dqn, seed, observer)
    engine = make_engine(spec, problem, seed)
    engine.about = describe_run(spec, problem)

    def tell(done: int, total: int, record: Callable[[], RunRecord]) -> None:
        if painter:
            painter.look(done, total, engine)
        if observer:
            observer.learning(done, total, Look(engine, record))

    return learn(spec, engine, tell if observer or painter else None)


def describe_run(spec: RunSpec, problem: Problem) -> dict[str, Any]:
    """Return what a saved model has to say about itself, names of its features included."""
    about: dict[str, Any] = {
        "preset": spec.preset,
        "agent": spec.agent,
        "problem": spec.problem_name,
        "feature_names": list(problem.feature_names),
        "action_names": list(problem.action_names),
    }
    if problem.whole_numbers:
        about["whole_features"] = [True] * problem.n_features
    return about | quantity_notes(problem)


def quantity_notes(problem: Problem) -> dict[str, Any]:
    """Return what readers of rules must know if these are about a quantity."""
    if problem.quantity_range is None:
        return {}
    known = zip(("low", "mean", "high"), problem.quantity_range, strict=True)
    return {
        "quantities": {**{name: [value] for name, value in known}, "shift": [0.0], "scale": [1.0]}
    }


def attempt_trial(spec: RunSpec, seed: int, module: str = "", portrait: bool = False) -> Outcome:
    """Run a specification; an exception becomes a record of it."""
    begin = time.perf_counter()
    try:
        load_named_modules()
        if module:
            load_module(module)
        return run_trial(spec, seed, portrait=portrait)
    except Exception as error:
        return Failure(
            digest=spec.digest(),
            seed=seed,
            error=f"{type(error).__name__}: {error}".splitlines()[0],
            traceback=traceback.format_exc(),
            seconds=time.perf_counter() - begin,
        )


def make_engine(spec: RunSpec, problem: Problem, seed: int) -> XCS:
    """Build the engine that a specification of XCS describes, for the problem's shape."""
    if spec.xcs is None:
        raise RuleplayError(f"agent {spec.agent!r} learns no rules")
    return XCS(
        spec.xcs,
        spec.replay,
        n_actions=problem.n_actions,
        low=problem.low,
        high=problem.high,
        seed=seed,
        horizon=spec.steps,
    )


def make_problem_of(spec: RunSpec) -> Problem:
    """Build the problem of a run, fresh."""
    return make_problem(spec.problem_name, **spec.problem_options)


def rehearse(spec: RunSpec, seed: int) -> None:
    """Compile what a run of XCS needs, on an engine that is thrown away."""
    problem = make_problem_of(spec)
    engine = make_engine(spec, problem, seed)
    engine.run(problem, 1)
    if spec.keep is not None:
        engine.evaluate(problem, 1)


class Learned(NamedTuple):
    """What was learned: the record, the population that remains, and figures of its own."""

    record: RunRecord
    engine: XCS | None
    figures: dict[str, Scalar]


def learn(spec: RunSpec, engine: XCS, on_piece: Piece | None = None) -> Learned:
    """Let an engine learn as specified, and keep what is to be kept."""
    points = spec.curve_points
    if spec.keep is None:
        return Learned(_run_through(spec, engine, on_piece), engine, {})
    kept = learn_and_keep(
        engine,
        partial(make_problem_of, spec),
        spec.steps,
        spec.keep,
        curve_points=points,
        on_piece=on_piece,
    )
    figures = summarize_kept(kept)
    if spec.keep.compact_to > 0:
        make_env = episode_maker(spec.problem_name, spec.problem_options)
        figures |= compact_figures(make_env, kept.engine, spec.keep.compact_to)
    return Learned(with_greedy_curve(kept), kept.engine, figures)


def _run_through(spec: RunSpec, engine: XCS, on_piece: Piece | None) -> RunRecord:
    """Run an engine to the end; tell how it goes on the way."""
    pieces = PIECES if on_piece else 1
    runs = engine.run_in_pieces(make_problem_of(spec), spec.steps, spec.curve_points, pieces)
    for done, record in runs:
        if on_piece:
            on_piece(done, spec.steps, record)
    return record()


def _train(spec: RunSpec, config: DQNConfig, seed: int, observer: Observer | None) -> Learned:
    if not dqn_is_installed():
        raise RuleplayError(f"agent {spec.agent!r} needs an extra: pip install 'ruleplay[dqn]'")
    from ruleplay.baselines.dqn import train_dqn  # imports torch

    test = None if spec.keep is None else (spec.keep.test_episodes, test_seed(seed))
    with _ONE_DQN_AT_A_TIME:
        record, tested = train_dqn(
            spec.problem_name,
            spec.problem_options,
            config,
            spec.steps,
            seed,
            None if observer is None else partial(observer.learning, look=None),
            curve_points=spec.curve_points,
            test=test,
        )
    return Learned(record, None, {} if tested is None else summarize_test(tested))


def fingerprint_of(digest: str, seed: int, summary: Mapping[str, Scalar], course: RunCurve) -> str:
    """Return the SHA-256 of a run's results, bit by bit."""
    head = json.dumps([digest, seed, summary], sort_keys=True)
    total = hashlib.sha256(head.encode())
    arrays = {
        **course.curve,
        "/returns": course.episode_returns,
        "/lengths": course.episode_lengths,
    }
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        total.update(f"{name} {array.dtype.str} {array.shape} ".encode() + array.tobytes())
    return total.hexdigest()
