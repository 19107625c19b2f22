"""Hand a fold to a contender's program, and its answer back; test labels stay behind.

The peers run in an environment of their own, so this file needs numpy and pandas only.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NotRequired, Protocol, TypedDict, runtime_checkable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Labels = NDArray[Any]  # classes as integers, or quantities as floats

COVERAGE = 0.9  # of the intervals that contenders are asked for


class NotApplicableError(Exception):
    """Say why a contender cannot be given these data at all."""


class Task(NamedTuple):
    """Rows to learn from with classes 0, 1 and so on, or quantities, and rows to be tested with."""

    train: pd.DataFrame
    labels: Labels
    test: pd.DataFrame
    n_classes: int  # 0: labels are quantities
    seed: int


class Size(NamedTuple):
    """How many rules a model has, and how many conditions: features that a rule names."""

    rules: int | None = None
    conditions: int | None = None


class Model(Protocol):
    """What a contender has learned."""

    def predict(self, rows: pd.DataFrame) -> Labels:
        """Return the class, or the quantity, of each row."""

    def size(self) -> Size:
        """Return how large the model is to a reader."""


@runtime_checkable
class Classifier(Model, Protocol):
    """A model that tells how probable each class is."""

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class, (rows, classes)."""


@runtime_checkable
class IntervalRegressor(Model, Protocol):
    """A model that tells between which values a quantity lies."""

    def intervals(self, rows: pd.DataFrame) -> Floats:
        """Return the ends of intervals that hold nine in ten targets, (rows, 2)."""


Fit = Callable[[Task], Model]


class Answer(TypedDict):
    """What a program prints; if the data are none for it, nothing but the reason."""

    version: NotRequired[str]
    predictions: NotRequired[list[int] | list[float]]
    probabilities: NotRequired[list[list[float]]]
    intervals: NotRequired[list[list[float]]]
    rules: NotRequired[int | None]
    conditions: NotRequired[int | None]
    fit_seconds: NotRequired[float]
    predict_seconds: NotRequired[float]
    not_applicable: NotRequired[str]


def write_task(path: Path, task: Task) -> None:
    """Write a task as JSON; categories by their numbers, null for what is missing."""
    columns = [
        {
            "name": str(name),
            "categories": _categories(task.train[name]),
            "train": _plain(task.train[name]),
            "test": _plain(task.test[name]),
        }
        for name in task.train
    ]
    document = {
        "columns": columns,
        "labels": task.labels.tolist(),
        "n_classes": task.n_classes,
        "seed": task.seed,
    }
    path.write_text(json.dumps(document))


def read_task(path: Path) -> Task:
    """Read a task that was written as JSON."""
    document = json.loads(path.read_text())
    train, test = (
        pd.DataFrame({column["name"]: _column(column, part) for column in document["columns"]})
        for part in ("train", "test")
    )
    labels = np.array(document["labels"], dtype=np.int64 if document["n_classes"] else np.float64)
    return Task(train, labels, test, document["n_classes"], document["seed"])


def solve(task: Task, fit: Fit, version: str) -> Answer:
    """Let a contender learn and be tested; seconds are CPU time, those of all threads."""
    began = time.process_time()
    model = fit(task)
    learned = time.process_time()
    predictions = np.asarray(model.predict(task.test))
    done = time.process_time()
    return answer_of(model, task, predictions, version, learned - began, done - learned)


def answer_of(
    model: Model,
    task: Task,
    predictions: Labels,
    version: str,
    fit_seconds: float,
    predict_seconds: float,
) -> Answer:
    """Return what a model says about the test rows, and its size, in plain values."""
    size = model.size()
    answer: Answer = {
        "version": version,
        "predictions": predictions.astype(task.labels.dtype).tolist(),
        "rules": size.rules,
        "conditions": size.conditions,
        "fit_seconds": fit_seconds,
        "predict_seconds": predict_seconds,
    }
    if task.n_classes:
        assert isinstance(model, Classifier)
        answer["probabilities"] = np.asarray(model.probabilities(task.test), np.float64).tolist()
    elif isinstance(model, IntervalRegressor):
        answer["intervals"] = model.intervals(task.test).tolist()
    return answer


def serve(
    contenders: Mapping[str, Fit],
    version: Callable[[str], str],
    prepare: Callable[[str, Task], None] = lambda contender, task: None,
) -> None:
    """Be the program of some contenders: read a task, print the answer on the last line.

    What `prepare` does with the contender's name and its task is not timed.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # compiled code would go on to its end
    options = read_options(contenders)
    limit_cpu(options.seconds)
    task = read_task(options.task)
    prepare(options.contender, task)
    try:
        answer = solve(task, contenders[options.contender], version(options.contender))
    except NotApplicableError as error:
        answer = {"not_applicable": str(error)}
    print(json.dumps(answer))


def read_options(contenders: Mapping[str, Any]) -> argparse.Namespace:
    """Read the command line of a contender's program."""
    parser = argparse.ArgumentParser(description="Run a contender on one fold of a set.")
    parser.add_argument("--contender", choices=list(contenders), required=True)
    parser.add_argument("--task", type=Path, required=True)
    parser.add_argument("--seconds", type=int, default=300, help="most CPU seconds")
    parser.add_argument("--jar", type=Path, help="the archive that has Weka")
    return parser.parse_args()


def limit_cpu(seconds: int) -> None:
    """Let this process, and each that it starts, be ended by a signal after so much CPU time.

    Where the system has no such limit, the clock of whoever waits has to do.
    """
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def _categories(column: pd.Series[Any]) -> list[str] | None:
    is_nominal = isinstance(column.dtype, pd.CategoricalDtype)
    return [str(value) for value in column.cat.categories] if is_nominal else None


def _plain(column: pd.Series[Any]) -> list[float | None]:
    """Return numbers, or the numbers of categories, with None for what is missing."""
    values: Any = column.cat.codes if isinstance(column.dtype, pd.CategoricalDtype) else column
    missing = column.isna()
    return [None if gone else value for value, gone in zip(values.tolist(), missing, strict=True)]


def _column(column: Mapping[str, Any], part: str) -> Any:
    if column["categories"] is None:
        return np.array(column[part], dtype=np.float64)
    codes = [-1 if code is None else code for code in column[part]]
    return pd.Categorical.from_codes(codes, column["categories"])
