"""Normalised scores, profiles and times follow from the runs; so do tables and drawings."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from ruleplay.benchmarks.control.analysis import (
    middle,
    normalised,
    profile,
    scales,
    shared_problems,
    to_threshold,
)
from ruleplay.benchmarks.control.problems import problem_of
from ruleplay.benchmarks.control.references import read_references
from ruleplay.benchmarks.control.runs import LAYOUT, read_runs
from ruleplay.benchmarks.control.summary import make_tables, write_summary
from ruleplay.benchmarks.run_file import RunLog
from ruleplay.cli import app

pytestmark = pytest.mark.uncompiled

MAZE = read_references()["Maze4"]


def row(contender, problem, best, seed=0, status="ok", **further):
    steps = problem_of(problem).steps
    given = {"list": "control", "contender": contender, "problem": problem, "seed": seed}
    given |= {"steps": steps, "status": status}
    if status != "ok":
        return {**given, "reason": "why"}
    return {**given, "version": "1", "best": best, "last": best, "seconds": 2.0, **further}


def between(share):
    return MAZE.random + share * (MAZE.best - MAZE.random)


ROWS = [
    *(row("xcs", "Maze4", between(0.8), seed, curve="5:-100:0.1 10:-1:0.3") for seed in range(4)),
    *(row("dqn", "Maze4", between(share), k) for k, share in enumerate((0.2, 0.4, 0.6, 0.8))),
    row("q-table", "Maze4", between(1.0), curve="5:-100:0.1 10:-90:0.3"),
    row("xcs", "FlappyBird-v0", 10.0, rules=40, conditions=90),
    row("dqn", "FlappyBird-v0", 20.0),
    row("q-table", "FlappyBird-v0", 0.0, status="not applicable"),
    row("ppo", "FlappyBird-v0", 0.0, status="failed"),
]


@pytest.fixture
def folder(tmp_path):
    log = RunLog(tmp_path, LAYOUT)
    for one in ROWS:
        log.add(one)
    return tmp_path


@pytest.fixture
def runs(folder):
    return read_runs(folder)


def test_random_play_is_0_and_the_best_policy_is_1(runs):
    good = normalised(runs, "best").set_index(["problem", "contender", "seed"])["normalised"]
    assert good["Maze4", "dqn", 1] == pytest.approx(0.4, abs=1e-5)
    assert good["Maze4", "q-table", 0] == pytest.approx(1.0, abs=1e-5)


def test_an_unknown_best_is_that_of_the_best_contender(runs):
    assert scales(runs, "best")["FlappyBird-v0"][1] == 20.0
    good = normalised(runs, "best").set_index(["problem", "contender"])["normalised"]
    assert good.loc[("FlappyBird-v0", "dqn")] == 1.0


def test_a_failed_run_counts_as_random_play(runs):
    found = middle(normalised(runs, "best"), "ppo", ["FlappyBird-v0"])
    assert found.value == 0.0
    assert shared_problems(runs, ["xcs", "ppo"]) == ["FlappyBird-v0"]


def test_the_interquartile_mean_leaves_out_the_outer_quarters(runs):
    found = middle(normalised(runs, "best"), "dqn", ["Maze4"])
    assert found.value == pytest.approx(0.5, abs=1e-5)
    assert found.interval[0] < 0.5 < found.interval[1]


def test_a_profile_is_the_share_of_runs_above_each_level(runs):
    good = normalised(runs, "best")
    found = profile(good, "dqn", np.array([0.1, 0.5, 0.9]), ["Maze4"])
    assert found.tolist() == [1.0, 0.5, 0.0]


def test_contenders_share_the_problems_on_which_each_has_a_run(runs):
    assert shared_problems(runs, ["xcs", "dqn"]) == ["Maze4", "FlappyBird-v0"]
    assert shared_problems(runs, ["xcs", "q-table"]) == ["Maze4"]


def test_steps_and_seconds_count_to_the_first_checkpoint_that_is_good_enough(runs):
    found = to_threshold(runs).set_index("contender")
    assert found.loc["xcs", "steps_to"].tolist() == [10] * 4
    assert found.loc["xcs", "seconds_to"].tolist() == [0.3] * 4
    assert np.isinf(found.loc["q-table", "steps_to"])
    assert "dqn" not in found.index
    text = make_tables(runs)["thresholds"].markdown()
    assert "| Maze4 | XCSAgent | -13.43 | 4 of 4 | 10 | 0.3 |" in text
    assert "0 of 1 | never | never |" in text


def test_tables_say_who_failed_and_who_could_not(runs):
    tables = make_tables(runs)
    assert "not applicable" in tables["scores-best"].markdown()
    rows = {row["contender"]: row for row in tables["overview"].rows}
    assert rows["PPO"]["failed"] == 1
    assert "best" not in rows["Q-learning, table"]
    assert tables["versus"].rows[0]["dqn"] == pytest.approx(0.125)


def test_a_summary_writes_tables_and_profiles(folder):
    names = {path.name for path in write_summary(folder)}
    assert {"tables.md", "overview.csv", "normalised-best.csv", "thresholds.csv"} <= names
    assert {"profiles-best.svg", "profiles-last.png"} <= names


def test_no_profiles_are_drawn_where_nothing_is_shared(tmp_path):
    log = RunLog(tmp_path, LAYOUT)
    for one in (ROWS[0], ROWS[10]):
        log.add(one)
    assert not [path for path in write_summary(tmp_path) if path.stem.startswith("profiles")]


def test_the_command_knows_runs_of_control(folder):
    result = CliRunner().invoke(app, ["compare", "--summary", str(folder), "--force", "--json"])
    assert result.exit_code == 0, result.output
    made = json.loads(result.stdout)
    assert [one["contender"] for one in made] == ["XCSAgent", "DQN", "PPO", "Q-learning, table"]
