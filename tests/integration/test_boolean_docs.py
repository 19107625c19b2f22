"""The tables of boolean problems in the documentation are those of their runs."""

from pathlib import Path

import pandas as pd
import pytest

from scripts import load_script

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def benchmark_script():
    return load_script("boolean_table")


def test_the_tables_are_those_of_the_runs(benchmark_script):
    runs = pd.read_csv(ROOT / "docs" / "results" / "boolean.csv")
    text = (ROOT / "docs" / "boolean.md").read_text(encoding="utf-8")
    assert benchmark_script.answers_table(runs) in text
    assert benchmark_script.mazes_table(runs) in text


def test_runs_are_made_once_and_have_their_figures(benchmark_script, tmp_path):
    path = tmp_path / "runs.csv"
    specs = [benchmark_script.specify(name, None, 3000) for name in ("mux11", "woods1")]
    benchmark_script.make_runs(path, specs, 1)
    once = path.read_text()
    runs = benchmark_script.make_runs(path, specs, 1)
    assert path.read_text() == once
    assert runs["preset"].tolist() == ["mux11", "woods1"]
    assert "| mux11 | xcs-er | 800 |" in benchmark_script.answers_table(runs)
    assert "| woods1 | xcs-er | 800 | 3000 | 1 |" in benchmark_script.mazes_table(runs)
