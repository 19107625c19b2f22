"""Run contenders on control problems, those runs that are not there yet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ruleplay.benchmarks.control.contenders import DERIVED, SECONDS, Job
from ruleplay.benchmarks.control.problems import problem_of
from ruleplay.benchmarks.control.runs import LAYOUT, Key
from ruleplay.benchmarks.environment import PeerError
from ruleplay.benchmarks.programs import TimeLimitError
from ruleplay.benchmarks.run_file import FAILED, NOT_APPLICABLE, OK, RunLog
from ruleplay.benchmarks.side_by_side import run_jobs

FIRST_SEED = {"control": 0, "control-tuning": 1000}
SEEDS = 10
FOLDER = "control"

Row = dict[str, Any]


class Starter(Protocol):
    """Run a contender on a problem."""

    def run(self, job: Job) -> Any:
        """Return what the contender's program says; PeerError if it fails."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Which contenders learn which problems, with how many seeds."""

    list_name: str
    problems: Sequence[str]
    contenders: Sequence[str]
    seeds: int = SEEDS

    def wanted(self) -> list[Key]:
        """Return all runs, seed by seed, problems and contenders taking turns."""
        first = FIRST_SEED[self.list_name]
        return [
            Key(contender, problem, seed, problem_of(problem).steps)
            for seed in range(first, first + self.seeds)
            for problem in self.problems
            for contender in self.contenders
        ]


class Work(NamedTuple):
    """A run of a program, and the rows that it is wanted for."""

    job: Job
    keys: tuple[Key, ...]


def compare(
    plan: Plan,
    out: Path,
    programs: Starter,
    *,
    jobs: int = 1,
    on_run: Callable[[str], None] = lambda line: None,
) -> None:
    """Make the runs of a plan that a folder lacks, and keep each."""
    log = RunLog(out, LAYOUT)
    done = log.done()
    wanted = works_of([key for key in plan.wanted() if key not in done])
    for rows in run_jobs(lambda work: run_once(work, programs), wanted, jobs):
        for row in rows:
            log.add({"list": plan.list_name, **row})
            on_run(line_about(row))


def works_of(keys: Sequence[Key]) -> list[Work]:
    """Return the programs to be run: a list or a tree is made by the run it comes from."""
    groups: dict[Key, list[Key]] = {}
    for key in keys:
        source = key._replace(contender=DERIVED.get(key.contender, key.contender))
        groups.setdefault(source, []).append(key)
    return [
        Work(
            Job(source.contender, source.problem, source.seed, any(k != source for k in wanted)),
            tuple(wanted),
        )
        for source, wanted in groups.items()
    ]


def run_once(work: Work, programs: Starter) -> list[Row]:
    """Run a program and return the rows it is wanted for: figures, or why there are none."""
    try:
        answer = programs.run(work.job)
    except TimeLimitError:
        return [failure(key, f"more than {SECONDS} s") for key in work.keys]
    except PeerError as error:
        return [failure(key, str(error)) for key in work.keys]
    return [row_of(answer, key) for key in work.keys]


def row_of(answer: Any, key: Key) -> Row:
    """Return what is written about a contender of an answer."""
    row = answer if "not_applicable" in answer else answer["rows"].get(key.contender)
    if row is None:
        return failure(key, "the program says nothing about it")
    if "not_applicable" in row:
        return {**key._asdict(), "status": NOT_APPLICABLE, "reason": row["not_applicable"]}
    return {**key._asdict(), "status": OK, "version": answer["version"], **row}


def failure(key: Key, reason: str) -> Row:
    """Return the row of a run that came to nothing."""
    return {**key._asdict(), "status": FAILED, "reason": reason}


def line_about(row: Row) -> str:
    """Say in one line how a run went."""
    name = f"{row['contender']} on {row['problem']}, seed {row['seed']}"
    if row["status"] != OK:
        return f"{name}: {row['status']}: {row['reason']}"
    return f"{name}: {row['best']:.4g}, last {row['last']:.4g}, {row['seconds']:.1f} s"
