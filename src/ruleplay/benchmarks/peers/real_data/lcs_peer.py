"""Run another system that evolves rules on one fold: xcsf, scikit-XCS, or ex-fuzzy.

    python lcs_peer.py --contender xcsf --task TASK.json

xcsf has no defaults for classifying: it learns one-hot classes as constant predictions of boxes,
with 2000 rules and 100 000 presentations. Of quantities it learns linear models of boxes with its
own defaults, or, as `xcsf-ours`, with those of XCSRegressor as far as it has them. The others run
with their own defaults, too.
"""

from __future__ import annotations

import importlib
import json
import sys
import warnings
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

sys.path.append(str(Path(__file__).resolve().parents[3]))
if TYPE_CHECKING:
    from ruleplay.benchmarks.real_data.encoding import Scaling, one_hot, one_hot_origins
    from ruleplay.benchmarks.real_data.task import Fit, Floats, Integers, Size, Task, serve
else:
    from benchmarks.real_data.encoding import Scaling, one_hot, one_hot_origins
    from benchmarks.real_data.task import Fit, Floats, Integers, Size, Task, serve

LIBRARIES = {
    "xcsf": "xcsf",
    "xcsf-ours": "xcsf",
    "scikit-xcs": "scikit-XCS",
    "ex-fuzzy": "ex-fuzzy",
}
MODULES = {**LIBRARIES, "scikit-xcs": "skXCS", "ex-fuzzy": "ex_fuzzy.evolutionary_fit"}
SHARES = {
    "max_trials": 100_000,
    "pop_size": 2000,
    "loss_func": "onehot",
    "e0": 0.01,
    "condition": {
        "type": "hyperrectangle_csr",
        "args": {"min": 0.0, "max": 1.0, "spread_min": 0.1},
    },
    "prediction": {"type": "constant"},
}
QUANTITIES = {  # what XCSRegressor has by default if one population learns from all rows
    "max_trials": 200_000,
    "pop_size": 2000,
    "pop_init": False,
    "beta": 0.2,
    "alpha": 0.1,
    "nu": 5,
    "e0": 0.1,
    "theta_del": 20,
    "delta": 0.1,
    "init_error": 0.0,
    "init_fitness": 0.01,
    "theta_sub": 20,
    "set_subsumption": False,
    "loss_func": "mae",
    "ea": {
        "select_type": "tournament",
        "select_size": 0.4,
        "theta_ea": 25,
        "lambda": 2,
        "p_crossover": 0.8,
        "err_reduc": 1.0,
        "fit_reduc": 0.1,
        "subsumption": True,
        "pred_reset": False,
    },
    "condition": {
        "type": "hyperrectangle_csr",
        "args": {"min": 0.0, "max": 1.0, "spread_min": 0.1, "eta": 0.0},
    },
    "prediction": {
        "type": "rls_linear",
        "args": {"x0": 1.0, "lambda": 1.0, "scale_factor": 1000.0},
    },
}


class Boxes:
    """Boxes that xcsf has learned, with something that each predicts."""

    def __init__(self, task: Task, targets: Floats, settings: Mapping[str, Any]) -> None:
        """Learn targets, (rows, outputs), of scaled one-hot rows, medians for what is missing."""
        encoded = one_hot(task.train)
        self.scaling, self.origins = Scaling.of(encoded), one_hot_origins(task.train)
        self.model = importlib.import_module(MODULES["xcsf"]).XCS(
            x_dim=encoded.shape[1],
            y_dim=targets.shape[1],
            n_actions=1,
            omp_num_threads=1,
            random_state=task.seed,
            **settings,
        )
        self.model.fit(self.scaling.apply(encoded), targets, verbose=False)

    def outputs(self, rows: pd.DataFrame) -> Floats:
        """Return what is predicted, (rows, outputs)."""
        predicted = self.model.predict(self.scaling.apply(one_hot(rows)))
        return np.asarray(predicted, dtype=np.float64).reshape(len(rows), -1)

    def size(self) -> Size:
        """Count distinct rules, and the features whose range each of them narrows."""
        rules = json.loads(self.model.json(True, False, False))["classifiers"]
        return Size(len(rules), sum(self.narrowed(rule["condition"]) for rule in rules))

    def narrowed(self, box: dict[str, Any]) -> int:
        """Count the features whose range a box narrows."""
        centre, spread = np.array(box["center"]), np.array(box["spread"])
        columns = np.flatnonzero((centre - spread > 0.0) | (centre + spread < 1.0))
        return len({self.origins[column] for column in columns})


class Xcsf(Boxes):
    """Boxes that predict the share of each class."""

    def __init__(self, task: Task) -> None:
        """Learn one-hot classes."""
        super().__init__(task, np.eye(task.n_classes)[task.labels], SHARES)

    def predict(self, rows: pd.DataFrame) -> Integers:
        """Return the class of largest share."""
        codes: Integers = self.probabilities(rows).argmax(axis=1)
        return codes

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return what is predicted; none is below 0."""
        return np.maximum(self.outputs(rows), 0.0)


class XcsfOfQuantities(Boxes):
    """Boxes with linear models of the target, which is brought to mean 0 and variance 1."""

    def __init__(self, task: Task, settings: Mapping[str, Any] | None = None) -> None:
        """Learn the target, by default with the library's own settings."""
        self.mean, self.spread = float(task.labels.mean()), float(task.labels.std()) or 1.0
        targets = (task.labels - self.mean) / self.spread
        super().__init__(task, targets[:, np.newaxis], settings or {})

    def predict(self, rows: pd.DataFrame) -> Floats:
        """Return the quantity of each row."""
        return self.mean + self.spread * self.outputs(rows)[:, 0]


def fit_xcsf(task: Task) -> Xcsf | XcsfOfQuantities:
    """Learn classes, or quantities."""
    return Xcsf(task) if task.n_classes else XcsfOfQuantities(task)


class ScikitXcs:
    """XCS of scikit-XCS, which knows missing values, and categories as discrete attributes."""

    def __init__(self, task: Task) -> None:
        """Learn with its own defaults."""
        nominal = [
            k for k, kind in enumerate(task.train.dtypes) if isinstance(kind, pd.CategoricalDtype)
        ]
        model = importlib.import_module(MODULES["scikit-xcs"]).XCS(
            discrete_attribute_limit="d",
            specified_attributes=np.array(nominal),
            random_state=task.seed,
        )
        self.model = model.fit(self.numbers(task.train), task.labels)

    def numbers(self, rows: pd.DataFrame) -> Floats:
        """Return an array in which the number of a category stands for it."""
        columns = []
        for name in rows:
            column = rows[name]
            if isinstance(column.dtype, pd.CategoricalDtype):
                columns.append(np.where(column.isna(), np.nan, column.cat.codes))
            else:
                columns.append(column.to_numpy(np.float64))
        return np.column_stack(columns)

    def predict(self, rows: pd.DataFrame) -> Integers:
        """Return the class of each row."""
        return np.asarray(self.model.predict(self.numbers(rows))).ravel().astype(np.int64)

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class."""
        return np.asarray(self.model.predict_proba(self.numbers(rows)), dtype=np.float64)

    def size(self) -> Size:
        """Count distinct rules, and the features that each names."""
        rules = self.model.population.popSet
        return Size(len(rules), sum(len(rule.specifiedAttList) for rule in rules))


class Fuzzy:
    """Fuzzy rules found by a genetic algorithm."""

    def __init__(self, task: Task) -> None:
        """Learn from one-hot rows with medians for what is missing, by its own defaults."""
        encoded = one_hot(task.train)
        self.scaling, self.origins = Scaling.of(encoded), one_hot_origins(task.train)
        library = importlib.import_module(MODULES["ex-fuzzy"])
        self.model = library.BaseFuzzyRulesClassifier(random_state=task.seed, verbose=False)
        self.model.fit(self.scaling.apply(encoded), task.labels)

    def predict(self, rows: pd.DataFrame) -> Integers:
        """Return the class of each row."""
        return np.asarray(self.model.predict(self.scaling.apply(one_hot(rows)))).astype(np.int64)

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class."""
        shares: Floats = self.model.predict_proba(self.scaling.apply(one_hot(rows)))
        return shares

    def size(self) -> Size:
        """Count the rules, and the features that each names."""
        rules = self.model.rule_base.get_rules()
        named = [
            {self.origins[k] for k, level in enumerate(rule.antecedents) if level >= 0}
            for rule in rules
        ]
        return Size(len(rules), sum(map(len, named)))


def import_first(contender: str, task: Task) -> None:
    """Import the contender's library, which is no part of learning."""
    importlib.import_module(MODULES[contender])


CONTENDERS: dict[str, Fit] = {
    "xcsf": fit_xcsf,
    "xcsf-ours": partial(XcsfOfQuantities, settings=QUANTITIES),
    "scikit-xcs": ScikitXcs,
    "ex-fuzzy": Fuzzy,
}

if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    serve(CONTENDERS, lambda contender: version(LIBRARIES[contender]), import_first)
