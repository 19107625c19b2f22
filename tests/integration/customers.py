"""A table of customers as files have them, and a model that `ruleplay fit` has made of it."""

import numpy as np
import pandas as pd
from typer.testing import CliRunner

from ruleplay.cli import app


def call(*arguments, **options):
    """Run a command."""
    return CliRunner().invoke(app, [*map(str, arguments)], **options)


def customers(n, seed):
    """Make customers: new ones with a small plan leave; numbers have commas, gaps are there."""
    random = np.random.default_rng(seed)
    plan = random.choice(["Basic", "Pro (annual)", "Team", "Größe 5"], n)
    active, tenure = random.random(n) < 0.5, random.integers(0, 60, n)
    leaves = (tenure < 20) & np.isin(plan, ["Basic", "Größe 5"]) | (tenure < 40) & ~active
    leaves ^= random.random(n) < 0.03
    return pd.DataFrame(
        {
            "customer": [f"C{k:05d}" for k in range(n)],
            "tenure": np.where(random.random(n) < 0.03, "?", tenure.astype(str)),
            "price": [f"{value:.2f}".replace(".", ",") for value in random.gamma(3, 10, n)],
            "plan": plan,
            "is_active": active.astype(str),
            "churn": np.where(leaves, "yes", "no"),
        }
    )


def fit_customers(place):
    """Write a table and new rows to a folder, and the model, and what `fit` said."""
    customers(600, 0).to_csv(place / "churn.csv", index=False)
    customers(200, 1).to_csv(place / "new.csv", index=False)
    done = call("fit", place / "churn.csv", "--target", "churn", "--save", place / "churn.ruleplay")
    assert done.exit_code == 0, done.output
    (place / "said.txt").write_text(done.stdout, encoding="utf-8")
    return place
