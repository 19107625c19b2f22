"""Measure choices that differ from defaults, each once on each set; what is there stays."""

import argparse
import csv
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ruleplay.benchmarks.real_data.folds import Fold

MOST_ROWS = 1000


class Study(NamedTuple):
    """What is measured, and where it is written."""

    about: str
    choices: Iterable[str]
    sets: Sequence[str]
    columns: Sequence[str]
    out: Path
    run: Callable[[str, str], dict[str, Any]]  # a choice, a set
    markdown: Callable[[pd.DataFrame], str]  # all runs, as a table for the documentation


def draw_rows(fold: Fold, seed: int) -> np.ndarray:
    """Return which rows of a fold to learn from."""
    return np.random.default_rng(seed).permutation(len(fold.train))[:MOST_ROWS]


def time_fit(model: Any, rows: pd.DataFrame, labels: ArrayLike) -> dict[str, Any]:
    """Fit a model; return how large it is, and how long that has taken."""
    start = time.process_time()
    model.fit(rows, labels)
    seconds = time.process_time() - start
    return {
        "rules": model.engine_.macroclassifiers,
        "presentations": model.n_steps_,
        "seconds": round(seconds, 2),
    }


def measure_choices(study: Study) -> None:
    """Add the runs that are missing to the file as they end; print the table of all."""
    parser = argparse.ArgumentParser(description=study.about)
    parser.add_argument("--sets", nargs="*", default=study.sets, choices=study.sets)
    parser.add_argument("--out", type=Path, default=study.out)
    options = parser.parse_args()
    out = options.out
    known = pd.read_csv(out) if out.exists() else pd.DataFrame(columns=study.columns)
    done = set(zip(known["choice"], known["set"], strict=True))
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a", newline="") as file:
        writer = csv.DictWriter(file, study.columns)
        if known.empty:
            writer.writeheader()
        for name in options.sets:
            for choice in study.choices:
                if (choice, name) not in done:
                    writer.writerow(study.run(choice, name))
                    file.flush()
    print(study.markdown(pd.read_csv(out)))
