"""Be the program of some contenders: run one of them, and print its rows as JSON."""

import argparse
import json
import signal
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ruleplay.benchmarks.control.problems import NAMES, Problem, problem_of
from ruleplay.benchmarks.real_data.task import NotApplicableError, limit_cpu

Rows = dict[str, dict[str, Any]]


class Job(NamedTuple):
    """A contender's run, and whether what can be made of its policy is wanted, too."""

    contender: str
    problem: Problem
    seed: int
    steps: int
    derived: bool


Run = Callable[[Job], Rows]


def serve(contenders: Mapping[str, Run], version: Callable[[str], str]) -> None:
    """Run the contender that the command line names; print its rows on the last line."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # compiled code would go on to its end
    warnings.simplefilter("ignore")
    options = read_options(contenders)
    limit_cpu(options.seconds)
    problem = problem_of(options.problem)
    steps = options.steps or problem.steps
    job = Job(options.contender, problem, options.seed, steps, options.derived)
    answer: dict[str, Any]
    try:
        rows = contenders[job.contender](job)
        answer = {"rows": rows, "version": version(job.contender)}
    except NotApplicableError as error:
        answer = {"not_applicable": str(error)}
    print(json.dumps(answer))


def read_options(contenders: Mapping[str, Any]) -> argparse.Namespace:
    """Read the command line of a contender's program."""
    parser = argparse.ArgumentParser(description="Run a contender on a control problem.")
    parser.add_argument("--contender", choices=list(contenders), required=True)
    parser.add_argument("--problem", choices=NAMES, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, help="instead of the problem's")
    parser.add_argument("--derived", action="store_true", help="a list or a tree, too")
    parser.add_argument("--seconds", type=int, default=3600, help="most CPU seconds")
    return parser.parse_args()
