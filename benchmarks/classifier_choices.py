"""Measure what XCSClassifier's defaults are better than, on the tuning sets.

Run with: python benchmarks/classifier_choices.py [--sets bupa wine ...] [--out CSV]

Each choice differs from the defaults by what it says. Of each set of the tuning list one fold is
tested, with at most 1000 of the other rows to learn from, drawn by the fold's seed. Runs are added
to the file as they end; those that are there are not repeated.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from choices import Study, draw_rows, measure_choices, time_fit

from ruleplay import XCSClassifier
from ruleplay.benchmarks.real_data.data import load_set
from ruleplay.benchmarks.real_data.figures import CLIP
from ruleplay.benchmarks.real_data.folds import Fold, make_folds
from ruleplay.benchmarks.real_data.kinds import FIRST_SEED
from ruleplay.benchmarks.real_data.lists import TUNING

CHOICES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "drawn_from=1": {"drawn_from": 1},
    "ga_threshold=25": {"ga_threshold": 25},
    "replay=None": {"replay": None},
    "settle=False": {"settle": False},
    "calibrate=False": {"calibrate": False},
    "n_populations=10": {"n_populations": 10},
}
COLUMNS = ["choice", "set", "seed", "fold", "accuracy", "log_loss"]
COLUMNS += ["rules", "presentations", "seconds"]
OUT = Path(__file__).parents[1] / "docs" / "results" / "real-data" / "choices.csv"


def take_rows(fold: Fold, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the rows to learn from, without columns that have no value there."""
    chosen = draw_rows(fold, seed)
    rows = fold.train.iloc[chosen].reset_index(drop=True).dropna(axis=1, how="all")
    for name in rows.select_dtypes("category"):
        rows[name] = rows[name].cat.remove_unused_categories()
    return rows, fold.train_labels[chosen]


def run(choice: str, name: str) -> dict[str, Any]:
    """Return what a choice does on the first fold of a set."""
    seed = FIRST_SEED["tuning"]
    fold = make_folds(load_set(name), seed)[0]
    rows, labels = take_rows(fold, seed)
    model = XCSClassifier(random_state=seed, **CHOICES[choice])
    made = time_fit(model, rows, labels)
    test = fold.test[rows.columns]
    right = model.predict(test) == fold.test_labels
    return {
        "choice": choice,
        "set": name,
        "seed": seed,
        "fold": 0,
        "accuracy": round(float(right.mean()), 6),
        "log_loss": round(measure_loss(model, test, fold.test_labels), 6),
        **made,
    }


def measure_loss(model: XCSClassifier, rows: pd.DataFrame, labels: np.ndarray) -> float:
    """Return the log loss, without rows of classes that were not among those to learn from."""
    known = np.isin(labels, model.classes_)
    places = np.searchsorted(model.classes_, labels[known])
    shares = model.predict_proba(rows[known])[np.arange(known.sum()), places]
    return float(-np.log(np.maximum(shares, CLIP)).mean())


def summarize(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a row per choice: means over the sets that all have, and against the defaults."""
    accuracy = runs.pivot(index="set", columns="choice", values="accuracy").dropna()
    there = runs[runs["set"].isin(accuracy.index)].groupby("choice")
    table = there[["accuracy", "log_loss", "rules", "presentations", "seconds"]].mean()
    table["difference"] = (accuracy.sub(accuracy["defaults"], axis=0)).mean()
    table["sets"] = len(accuracy)
    return table.loc[[choice for choice in CHOICES if choice in table.index]]


def markdown(runs: pd.DataFrame) -> str:
    """Return the summary as a table for the documentation."""
    head = "| choice | accuracy | against the defaults | log loss | rules | CPU s |"
    rows = [
        f"| `{choice}` | {row.accuracy:.3f} | {row.difference:+.3f} | {row.log_loss:.3f} "
        f"| {row.rules:.0f} | {row.seconds:.1f} |"
        for choice, row in summarize(runs).iterrows()
    ]
    return "\n".join([head, "|---|---|---|---|---|---|", *rows]) + "\n"


if __name__ == "__main__":
    about = __doc__.splitlines()[0]
    measure_choices(Study(about, CHOICES, TUNING, COLUMNS, OUT, run, markdown))
