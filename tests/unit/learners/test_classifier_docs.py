"""The table of classifiers in the documentation is that of its runs."""

import csv
from pathlib import Path

import pandas as pd
import pytest

from scripts import load_script

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "classifier.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def benchmark_script():
    return load_script("classifier_table")


def test_the_table_is_that_of_the_runs(benchmark_script):
    runs = pd.read_csv(ROOT / "docs" / "results" / "classifier.csv")
    assert sorted(runs["seed"].unique()) == list(range(10))
    assert benchmark_script.markdown(runs) in TEXT


def test_a_run_of_the_comparison_has_every_model(benchmark_script):
    records = benchmark_script.compare("iris", 1000)
    assert [record["model"] for record in records] == list(benchmark_script.MODELS)
    assert all(0.8 < record["accuracy"] <= 1.0 for record in records)
    rules, leaves = records[0]["rules"], records[2]["rules"]
    assert leaves <= rules


def test_the_table_of_large_files_is_that_of_the_runs():
    with (ROOT / "docs" / "results" / "large_data.csv").open(newline="") as file:
        table = load_script("large_data").make_table(csv.DictReader(file))
    assert table in (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
