"""Keep what chance and the best policy score on each problem, between which scores are normalised.

    python -m ruleplay.benchmarks.control.references [PROBLEM ...]

computes the file beside this one anew, or some lines of it; it needs the packages of all problems.
"""

import csv
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ruleplay.benchmarks.control.evaluating import mean_score
from ruleplay.benchmarks.control.optima import HOW, optimum
from ruleplay.benchmarks.control.problems import PROBLEMS, Problem, seeds_of_test
from ruleplay.output.files import write_whole

FILE = Path(__file__).with_name("references.csv")
RUNS = 10  # of a random player, 100 episodes each


class Reference(NamedTuple):
    """What random play and the best policy score; NaN: the best is that of the contenders."""

    random: float
    best: float
    source: str  # of the best score


@cache
def read_references() -> dict[str, Reference]:
    """Return the references of all problems."""
    with FILE.open(newline="") as file:
        return {
            row["problem"]: Reference(float(row["random"]), float(row["best"]), row["source"])
            for row in csv.DictReader(file)
        }


def compute(problem: Problem) -> Reference:
    """Play at random, and solve what can be solved."""
    played = [random_score(problem, seed) for seed in range(RUNS)]
    if problem.exact:
        return Reference(float(np.mean(played)), optimum(problem), HOW[problem.exact])
    best = float("nan") if problem.best is None else problem.best
    return Reference(float(np.mean(played)), best, problem.source or "best of the contenders")


def random_score(problem: Problem, seed: int) -> float:
    """Return the mean score of random play in the test episodes of a run."""
    env = problem.make()
    env.action_space.seed(seed)
    return mean_score(problem, lambda seen: env.action_space.sample(), seeds_of_test(seed), env)


def main(names: Sequence[str]) -> None:
    """Compute the references of some problems, or of all, and write them."""
    known = read_references() if names else {}
    lines = ["problem,random,best,source"]
    for problem in PROBLEMS:
        is_known = problem.name in known and problem.name not in names
        found = known[problem.name] if is_known else compute(problem)
        lines.append(f'{problem.name},{found.random:.6g},{found.best:.6g},"{found.source}"')
    write_whole(FILE, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
