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
from typing import Any, NamedTuple, NotRequired, Protocol, TypedDict

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class NotApplicableError(Exception):
    """Say why a contender cannot be given these data at all."""


class Task(NamedTuple):
    """Rows to learn from with classes 0, 1 and so on, and rows to be tested with."""

    train: pd.DataFrame
    labels: Integers
    test: pd.DataFrame
    n_classes: int
    seed: int


class Size(NamedTuple):
    """How many rules a model has, and how many conditions: features that a rule names."""

    rules: int | None = None
    conditions: int | None = None


class Model(Protocol):
    """What a contender has learned."""

    def predict(self, rows: pd.DataFrame) -> Integers:
        """Return the class of each row."""

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class, (rows, classes)."""

    def size(self) -> Size:
        """Return how large the model is to a reader."""


Fit = Callable[[Task], Model]


class Answer(TypedDict):
    """What a program prints; if the data are none for it, nothing but the reason."""

    version: NotRequired[str]
    predictions: NotRequired[list[int]]
    probabilities: NotRequired[list[list[float]]]
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
    labels = np.array(document["labels"], dtype=np.int64)
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
    predictions: Integers,
    version: str,
    fit_seconds: float,
    predict_seconds: float,
) -> Answer:
    """Return what a model says about the test rows, and its size, in plain values."""
    size = model.size()
    return {
        "version": version,
        "predictions": [int(code) for code in predictions],
        "probabilities": np.asarray(model.probabilities(task.test), dtype=np.float64).tolist(),
        "rules": size.rules,
        "conditions": size.conditions,
        "fit_seconds": fit_seconds,
        "predict_seconds": predict_seconds,
    }


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
