"""Runs of control are kept as they end, and not repeated."""

import pytest

from ruleplay.benchmarks.control.comparison import Plan, compare
from ruleplay.benchmarks.control.runs import LAYOUT, has_control_runs, read_runs
from ruleplay.benchmarks.environment import PeerError
from ruleplay.benchmarks.programs import TimeLimitError

pytestmark = pytest.mark.uncompiled


class Fake:
    """Answer as programs do: most know, one fails, one is slow, one takes no such problem."""

    def __init__(self):
        self.asked = []

    def run(self, job):
        self.asked.append((job.contender, job.problem, job.seed, job.derived))
        if job.contender == "qrdqn":
            raise PeerError("it ended with code 1")
        if job.contender == "random":
            raise TimeLimitError("too slow")
        if job.contender == "q-table":
            return {"not_applicable": "numbered states only"}
        row = {"best": 2.0, "last": 1.0, "seconds": 0.5, "curve": "5:1.5:0.1 10:2:0.2"}
        rows = {job.contender: row, "xcs-list": {**row, "rules": 4}}
        rows["ppo-tree"] = {"not_applicable": "numbered actions only"}
        return {"rows": rows, "version": "1.0"}


def run(out, *names, problems=("Taxi-v4",), list_name="control", seeds=1, jobs=1):
    fake, lines = Fake(), []
    plan = Plan(list_name=list_name, problems=problems, contenders=names, seeds=seeds)
    compare(plan, out, fake, jobs=jobs, on_run=lines.append)
    return fake.asked, lines


def test_each_run_is_a_row(tmp_path):
    _, lines = run(tmp_path, "xcs", seeds=2)
    runs = read_runs(tmp_path)
    assert tuple(runs.columns) == LAYOUT.columns
    assert runs[["list", "contender", "problem", "seed", "steps"]].to_numpy().tolist() == [
        ["control", "xcs", "Taxi-v4", 0, 100_000],
        ["control", "xcs", "Taxi-v4", 1, 100_000],
    ]
    assert runs.loc[0, ["best", "last", "seconds"]].tolist() == [2.0, 1.0, 0.5]
    assert lines[0] == "xcs on Taxi-v4, seed 0: 2, last 1, 0.5 s"
    assert has_control_runs(tmp_path)
    assert not has_control_runs(tmp_path / "none")


def test_a_list_is_made_by_the_run_that_it_comes_from(tmp_path):
    assert run(tmp_path, "xcs", "xcs-list")[0] == [("xcs", "Taxi-v4", 0, True)]
    assert read_runs(tmp_path)["contender"].tolist() == ["xcs", "xcs-list"]


def test_a_list_that_is_missing_is_added_alone(tmp_path):
    assert run(tmp_path, "xcs")[0] == [("xcs", "Taxi-v4", 0, False)]
    assert run(tmp_path, "xcs", "xcs-list")[0] == [("xcs", "Taxi-v4", 0, True)]
    assert read_runs(tmp_path)["contender"].tolist() == ["xcs", "xcs-list"]
    assert run(tmp_path, "xcs", "xcs-list")[0] == []


def test_tuning_has_other_seeds(tmp_path):
    run(tmp_path, "xcs", list_name="control-tuning", seeds=2)
    assert read_runs(tmp_path)["seed"].tolist() == [1000, 1001]


def test_failures_are_rows_that_say_why(tmp_path):
    run(tmp_path, "qrdqn", "random", "q-table", "ppo", "ppo-tree", "dqn", "dqn-tree")
    runs = read_runs(tmp_path).set_index("contender")
    assert runs["status"].to_dict() == {
        "qrdqn": "failed",
        "random": "failed",
        "q-table": "not applicable",
        "ppo": "ok",
        "ppo-tree": "not applicable",
        "dqn": "ok",
        "dqn-tree": "failed",
    }
    assert runs.loc["qrdqn", "reason"] == "it ended with code 1"
    assert runs.loc["random", "reason"] == "more than 7200 s"
    assert runs.loc["ppo-tree", "reason"] == "numbered actions only"


def test_several_runs_at_a_time_give_the_same_rows(tmp_path):
    for jobs in (1, 3):
        run(tmp_path / str(jobs), "xcs", "qrdqn", problems=("Taxi-v4", "Chain"), jobs=jobs)
    rows = [sorted((tmp_path / jobs / "runs.csv").read_text().splitlines()) for jobs in "13"]
    assert rows[0] == rows[1]
