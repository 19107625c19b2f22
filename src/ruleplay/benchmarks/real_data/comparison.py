"""Run contenders on folds of sets, those runs that are not there yet."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ruleplay.benchmarks.environment import PeerError
from ruleplay.benchmarks.programs import TimeLimitError
from ruleplay.benchmarks.real_data.contenders import SECONDS, Job
from ruleplay.benchmarks.real_data.data import DataSet
from ruleplay.benchmarks.real_data.figures import measure
from ruleplay.benchmarks.real_data.folds import Fold, make_folds
from ruleplay.benchmarks.real_data.kinds import FIRST_SEED, Kind, kind_of_list
from ruleplay.benchmarks.real_data.regression.figures import measure as measure_quantities
from ruleplay.benchmarks.real_data.runs import Key, layout
from ruleplay.benchmarks.real_data.task import Answer, Task, write_task
from ruleplay.benchmarks.run_file import FAILED, NOT_APPLICABLE, OK, RunLog
from ruleplay.benchmarks.side_by_side import run_jobs

TOO_SLOW = f"more than {SECONDS} s"

Row = dict[str, Any]


class Starter(Protocol):
    """Run a contender on a task."""

    def run(self, job: Job) -> Answer:
        """Return what the contender says; PeerError if it fails."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Which contenders run on which sets, and on how many folds of each; None: on all."""

    list_name: str
    sets: Sequence[str]
    contenders: Sequence[str]
    folds: int | None = None
    repeats: int = 1

    @property
    def kind(self) -> Kind:
        """Return whether classifiers or regressors are compared."""
        return kind_of_list(self.list_name)

    def seeds(self) -> range:
        """Return the seeds of the repetitions."""
        first = FIRST_SEED[self.list_name]
        return range(first, first + self.repeats)

    def keys(self, name: str, seed: int) -> list[Key]:
        """Return the runs on one set, the contenders taking turns."""
        return [
            Key(contender, name, seed, fold)
            for fold in range(self.folds or self.kind.folds)
            for contender in self.contenders
        ]


def compare(
    plan: Plan,
    out: Path,
    programs: Starter,
    *,
    jobs: int = 1,
    load: Callable[[str], DataSet] | None = None,
    on_run: Callable[[str], None] = lambda line: None,
) -> None:
    """Make the runs of a plan that a folder lacks, a set after the other, and keep each.

    A contender that takes too long on one fold is not tried on the other folds of the set.
    """
    log, load = RunLog(out, layout(plan.kind)), load or plan.kind.load
    done = log.done()
    slow = log.runs[log.runs["reason"].fillna("").str.startswith(TOO_SLOW)]
    given_up = set(zip(slow["contender"], slow["set"], strict=True))
    for seed in plan.seeds():
        for name in plan.sets:
            wanted = [key for key in plan.keys(name, seed) if key not in done]
            if wanted:
                for row in run_set(wanted, load(name), programs, given_up, jobs):
                    log.add({"list": plan.list_name, **row})
                    on_run(line_about(row))


def run_set(
    keys: Sequence[Key],
    data: DataSet,
    programs: Starter,
    given_up: set[tuple[str, str]],
    jobs: int,
) -> Iterator[Row]:
    """Yield a row for each run on one set as it ends."""
    folds = make_folds(data, keys[0].seed)
    with tempfile.TemporaryDirectory() as folder:
        for fold in sorted({key.fold for key in keys}):
            write_task(task_path(folder, fold), as_task(folds[fold], keys[0].seed))

        def start(key: Key) -> Row:
            task = task_path(folder, key.fold)
            return run_once(key, folds[key.fold], task, programs, given_up)

        yield from run_jobs(start, keys, jobs)


def run_once(
    key: Key, fold: Fold, task: Path, programs: Starter, given_up: set[tuple[str, str]]
) -> Row:
    """Run a contender and return its row: figures, or why there are none."""
    if (key.contender, key.set) in given_up:
        return failure(key, f"{TOO_SLOW} on another fold of this set")
    try:
        answer = programs.run(Job(key.contender, task))
        if "not_applicable" in answer:
            return {**key._asdict(), "status": NOT_APPLICABLE, "reason": answer["not_applicable"]}
        return {**key._asdict(), "status": OK, **figures_of(answer, fold)}
    except TimeLimitError:
        given_up.add((key.contender, key.set))
        return failure(key, TOO_SLOW)
    except (PeerError, ValueError, KeyError) as error:
        return failure(key, str(error))


def figures_of(answer: Answer, fold: Fold) -> Row:
    """Return what is written about an answer."""
    labels, said = fold.test_labels, answer["predictions"]
    if fold.classes:
        measured = measure(labels, said, answer["probabilities"])._asdict()
    else:
        ends = answer.get("intervals")
        measured = measure_quantities(labels, said, ends, fold.spread)._asdict()
    stated = ("version", "rules", "conditions", "fit_seconds", "predict_seconds")
    values: Row = dict(answer)
    return {**measured, **{name: values[name] for name in stated}}


def failure(key: Key, reason: str) -> Row:
    """Return the row of a run that came to nothing."""
    return {**key._asdict(), "status": FAILED, "reason": reason}


def as_task(fold: Fold, seed: int) -> Task:
    """Return what a contender is given of a fold."""
    return Task(fold.train, fold.train_labels, fold.test, len(fold.classes), seed)


def task_path(folder: str, fold: int) -> Path:
    """Return where the task of a fold lies."""
    return Path(folder) / f"fold-{fold}.json"


def line_about(row: Row) -> str:
    """Say in one line how a run went."""
    name = f"{row['contender']} on {row['set']}, seed {row['seed']}, fold {row['fold']}"
    if row["status"] != OK:
        return f"{name}: {row['status']}: {row['reason']}"
    figure = "accuracy" if "accuracy" in row else "rmse"
    return f"{name}: {figure} {row[figure]:.3f}, {row['fit_seconds']:.2f} s"
