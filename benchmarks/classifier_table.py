"""Compare XCSClassifier and RuleListClassifier with decision trees on small data sets.

Run with: python benchmarks/classifier_table.py [--seeds 10] [--out docs/results/classifier.csv]

Every seed divides the rows anew, 70 % to learn from and 30 % to test on, stratified. The tree
"as many leaves" may have as many leaves as XCSClassifier has rules on the same rows.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_moons
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from ruleplay import RuleListClassifier, XCSClassifier

Data = tuple[np.ndarray, np.ndarray]

DRAWN_ROWS = 1000
TABLES = {
    "iris": load_iris,
    "wine": load_wine,
    "breast cancer": load_breast_cancer,
    "digits": load_digits,
}
DRAWN = ("moons", "multiplexer 6", "checkerboard 5x5")
MODELS = ("XCSClassifier", "RuleListClassifier", "tree, as many leaves", "tree")


def draw_rows(name: str, seed: int) -> Data:
    """Return rows of a problem that can be drawn from."""
    if name == "moons":
        return make_moons(DRAWN_ROWS, noise=0.2, random_state=seed)
    rng = np.random.default_rng(seed)
    if name == "checkerboard 5x5":
        rows = rng.random((DRAWN_ROWS, 2))
        return rows, (rows * 5).astype(int).sum(axis=1) % 2
    rows = rng.random((DRAWN_ROWS, 6))
    bits = (rows > 0.5).astype(int)
    return rows, bits[np.arange(DRAWN_ROWS), 2 + 2 * bits[:, 0] + bits[:, 1]]


def divide(name: str, seed: int) -> list[np.ndarray]:
    """Return rows to learn from, rows to test on, and both labels."""
    rows, labels = TABLES[name](return_X_y=True) if name in TABLES else draw_rows(name, seed)
    return train_test_split(rows, labels, test_size=0.3, stratify=labels, random_state=seed)


def compare(name: str, seed: int) -> list[dict[str, object]]:
    """Return one record for each model."""
    rows, new_rows, labels, new_labels = divide(name, seed)
    plain = XCSClassifier(random_state=seed).fit(rows, labels)
    short = RuleListClassifier(random_state=seed).fit(rows, labels)
    limit = max(2, plain.engine_.macroclassifiers)
    same_size = DecisionTreeClassifier(max_leaf_nodes=limit, random_state=seed)
    trees = [same_size, DecisionTreeClassifier(random_state=seed)]
    fitted: list[ClassifierMixin] = [plain, short, *(t.fit(rows, labels) for t in trees)]
    sizes = [plain.engine_.macroclassifiers, short.n_rules_ + 1]
    sizes += [tree.get_n_leaves() for tree in trees]
    return [
        {
            "data": name,
            "seed": seed,
            "model": model,
            "accuracy": round(estimator.score(new_rows, new_labels), 6),
            "rules": size,
        }
        for model, estimator, size in zip(MODELS, fitted, sizes, strict=True)
    ]


def with_interval(values: pd.Series) -> str:
    """Return the mean and the half-width of its 95 % interval (Student's t)."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.sem() if len(values) > 1 else np.nan
    return f"{values.mean():.3f} ± {half:.3f}"


def markdown(runs: pd.DataFrame) -> str:
    """Return accuracies by data set and model, with the mean number of rules or leaves."""
    lines = [f"| data | {' | '.join(MODELS)} |", f"|---|{'---|' * len(MODELS)}"]
    for name, group in runs.groupby("data", sort=False):
        cells = []
        for model in MODELS:
            chosen = group[group["model"] == model]
            cells.append(f"{with_interval(chosen['accuracy'])} ({chosen['rules'].mean():.0f})")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Make the runs, write each one to a file, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", type=Path, default=Path("docs/results/classifier.csv"))
    parser.add_argument("--data", nargs="+", choices=[*TABLES, *DRAWN], default=[*TABLES, *DRAWN])
    options = parser.parse_args()
    runs = pd.DataFrame(
        [
            run
            for name in options.data
            for seed in range(options.seeds)
            for run in compare(name, seed)
        ]
    )
    options.out.parent.mkdir(parents=True, exist_ok=True)
    runs.to_csv(options.out, index=False)
    print(markdown(runs))


if __name__ == "__main__":
    main()
