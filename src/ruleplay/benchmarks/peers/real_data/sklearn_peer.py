"""Run a classifier or a regressor of scikit-learn on one fold.

    python sklearn_peer.py --contender forest --task TASK.json

Trees and forests take missing numbers as they are, and so does boosting, which takes categories
as well; the linear model and the neighbours get medians and scaled columns.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

sys.path.append(str(Path(__file__).resolve().parents[3]))
if TYPE_CHECKING:
    from ruleplay.benchmarks.real_data.encoding import one_hot, one_hot_origins, tree_conditions
    from ruleplay.benchmarks.real_data.task import Fit, Floats, Labels, Size, Task, serve
else:
    from benchmarks.real_data.encoding import one_hot, one_hot_origins, tree_conditions
    from benchmarks.real_data.task import Fit, Floats, Labels, Size, Task, serve

TREES = 500
SMALL_TREE = 10
MOST_ITERATIONS = 5000


class FittedEstimator:
    """A fitted estimator and how rows are brought to it."""

    def __init__(self, estimator: Any, task: Task, encode: Any) -> None:
        """Fit the estimator."""
        self.encode, self.columns = encode, task.train.head(0)
        self.estimator = estimator.fit(encode(task.train), task.labels)

    def predict(self, rows: pd.DataFrame) -> Labels:
        """Return the class, or the quantity, of each row."""
        labels: Labels = self.estimator.predict(self.encode(rows))
        return labels

    def probabilities(self, rows: pd.DataFrame) -> Floats:
        """Return the probability of each class."""
        shares: Floats = self.estimator.predict_proba(self.encode(rows))
        return shares

    def size(self) -> Size:
        """Count the leaves of a single tree as rules; other models have none."""
        if not isinstance(self.estimator, DecisionTreeClassifier | DecisionTreeRegressor):
            return Size()
        tree = self.estimator.tree_
        conditions = tree_conditions(
            0,
            lambda node: None if tree.feature[node] < 0 else int(tree.feature[node]),
            lambda node: (int(tree.children_left[node]), int(tree.children_right[node])),
            one_hot_origins(self.columns),
        )
        return Size(int(self.estimator.get_n_leaves()), conditions)


def as_it_is(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the frame itself, for an estimator that knows categories."""
    return rows


def scaled(estimator: Any) -> Any:
    """Put medians for what is missing and scaled columns before an estimator."""
    return make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), estimator)


def fit_tree(task: Task, leaves: int | None = None) -> FittedEstimator:
    """Fit a tree, grown in full, or to a number of leaves."""
    kind = DecisionTreeClassifier if task.n_classes else DecisionTreeRegressor
    tree = kind(max_leaf_nodes=leaves, random_state=task.seed)
    return FittedEstimator(tree, task, one_hot)


def fit_forest(task: Task) -> FittedEstimator:
    """Fit a random forest."""
    kind = RandomForestClassifier if task.n_classes else RandomForestRegressor
    forest = kind(TREES, random_state=task.seed)
    return FittedEstimator(forest, task, one_hot)


def fit_boosting(task: Task) -> FittedEstimator:
    """Fit boosted trees that split at categories."""
    kind = HistGradientBoostingClassifier if task.n_classes else HistGradientBoostingRegressor
    boosting = kind(categorical_features="from_dtype", random_state=task.seed)
    return FittedEstimator(boosting, task, as_it_is)


def fit_logistic(task: Task) -> FittedEstimator:
    """Fit a linear model of the odds of classes."""
    model = LogisticRegression(max_iter=MOST_ITERATIONS, random_state=task.seed)
    return FittedEstimator(scaled(model), task, one_hot)


def fit_linear(task: Task) -> FittedEstimator:
    """Fit a linear model of the quantity."""
    return FittedEstimator(scaled(LinearRegression()), task, one_hot)


def fit_neighbours(task: Task) -> FittedEstimator:
    """Keep the rows, to ask the five nearest."""
    kind = KNeighborsClassifier if task.n_classes else KNeighborsRegressor
    return FittedEstimator(scaled(kind(5)), task, one_hot)


CONTENDERS: dict[str, Fit] = {
    "tree": fit_tree,
    "tree-10": partial(fit_tree, leaves=SMALL_TREE),
    "forest": fit_forest,
    "boosting": fit_boosting,
    "logistic": fit_logistic,
    "linear": fit_linear,
    "knn": fit_neighbours,
}

if __name__ == "__main__":
    np.seterr(all="ignore")
    serve(CONTENDERS, lambda contender: version("scikit-learn"))
