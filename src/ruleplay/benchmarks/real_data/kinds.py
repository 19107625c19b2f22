"""Say what comparisons of classifiers and of regressors do not share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from ruleplay.benchmarks.real_data import data, folds, lists
from ruleplay.benchmarks.real_data.contenders import CLASSIFIERS, REGRESSORS
from ruleplay.benchmarks.real_data.data import DataSet
from ruleplay.benchmarks.real_data.regression import data as regression_data
from ruleplay.benchmarks.real_data.regression import lists as regression_lists
from ruleplay.benchmarks.roster import Roster
from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError

SIZES = ("rules", "conditions")
SECONDS = ("fit_seconds", "predict_seconds")


@dataclass(frozen=True, kw_only=True)
class Kind:
    """The lists, the contenders and the figures of comparisons of one kind."""

    lists: Mapping[str, tuple[str, ...]]  # the sets of each list
    roster: Roster
    load: Callable[[str], DataSet]
    folds: int
    figures: Mapping[str, str]  # contenders are ranked by them; words for tables
    others: Mapping[str, str] = field(default_factory=dict)  # shown, but not ranked by
    smaller_is_better: tuple[str, ...] = ()
    medians: tuple[str, ...] = SIZES  # one set would decide about a mean
    folder: str  # in which runs are kept if nothing else is said

    @property
    def measured(self) -> tuple[str, ...]:
        """Return the columns of runs that are numbers."""
        return (*self.figures, *self.others, *SIZES, *SECONDS)

    def sets_of(self, list_name: str, only: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the sets of a list, or those of them that are asked for."""
        names = self.lists[list_name]
        for name in only:
            if name not in names:
                raise ConfigError(unknown_name(f"set of the {list_name} list", name, list(names)))
        return tuple(name for name in names if not only or name in only)


CLASSIFICATION = Kind(
    lists={"tuning": lists.TUNING, "reported": lists.REPORTED},
    roster=CLASSIFIERS,
    load=data.load_set,
    folds=folds.FOLDS,
    figures={
        "accuracy": "accuracy",
        "balanced_accuracy": "balanced accuracy",
        "auc": "AUC",
        "log_loss": "log loss",
    },
    smaller_is_better=("log_loss",),
    folder="real-data",
)
REGRESSION = Kind(
    lists={
        "regression-tuning": regression_lists.TUNING,
        "regression-reported": regression_lists.REPORTED,
    },
    roster=REGRESSORS,
    load=regression_data.load_set,
    folds=folds.FOLDS_OF_QUANTITIES,
    figures={"rmse": "standardised RMSE", "mae": "standardised MAE", "r2": "R²"},
    others={"coverage": "coverage", "width": "width"},
    smaller_is_better=("rmse", "mae"),
    medians=(*SIZES, "r2"),
    folder="real-data-regression",
)
KINDS = (CLASSIFICATION, REGRESSION)
FIRST_SEED = {name: 100 if name.endswith("tuning") else 0 for kind in KINDS for name in kind.lists}


def kind_of_list(name: str) -> Kind:
    """Return the kind of comparison that has a list, or refuse what is none."""
    for kind in KINDS:
        if name in kind.lists:
            return kind
    raise ConfigError(f"list must be {', '.join(FIRST_SEED)}, got {name!r}")


def kind_of(runs: pd.DataFrame) -> Kind:
    """Return the kind of comparison that runs belong to, by their columns."""
    return next(kind for kind in KINDS if set(kind.figures) <= set(runs.columns))
