"""Runs are kept as they end, and not repeated."""

import numpy as np
import pytest

from ruleplay.benchmarks.environment import PeerError
from ruleplay.benchmarks.programs import TimeLimitError
from ruleplay.benchmarks.real_data.comparison import Plan, compare
from ruleplay.benchmarks.real_data.data import as_set
from ruleplay.benchmarks.real_data.formats import TextTable
from ruleplay.benchmarks.real_data.kinds import CLASSIFICATION, REGRESSION
from ruleplay.benchmarks.real_data.runs import layout, read_runs
from ruleplay.benchmarks.real_data.task import read_task
from ruleplay.benchmarks.run_file import RunLog
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.uncompiled


def small_set(name):
    columns = {"x1": [str(k) for k in range(25)]}
    return as_set(name, TextTable(columns, ["a"] * 15 + ["b"] * 10), "here")


class Fake:
    """Answer as contenders do: one knows, one fails, one is slow, one takes no such data."""

    def __init__(self):
        self.asked = []

    def run(self, job):
        self.asked.append((job.contender, job.task.name))
        if job.contender == "broken":
            raise PeerError("it ended with code 1")
        if job.contender == "slow":
            raise TimeLimitError("too slow")
        if job.contender == "binary":
            return {"not_applicable": "two classes only"}
        task = read_task(job.task)
        codes = (task.test["x1"] >= 15).astype(int)
        shares = np.eye(2)[codes].tolist() if job.contender == "knowing" else [[0.5, 0.5]]
        return {
            "version": "1.0",
            "predictions": codes.tolist(),
            "probabilities": shares,
            "rules": 2,
            "conditions": None,
            "fit_seconds": 0.5,
            "predict_seconds": 0.25,
        }


def run(out, *contenders, sets=("one",), list_name="reported", **options):
    fake, lines = Fake(), []
    jobs = options.pop("jobs", 1)
    plan = Plan(list_name=list_name, sets=sets, contenders=contenders, **options)
    compare(plan, out, fake, jobs=jobs, load=small_set, on_run=lines.append)
    return fake.asked, lines


def test_each_run_is_a_row(tmp_path):
    run(tmp_path, "knowing", folds=2)
    runs = read_runs(tmp_path)
    assert tuple(runs.columns) == layout(CLASSIFICATION).columns
    assert runs[["list", "set", "seed", "fold", "status"]].to_numpy().tolist() == [
        ["reported", "one", 0, 0, "ok"],
        ["reported", "one", 0, 1, "ok"],
    ]
    row = runs.iloc[0]
    assert (row["accuracy"], row["auc"], row["rules"], row["fit_seconds"]) == (1.0, 1.0, 2, 0.5)
    assert np.isnan(row["conditions"])


def test_runs_that_are_there_are_not_repeated(tmp_path):
    run(tmp_path, "knowing", folds=1)
    assert run(tmp_path, "knowing", folds=2)[0] == [("knowing", "fold-1.json")]
    assert run(tmp_path, "knowing", folds=2)[0] == []
    assert len(read_runs(tmp_path)) == 2


def test_a_row_that_was_cut_short_is_made_again(tmp_path):
    run(tmp_path, "knowing", folds=2)
    path = tmp_path / "runs.csv"
    whole = path.read_text()
    path.write_text(whole[:-20])
    assert run(tmp_path, "knowing", folds=2)[0] == [("knowing", "fold-1.json")]
    assert path.read_text() == whole


def test_tuning_has_other_seeds_and_repetitions_follow(tmp_path):
    run(tmp_path, "knowing", list_name="tuning", folds=1, repeats=2)
    assert read_runs(tmp_path)["seed"].tolist() == [100, 101]


def test_failures_are_rows_that_say_why(tmp_path):
    _, lines = run(tmp_path, "broken", "binary", "unfinished", folds=1)
    runs = read_runs(tmp_path).set_index("contender")
    assert runs["status"].to_dict() == {
        "broken": "failed",
        "binary": "not applicable",
        "unfinished": "failed",
    }
    assert runs.loc["broken", "reason"] == "it ended with code 1"
    assert runs.loc["unfinished", "reason"].startswith("probabilities must be (rows, classes)")
    assert lines[0] == "broken on one, seed 0, fold 0: failed: it ended with code 1"


def test_who_is_too_slow_on_one_fold_is_not_tried_on_the_next(tmp_path):
    asked, _ = run(tmp_path, "slow", sets=("one", "two"), folds=2)
    assert asked == [("slow", "fold-0.json")] * 2
    assert (
        read_runs(tmp_path)["reason"].tolist()
        == [
            "more than 300 s",
            "more than 300 s on another fold of this set",
        ]
        * 2
    )
    assert run(tmp_path, "slow", folds=3)[0] == []


def test_several_runs_at_a_time_give_the_same_rows(tmp_path):
    for jobs in (1, 3):
        run(tmp_path / str(jobs), "knowing", "broken", folds=3, jobs=jobs)
    rows = [sorted((tmp_path / jobs / "runs.csv").read_text().splitlines()) for jobs in "13"]
    assert rows[0] == rows[1]


def test_a_file_of_other_columns_is_refused(tmp_path):
    (tmp_path / "runs.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ConfigError, match="must have the columns list, contender"):
        RunLog(tmp_path, layout(CLASSIFICATION))


def test_runs_of_the_other_kind_are_refused(tmp_path):
    RunLog(tmp_path, layout(REGRESSION))
    with pytest.raises(ConfigError, match=r"must have the columns .* accuracy"):
        run(tmp_path, "knowing", folds=1)


def test_a_folder_without_runs_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"has no runs\.csv"):
        read_runs(tmp_path)
