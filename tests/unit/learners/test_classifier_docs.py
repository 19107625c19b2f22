"""The table of classifiers in the documentation is that of its runs."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "classifier.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def benchmark_script():
    spec = spec_from_file_location("classifier_table", ROOT / "benchmarks" / "classifier_table.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
