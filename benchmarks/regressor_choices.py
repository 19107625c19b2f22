"""Measure what XCSRegressor's defaults are better than, on the tuning sets.

Run with: python benchmarks/regressor_choices.py [--sets laser quake ...] [--out CSV]

Each choice differs from the defaults by what it says. Of each set of the tuning list one fold is
tested, with at most 1000 of the other rows to learn from, drawn by the fold's seed. Runs are added
to the file as they end; those that are there are not repeated.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from choices import Study, draw_rows, measure_choices, time_fit

from ruleplay import XCSRegressor
from ruleplay.benchmarks.real_data.folds import make_folds
from ruleplay.benchmarks.real_data.kinds import FIRST_SEED
from ruleplay.benchmarks.real_data.regression.data import load_set
from ruleplay.benchmarks.real_data.regression.figures import measure
from ruleplay.benchmarks.real_data.regression.lists import TUNING
from ruleplay.benchmarks.real_data.task import COVERAGE

CHOICES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "drawn_from=1": {"drawn_from": 1},
    "prediction='scalar'": {"prediction": "scalar"},
    "settle=False": {"settle": False},
}
COLUMNS = ["choice", "set", "seed", "fold", "rmse", "coverage", "width"]
COLUMNS += ["rules", "presentations", "seconds"]
OUT = Path(__file__).parents[1] / "docs" / "results" / "real-data-regression" / "choices.csv"


def run(choice: str, name: str) -> dict[str, Any]:
    """Return what a choice does on the first fold of a set."""
    seed = FIRST_SEED["regression-tuning"]
    fold = make_folds(load_set(name), seed)[0]
    chosen = draw_rows(fold, seed)
    model = XCSRegressor(random_state=seed, **CHOICES[choice])
    made = time_fit(model, fold.train.iloc[chosen], fold.train_labels[chosen])
    ends = np.column_stack(model.interval(fold.test, coverage=COVERAGE))
    found = measure(fold.test_labels, model.predict(fold.test), ends, fold.spread)
    return {
        "choice": choice,
        "set": name,
        "seed": seed,
        "fold": 0,
        "rmse": round(found.rmse, 6),
        "coverage": round(float(found.coverage or 0.0), 6),
        "width": round(float(found.width or 0.0), 6),
        **made,
    }


def summarize(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a row per choice: means over the sets that all have, and against the defaults.

    `ratio` is the geometric mean over the sets of the errors' ratio to those of the defaults.
    """
    errors = runs.pivot(index="set", columns="choice", values="rmse").dropna()
    there = runs[runs["set"].isin(errors.index)].groupby("choice")
    table = there[["rmse", "coverage", "rules", "presentations", "seconds"]].mean()
    ratios = errors.div(errors["defaults"], axis=0)
    table["ratio"] = np.exp(np.log(ratios).mean())
    table["better"] = (ratios < 1.0).sum()
    table["sets"] = len(errors)
    return table.loc[[choice for choice in CHOICES if choice in table.index]]


def markdown(runs: pd.DataFrame) -> str:
    """Return the summary as a table for the documentation."""
    head = "| choice | standardised RMSE | times the defaults' | smaller on | coverage | rules |"
    rows = [
        f"| `{choice}` | {row.rmse:.3f} | {row.ratio:.2f} | {row.better:.0f} of {row.sets:.0f} "
        f"| {row.coverage:.2f} | {row.rules:.0f} | {row.seconds:.1f} |"
        for choice, row in summarize(runs).iterrows()
    ]
    return "\n".join([f"{head} CPU s |", "|---|---|---|---|---|---|---|", *rows]) + "\n"


if __name__ == "__main__":
    about = __doc__.splitlines()[0]
    measure_choices(Study(about, CHOICES, TUNING, COLUMNS, OUT, run, markdown))
