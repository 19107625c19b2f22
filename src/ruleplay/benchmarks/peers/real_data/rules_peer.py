"""Run another library of readable models on one fold: RIPPER, FIGS, Cubist, or the EBM.

    python rules_peer.py --contender figs --task TASK.json

RIPPER is that of wittgenstein, for two classes; FIGS is imodels', for classes; Cubist is for
quantities; EBM is interpret's, for both.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

sys.path.append(str(Path(__file__).resolve().parents[3]))
if TYPE_CHECKING:
    from ruleplay.benchmarks.real_data.encoding import (
        Scaling,
        one_hot,
        one_hot_origins,
        tree_conditions,
    )
    from ruleplay.benchmarks.real_data.task import (
        Fit,
        Floats,
        Integers,
        Labels,
        NotApplicableError,
        Size,
        Task,
        serve,
    )
else:
    from benchmarks.real_data.encoding import (
        Scaling,
        one_hot,
        one_hot_origins,
        tree_conditions,
    )
    from benchmarks.real_data.task import (
        Fit,
        Floats,
        Integers,
        Labels,
        NotApplicableError,
        Size,
        Task,
        serve,
    )

TARGET = "the class"
LIBRARIES = {
    "ripper": "wittgenstein",
    "figs": "imodels",
    "cubist": "cubist",
    "ebm": "interpret-core",
}
MODULES = {**LIBRARIES, "ebm": "interpret.glassbox"}


class Ripper:
    """Rules for the rarer class of two; a row that no rule matches is of the other."""

    def __init__(self, task: Task) -> None:
        """Learn rules; what is missing is a category of its own, or the median."""
        if task.n_classes != 2:
            raise NotApplicableError("two classes only")
        self.positive = int(np.bincount(task.labels).argmin())
        numbers = task.train.select_dtypes("number")
        self.medians = numbers.median()
        self.model = importlib.import_module(MODULES["ripper"]).RIPPER(random_state=task.seed)
        table = self.filled(task.train).assign(**{TARGET: task.labels})
        self.model.fit(table, class_feat=TARGET, pos_class=self.positive)

    def filled(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Return rows without gaps, categories as text."""
        filled = rows.fillna(self.medians)
        for name in rows.select_dtypes("category"):
            filled[name] = rows[name].astype(object).where(rows[name].notna(), "missing")
        return filled

    def predict(self, rows: pd.DataFrame) -> Integers:
        """Return the class of each row."""
        says_positive = np.asarray(self.model.predict(self.filled(rows)), dtype=bool)
        return np.where(says_positive, self.positive, 1 - self.positive)

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class; the library has the rarer one last."""
        shares = np.asarray(self.model.predict_proba(self.filled(rows)), dtype=np.float64)
        return shares if self.positive == 1 else shares[:, ::-1]

    def size(self) -> Size:
        """Count the rules and the other class, and the features that each rule names."""
        rules = self.model.ruleset_.rules
        named = [{condition.feature for condition in rule.conds} for rule in rules]
        return Size(len(rules) + 1, sum(map(len, named)))


class Figs:
    """A sum of small trees."""

    def __init__(self, task: Task) -> None:
        """Grow the trees, with medians for what is missing."""
        encoded = one_hot(task.train)
        self.scaling, self.origins = Scaling.of(encoded), one_hot_origins(task.train)
        figs = importlib.import_module(MODULES["figs"]).FIGSClassifier(random_state=task.seed)
        self.model = figs.fit(self.scaling.apply(encoded), task.labels)

    def predict(self, rows: pd.DataFrame) -> Integers:
        """Return the class of each row."""
        codes: Integers = self.model.predict(self.scaling.apply(one_hot(rows)))
        return codes

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class."""
        shares: Floats = self.model.predict_proba(self.scaling.apply(one_hot(rows)))
        return shares

    def size(self) -> Size:
        """Count the leaves of all trees, and the features named on the way to each."""
        return Size(
            sum(map(count_leaves, self.model.trees_)),
            sum(
                tree_conditions(
                    root,
                    lambda node: None if node.left is None else int(node.feature),
                    lambda node: (node.left, node.right),
                    self.origins,
                )
                for root in self.model.trees_
            ),
        )


class Cubist:
    """Rules with linear models, which takes frames with gaps."""

    def __init__(self, task: Task) -> None:
        """Learn one committee of rules, by its own defaults."""
        cubist = importlib.import_module(MODULES["cubist"]).Cubist(random_state=task.seed)
        self.model = cubist.fit(self.plain(task.train), task.labels)

    def plain(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Return rows with plain names of columns and of categories."""
        columns = {}
        for k, name in enumerate(rows):
            column = rows[name]
            if isinstance(column.dtype, pd.CategoricalDtype):
                words = [f"v{code}" for code in range(len(column.cat.categories))]
                column = column.cat.rename_categories(words)
            columns[f"a{k}"] = column
        return pd.DataFrame(columns)

    def predict(self, rows: pd.DataFrame) -> Floats:
        """Return the quantity of each row."""
        values: Floats = self.model.predict(self.plain(rows))
        return values

    def size(self) -> Size:
        """Count the rules, and the features that each names; terms of models are none."""
        rules = sum(line.startswith("conds=") for line in self.model.model_.splitlines())
        splits = self.model.splits_
        if splits is None or splits.empty:  # one rule about everything
            return Size(rules, 0)
        named = len(splits[["rule", "variable"]].drop_duplicates())
        return Size(rules, named)


class Boosting:
    """An explainable boosting machine, which takes frames as they are and has no rules."""

    def __init__(self, task: Task) -> None:
        """Fit it on one thread."""
        glassbox = importlib.import_module(MODULES["ebm"])
        ending = "Classifier" if task.n_classes else "Regressor"
        machine = getattr(glassbox, f"ExplainableBoosting{ending}")(
            n_jobs=1, random_state=task.seed
        )
        self.model = machine.fit(task.train, task.labels)

    def predict(self, rows: pd.DataFrame) -> Labels:
        """Return the class, or the quantity, of each row."""
        labels: Labels = self.model.predict(rows)
        return labels

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class."""
        shares: Floats = self.model.predict_proba(rows)
        return shares

    def size(self) -> Size:
        """Return nothing: curves are no rules."""
        return Size()


def count_leaves(node: Any) -> int:
    """Count the leaves under a node."""
    return 1 if node.left is None else count_leaves(node.left) + count_leaves(node.right)


def import_first(contender: str, task: Task) -> None:
    """Import the contender's library, which is no part of learning."""
    importlib.import_module(MODULES[contender])


CONTENDERS: dict[str, Fit] = {"ripper": Ripper, "figs": Figs, "cubist": Cubist, "ebm": Boosting}

if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    serve(CONTENDERS, lambda contender: version(LIBRARIES[contender]), import_first)
