"""Damaged model files of every kind there is, without compilation.

What would be a read beyond an array in compiled code is an IndexError here.
"""

from collections.abc import Iterator
from pathlib import Path

from torture.model_kinds import engine_kinds, learner_kinds, more_learner_kinds
from torture.originals import INTERPRETED
from torture.part import Result, randomness, scratch

CASES = {"quick": 1500, "full": 20_000}
LIMIT = 60.0
FINE = {"refused", "sound"}
PARALLEL = True
ENVIRONMENT = {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
STEPS = 60

KINDS = engine_kinds(INTERPRETED, None, STEPS) + 3 * (
    learner_kinds(None, STEPS) + more_learner_kinds(STEPS)
)


def prepare(folder: Path) -> None:
    """Make the healthy files."""
    for kind in KINDS:
        kind.make(folder)


def run(cases: range, folder: Path) -> Iterator[Result]:
    """Damage a file per case, and use what loads."""
    for case in cases:
        random = randomness("files_interpreted", case)
        with scratch(folder, in_memory=True) as place:
            outcome, detail = random.choice(KINDS).attack(random, folder, place)
        yield Result(case, outcome, detail)
