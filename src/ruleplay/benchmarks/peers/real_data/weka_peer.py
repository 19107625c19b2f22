"""Run a classifier or a regressor of Weka on one fold, through files.

    python weka_peer.py --contender j48 --task TASK.json --jar moa.jar

Attributes are called a0, a1 and so on, their categories v0, v1, the classes c0, c1: no name has
to be quoted, and the model's text can be counted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

sys.path.append(str(Path(__file__).resolve().parents[3]))
if TYPE_CHECKING:
    from ruleplay.benchmarks.real_data.task import (
        Answer,
        Floats,
        Labels,
        Size,
        Task,
        answer_of,
        limit_cpu,
        read_options,
        read_task,
    )
else:
    from benchmarks.real_data.task import (
        Answer,
        Floats,
        Labels,
        Size,
        Task,
        answer_of,
        limit_cpu,
        read_options,
        read_task,
    )

PROGRAM = Path(__file__).with_name("Weka.java")
ONE_THREAD = ("-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1", "-Xmx2g")
CONTENDERS = {
    "j48": "weka.classifiers.trees.J48",
    "part": "weka.classifiers.rules.PART",
    "jrip": "weka.classifiers.rules.JRip",
    "m5p": "weka.classifiers.trees.M5P",
    "m5rules": "weka.classifiers.rules.M5Rules",
}
TREES = ("j48", "m5p")
SEEDED = ("jrip",)

_TEST = re.compile(r"\ba(\d+)(?:=[v\d,]+)? (?:<=|>=|=|<|>) ")
_LEAF = re.compile(r"(?:: c|\bLM)\d+ \(")
_END_OF_RULE = re.compile(rf"{_LEAF.pattern}|=> class=|^class =")


class Printed:
    """What a classifier of Weka has said about the test rows, and its text."""

    def __init__(self, contender: str, text: str, answers: Floats) -> None:
        """Keep what was printed."""
        self.contender, self.text, self.answers = contender, text, answers

    def predict(self, rows: pd.DataFrame) -> Labels:
        """Return the class of largest probability, or the quantity."""
        labels: Labels = self.answers.argmax(axis=1)
        return labels if self.answers.shape[1] > 1 else self.answers[:, 0]

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class."""
        return self.answers

    def size(self) -> Size:
        """Count leaves or rules, and the features that each names."""
        return tree_size(self.text) if self.contender in TREES else list_size(self.text)


def run(contender: str, task: Task, jar: Path) -> Answer:
    """Write both tables, let Weka learn and predict, read what it wrote."""
    if shutil.which("java") is None:
        raise SystemExit("there is no java on the path, which Weka needs (a JDK from 11 on)")
    options = ("-S", str(task.seed)) if contender in SEEDED else ()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "train.arff").write_text(arff(task.train, task.labels.tolist(), task.n_classes))
        unknown = [None] * len(task.test)
        (folder / "test.arff").write_text(arff(task.test, unknown, task.n_classes))
        command = ["java", *ONE_THREAD, "-cp", str(jar), str(PROGRAM), str(folder)]
        done = subprocess.run(
            [*command, CONTENDERS[contender], *options], capture_output=True, text=True
        )
        if done.returncode < 0:
            os.kill(os.getpid(), -done.returncode)  # what ended Java ends this, too
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        version, fit_seconds, predict_seconds = done.stdout.split()[-3:]
        answers = np.loadtxt(folder / "answers.csv", delimiter=",", ndmin=2)
        model = Printed(contender, (folder / "model.txt").read_text(), answers)
    predictions = model.predict(task.test)
    seconds = float(fit_seconds), float(predict_seconds)
    return answer_of(model, task, predictions, version, *seconds)


def arff(rows: pd.DataFrame, labels: Sequence[float | None], n_classes: int) -> str:
    """Return a table in Weka's format; what is missing, labels too, is a question mark.

    Without classes labels are quantities.
    """
    columns, header = [], ["@relation fold"]
    for k, name in enumerate(rows):
        kind, cells = attribute(rows[name])
        header.append(f"@attribute a{k} {kind}")
        columns.append(cells)
    classes = f"{{{','.join(f'c{code}' for code in range(n_classes))}}}"
    header.append(f"@attribute class {classes if n_classes else 'numeric'}")
    mark = "c" if n_classes else ""
    columns.append(["?" if label is None else f"{mark}{label!r}" for label in labels])
    lines = [",".join(cells) for cells in zip(*columns, strict=True)]
    return "\n".join([*header, "@data", *lines, ""])


def attribute(column: pd.Series[Any]) -> tuple[str, list[str]]:
    """Return what a column is declared as, and its cells."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        places = range(len(column.cat.categories))
        kind = f"{{{','.join(f'v{place}' for place in places)}}}"
        return kind, ["?" if code < 0 else f"v{code}" for code in column.cat.codes]
    return "numeric", ["?" if pd.isna(value) else repr(float(value)) for value in column]


def tree_size(text: str) -> Size:
    r"""Count the leaves of a printed tree, and the features named on the way to each.

    >>> tree_size("a1 <= 2: c0 (3.0)\na1 > 2\n|   a0 = v0: c1 (2.0)\n|   a0 = v1: c0 (1.0)")
    Size(rules=3, conditions=5)
    """
    path, leaves, conditions = list[str](), 0, 0
    for line in text.splitlines():
        test = _TEST.search(line)
        if test is not None:
            path[line.count("|   ") :] = [test[1]]
        if _LEAF.search(line):
            leaves += 1
            conditions += len(set(path))
    return Size(leaves, conditions)


def list_size(text: str) -> Size:
    r"""Count the rules of a printed list, and the features that each names.

    >>> list_size("(a0 <= 1) and (a0 >= 0) => class=c1 (3.0/1.0)\n => class=c0 (5.0/0.0)")
    Size(rules=2, conditions=1)
    >>> list_size("a0 <= 1 AND\na3 = v1: c0 (3.0)\n\n: c1 (2.0)")
    Size(rules=2, conditions=2)
    >>> list_size("Rule: 1\nIF\n\ta0=v1,v2 <= 0.5\nTHEN\n\nclass = \n\t2 * a3 \n\t+ 1")
    Size(rules=1, conditions=1)
    """
    rules, conditions, named = 0, 0, set[str]()
    for line in text.splitlines():
        named |= {match[1] for match in _TEST.finditer(line)}
        if _END_OF_RULE.search(line):
            rules, conditions = rules + 1, conditions + len(named)
            named = set()
    return Size(rules, conditions)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # and Java with it
    _options = read_options(CONTENDERS)
    limit_cpu(_options.seconds)
    print(json.dumps(run(_options.contender, read_task(_options.task), _options.jar)))
