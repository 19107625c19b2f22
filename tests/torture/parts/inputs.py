"""Odd inputs to every public call of compiled engines and of classifiers."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ruleplay.envs import make_problem
from torture.engine_ordeals import CALLS, QUICK_CALLS, Engines, rows_within
from torture.learner_ordeals import Classifiers, RuleSets
from torture.ordeals import Subject, suffer
from torture.part import Result, randomness

CASES = {"quick": 3000, "full": 100_000}
LIMIT = 120  # a case may need kernels that were never compiled before
FINE = {"refused", "sound"}
PARALLEL = True
BATCH = 2000
PREPARING = 3600.0

ENGINES = Engines(["uniform"], CALLS)
PLAYERS = Engines(
    ["linear-sequences"], {name: QUICK_CALLS[name] for name in ("step", "predict", "go_on")}
)
SUBJECTS: list[Subject] = [ENGINES] * 5 + [PLAYERS] * 2 + [Classifiers(), RuleSets()]


def prepare(folder: Path) -> None:
    """Compile every call once."""
    warnings.simplefilter("ignore")
    random = randomness("warm", 0)
    engine, player = ENGINES.fresh(random), PLAYERS.fresh(random)
    rows: Any = rows_within(engine, 3)
    engine.act(rows[0])
    engine.step(rows[0])
    engine.learn(rows[0], 0, 1.0)
    engine.learn(rows[0], 0, 1.0, rows[1])
    engine.remember_batch(rows, [0, 1, 0], [0.0, 0.0, 1.0])
    engine.predict(rows)
    player.step(rows[0])
    player.predict(rows)
    engine.run(make_problem("rmp3"), 3)
    engine.evaluate(make_problem("rmp3"), 3)
    model = Classifiers().fresh(random)
    model.predict_proba([[0.5, 0.0]])


def run(cases: range, folder: Path) -> Iterator[Result]:
    """Make a few odd calls per case."""
    warnings.simplefilter("ignore")
    for case in cases:
        random = randomness("inputs", case)
        yield Result(case, *suffer(random.choice(SUBJECTS), random))
