"""Damaged files of every kind: each is refused, or what is loaded is sound."""

import os
import warnings
from collections.abc import Iterator
from pathlib import Path

from torture.model_kinds import engine_kinds, learner_kinds
from torture.originals import COMPILED, kinds_known
from torture.other_kinds import OTHERS
from torture.part import Result, randomness, scratch

CASES = {"quick": 3000, "full": 100_000}
LIMIT = 20.0
FINE = {"refused", "sound"}
PARALLEL = True
BATCH = 2000
PREPARING = 3600.0  # the first time, eight kinds of engines are compiled
STEPS = 300

KNOWN = kinds_known()
MODELS = engine_kinds(COMPILED, KNOWN, STEPS)
LEARNERS = learner_kinds(KNOWN, STEPS)


def prepare(folder: Path) -> None:
    """Make the healthy files, and compile by using them once."""
    warnings.simplefilter("ignore")
    (folder / "others").mkdir(exist_ok=True)
    for kind in OTHERS:
        done = folder / f"{kind.name}.made"
        if not done.exists():
            kind.make(folder / "others")
            done.touch()
    for model in MODELS + LEARNERS:
        model.make(folder)
        with scratch(folder, in_memory=True) as place:
            outcome, detail = model.judge(model.path(folder), place)
        print(model.name, outcome, detail, flush=True)
    with scratch(folder, in_memory=True) as place:
        OTHERS[-1].attack(randomness("warm", 0), folder / "others", place)


def run(cases: range, folder: Path) -> Iterator[Result]:
    """Damage a file per case, and use what loads."""
    os.chdir(folder)
    for case in cases:
        random = randomness("files", case)
        kind = random.choice([random.choice(MODELS)] * 6 + LEARNERS + [random.choice(OTHERS)] * 2)
        with scratch(folder, in_memory=True) as place:
            home = folder / "others" if kind in OTHERS else folder
            outcome, detail = kind.attack(random, home, place)
        yield Result(case, outcome, detail)
