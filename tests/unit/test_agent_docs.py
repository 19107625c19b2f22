"""What the documentation of the agent shows is true."""

import re
import warnings
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
RUNS = ROOT / "docs" / "results" / "control.csv"


@pytest.fixture(scope="module")
def benchmark_script():
    spec = spec_from_file_location("control_table", ROOT / "benchmarks" / "control_table.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """Run all examples; return what they leave, and what they print as `printed`."""
    lines, found = [], {}
    found["print"] = lambda *values: lines.append(" ".join(map(str, values)))
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("error")
        patch.chdir(tmp_path_factory.mktemp("docs"))
        for block in BLOCKS:
            exec(block, found)
        return {**found, "printed": "\n".join(lines)}


def test_the_examples_print_what_they_show(names):
    """The last digits may depend on the machine, so that numbers are compared roughly."""
    shown = re.search(r"\n```\n(IF .*?)```", TEXT, re.DOTALL).group(1)
    summary = "rules? and a default action instead of"
    for sentence in ("THEN", "position -0.50, velocity 0.010: push right", summary, "ELSE push"):
        assert re.search(sentence, shown), sentence
        assert re.search(sentence, names["printed"]), sentence
    assert "IF row = 0 AND column = 0 THEN left" in names["printed"]
    assert names["agent"].evaluate(100).mean == pytest.approx(-168, abs=25)


def test_the_list_shown_does_better_than_all_rules(names):
    made = names["made"]
    assert made.after <= 4
    assert made.score_before == pytest.approx(-172, abs=25)
    assert made.score_after > made.score_before + 20
    decide = {}
    exec(made.ruleset.to_python(), decide)
    assert decide["decide"]([-0.9, 0.02]) == 2  # rolling back to the right: push right


def test_a_loaded_agent_acts_as_the_saved_one(names):
    assert names["driver"].predict([-0.5, 0.01]) == names["agent"].predict([-0.5, 0.01])


def test_the_callback_ended_learning_at_a_good_agent_or_not_at_all(names):
    poles = names["poles"]
    good = sum(poles.episode_returns[-20:]) >= 1000
    assert good or poles.num_timesteps >= 4000


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
