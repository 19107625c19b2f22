"""The table of what the agents' defaults were chosen by is that of its runs."""

from pathlib import Path

import pandas as pd
import pytest

from scripts import load_script

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def benchmark_script():
    return load_script("agent_choices")


@pytest.mark.uncompiled
def test_the_table_is_that_of_the_runs(benchmark_script):
    runs = pd.read_csv(benchmark_script.OUT)
    assert benchmark_script.markdown(runs) in (DOCS / "control.md").read_text(encoding="utf-8")


@pytest.mark.uncompiled
def test_runs_are_those_of_the_tuning_seeds(benchmark_script):
    runs = pd.read_csv(benchmark_script.OUT)
    seeds = runs["set"].str.split("/").str[1].astype(int)
    assert seeds.between(1000, 1999).all()
    assert set(runs["choice"]) <= set(benchmark_script.CHOICES)
    assert not runs.duplicated(["choice", "set"]).any()


def test_a_run_has_its_figures(benchmark_script, monkeypatch):
    monkeypatch.setattr(benchmark_script, "STEPS", {"CliffWalking-v1": 300})
    found = benchmark_script.run("defaults", "CliffWalking-v1/1000")
    assert list(found) == benchmark_script.COLUMNS
    assert found["return"] <= -13.0
