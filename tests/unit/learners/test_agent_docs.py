"""The table of agents in the documentation is that of its runs."""

from pathlib import Path

import pandas as pd
import pytest

from scripts import load_script

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
RUNS = ROOT / "docs" / "results" / "control.csv"


@pytest.fixture(scope="module")
def benchmark_script():
    return load_script("control_table")


def test_the_table_is_that_of_the_runs(benchmark_script):
    runs = pd.read_csv(RUNS)
    ours = runs[runs["agent"] == "xcs"]
    assert set(ours["environment"]) == set(benchmark_script.STEPS)
    for name, group in ours.groupby("environment"):
        assert sorted(group["seed"]) == list(range(10)), name
    assert benchmark_script.markdown(runs) in TEXT


def test_runs_that_are_there_are_not_repeated(benchmark_script, tmp_path, monkeypatch):
    made = []

    def run(name, seed, steps):
        made.append((name, seed))
        return {"return": 1.0, "rules": 7}

    monkeypatch.setattr(benchmark_script, "run_xcs", run)
    path = tmp_path / "runs" / "control.csv"
    names = ["CartPole-v1", "Taxi-v4"]
    benchmark_script.make_runs(path, ["xcs"], names, 1)
    runs = benchmark_script.make_runs(path, ["xcs"], names, 2)
    assert made == [("CartPole-v1", 0), ("Taxi-v4", 0), ("CartPole-v1", 1), ("Taxi-v4", 1)]
    assert runs["seed"].tolist() == [0, 0, 1, 1]
    assert "| Taxi-v4 | 100 000 | xcs | 1.000 ± 0.000 |" in benchmark_script.markdown(runs)


def test_a_run_of_the_benchmark_has_its_figures(benchmark_script):
    found = benchmark_script.run_xcs("CliffWalking-v1", 100, 6000)
    assert found["return"] == -13
    assert found["rules"] > 100
    assert "list_rules" not in found
