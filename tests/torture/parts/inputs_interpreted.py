"""Odd inputs to every public call, on engines of every kind, without compilation."""

import warnings
from collections.abc import Iterator
from pathlib import Path

from torture.engine_ordeals import CALLS, Births, Engines
from torture.learner_ordeals import Agents, Classifiers, RuleSets, Streams
from torture.ordeals import suffer
from torture.originals import INTERPRETED
from torture.part import Result, randomness

CASES = {"quick": 3000, "full": 100_000}
LIMIT = 30.0
FINE = {"refused", "sound"}
PARALLEL = True
BATCH = 1000
ENVIRONMENT = {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}

SUBJECTS = [Engines(INTERPRETED, CALLS)] * 4 + [Births()] * 2
SUBJECTS += [Classifiers(), Streams(), RuleSets(), Agents()]


def run(cases: range, folder: Path) -> Iterator[Result]:
    """Make a few odd calls per case."""
    warnings.simplefilter("ignore")
    for case in cases:
        random = randomness("inputs_interpreted", case)
        yield Result(case, *suffer(random.choice(SUBJECTS), random))
