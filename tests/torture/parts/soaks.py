"""Runs of very many steps, in slices that go on from each other's files.

Even cases are slices of 10^6 steps of scalar rules with replay, odd ones slices of 10^5 steps
of linear rules that forget. A slice whose predecessor left no file waits for it: it does the
missing slices first.
"""

import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ruleplay.engine import XCS
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.trial import make_engine, make_problem_of
from torture.part import Result, first_line

CASES = {"quick": 4, "full": 200}
LIMIT = 1800.0
FINE = {"sound"}
MOST_GROWTH = 64 << 20  # bytes by which a slice may raise the peak of the memory


class Soak(NamedTuple):
    """A long run: what is run, and how many steps make a slice."""

    name: str
    preset: str
    steps: int


SOAKS = (
    Soak("scalar", "stein2020/rmp6", 1_000_000),
    Soak("linear", "ruleplay/cartpole", 100_000),
)


def prepare(folder: Path) -> None:
    """Compile both runs."""
    for soak in SOAKS:
        engine, problem = _begin(soak)
        engine.run(problem, 2000)


def run(cases: range, folder: Path) -> Iterator[Result]:
    """Do slices, each from the file of the one before."""
    for case in cases:
        soak, number = SOAKS[case % 2], case // 2
        engine, problem, first = _latest(soak, number, folder)
        for slice_ in range(first, number + 1):
            outcome, detail = _slice(soak, engine, problem, folder / f"{soak.name}-{slice_}")
        yield Result(case, outcome, f"{detail}\n{soak.name}, slice {number}")


def _begin(soak: Soak) -> tuple[XCS, Any]:
    spec = specify_run(soak.preset, "xcs-er")
    problem = make_problem_of(spec)
    engine = make_engine(spec, problem, 0)
    return engine, problem


def _latest(soak: Soak, number: int, folder: Path) -> tuple[XCS, Any, int]:
    """Return the engine after the last slice before this one, and the slice to begin with."""
    engine, problem = _begin(soak)
    for before in range(number - 1, -1, -1):
        path = folder / f"{soak.name}-{before}"
        if path.exists():
            return XCS.load(path), problem, before + 1
    return engine, problem, 0


def _slice(soak: Soak, engine: XCS, problem: Any, path: Path) -> tuple[str, str]:
    """Learn for one slice, look at everything, and save it."""
    peak, begun = _peak_memory(), time.perf_counter()
    before = engine.learning_steps
    engine.run(problem, soak.steps)
    each = 1e6 * (time.perf_counter() - begun) / soak.steps
    growth = _peak_memory() - peak
    try:
        engine.check()
        assert engine.learning_steps >= before + soak.steps, "steps are missing"
        rules = engine.export()
        assert rules["numerosity"].sum() == engine.microclassifiers, "numerosities do not add up"
        assert engine.microclassifiers <= engine.config.population_size, "too many rules"
        for name, values in rules.items():
            assert np.isfinite(values).all(), f"{name} must be finite"
            assert np.abs(values.astype(float)).max(initial=0.0) < 1e100, f"{name} must be sane"
        if engine.config.prediction == "linear":
            gain = engine.state.arrays.population.gain[engine.places()]
            assert np.abs(gain).max(initial=0.0) < 1e100, "gain must be sane"
        beside, again = path.with_suffix(".new"), path.with_suffix(".again")
        engine.save(beside)
        XCS.load(beside).save(again)
        same = beside.read_bytes() == again.read_bytes()
        again.unlink()
        assert same, "what was loaded is not what was saved"
        beside.replace(path)
    except AssertionError as error:
        return "check-fails", first_line(error)
    if growth > MOST_GROWTH:
        return "leak", f"the peak of the memory rose by {growth >> 20} MB"
    rules_text = f"{engine.macroclassifiers} rules of {engine.microclassifiers}"
    return "sound", f"{each:.2f} us per step, {rules_text}, peak {_peak_memory() >> 20} MB"


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
