"""Means, ranks and tests follow from the runs; so do the tables and drawings."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from ruleplay.benchmarks.real_data.analysis import (
    Standing,
    compare_with,
    means,
    on_first_folds,
    on_sets,
    rank,
    statuses,
)
from ruleplay.benchmarks.real_data.kinds import CLASSIFICATION, REGRESSION
from ruleplay.benchmarks.real_data.runs import layout, read_runs
from ruleplay.benchmarks.real_data.summary import make_tables, write_summary
from ruleplay.benchmarks.run_file import RunLog
from ruleplay.cli import app
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.uncompiled


def row(contender, name, accuracy, fold=0, status="ok"):
    figures = (
        {}
        if status != "ok"
        else {
            "accuracy": accuracy,
            "balanced_accuracy": accuracy,
            "auc": accuracy,
            "log_loss": 1.0 - accuracy,
            "rules": 4,
            "conditions": 9,
            "fit_seconds": 0.5,
            "predict_seconds": 0.1,
        }
    )
    reason = "" if status == "ok" else "why"
    given = {"list": "tuning", "contender": contender, "set": name, "seed": 100, "fold": fold}
    return {**given, "status": status, "version": "1", "reason": reason, **figures}


ROWS = [
    row("xcs", "s1", 0.8),
    row("xcs", "s1", 0.6, fold=1),
    row("tree", "s1", 0.9),
    row("tree", "s1", 0.7, fold=1),
    row("forest", "s1", 0.7),
    row("ripper", "s1", 0.5),
    row("xcs", "s2", 0.9),
    row("tree", "s2", 0.5),
    row("tree", "s2", 0.0, fold=1, status="failed"),
    row("forest", "s2", 0.95),
    row("ripper", "s2", 0.0, status="not applicable"),
    row("xcs", "s3", 0.5),
]


@pytest.fixture
def runs():
    return pd.DataFrame(ROWS, columns=layout(CLASSIFICATION).columns)


@pytest.fixture
def folder(tmp_path):
    log = RunLog(tmp_path, layout(CLASSIFICATION))
    for one in ROWS:
        log.add(one)
    return tmp_path


def test_of_the_first_folds_only_what_has_run_on_each_of_them_counts(runs):
    assert len(on_first_folds(runs, 1)) == 9
    both = on_first_folds(runs, 2)
    assert set(zip(both["contender"], both["set"], strict=True)) == {
        ("xcs", "s1"),
        ("tree", "s1"),
        ("tree", "s2"),
    }
    assert len(both) == 6


def test_a_figure_on_a_set_is_the_mean_over_folds_unless_one_failed(runs):
    values = on_sets(runs, "accuracy")
    assert list(values) == ["xcs", "tree", "forest", "ripper"]
    assert values.loc["s1"].tolist() == pytest.approx([0.7, 0.8, 0.7, 0.5])
    assert values.loc["s2"].isna().tolist() == [False, True, False, True]


def test_a_failed_fold_is_a_failed_set(runs):
    assert statuses(runs).loc["s2"].to_dict() == {
        "forest": "ok",
        "ripper": "not applicable",
        "tree": "failed",
        "xcs": "ok",
    }


@pytest.mark.parametrize("figure", ["accuracy", "log_loss"])
def test_ranks_share_ties_put_failures_last_and_leave_out_who_is_not_applicable(runs, figure):
    standing = rank(runs, figure)
    # s1: tree 1, xcs and forest 2.5; s2: forest 1, xcs 2, tree 3; s3 is not complete.
    assert standing.sets == 2
    assert standing.ranks.to_dict() == {"forest": 1.75, "tree": 2.0, "xcs": 2.25}


def test_groups_are_as_long_as_the_critical_difference_allows():
    ranks = pd.Series({"a": 1.0, "b": 1.8, "c": 2.4, "d": 4.0})
    assert Standing(ranks, 9, 1.0).groups == [("a", "b"), ("b", "c")]
    assert Standing(ranks, 9, 1.5).groups == [("a", "b", "c")]
    assert Standing(ranks, 9, 0.1).groups == []


def test_means_are_over_sets_and_failures_are_counted(runs):
    summed = means(runs)
    assert summed.loc["xcs", "accuracy"] == pytest.approx((0.7 + 0.9 + 0.5) / 3)
    assert summed.loc["tree", ["ok", "failed", "not applicable"]].tolist() == [1, 1, 0]
    assert summed.loc["ripper", "not applicable"] == 1


def many_runs():
    rng = np.random.default_rng(0)
    names = [f"s{k}" for k in range(12)]
    return pd.DataFrame(
        [
            row(contender, name, accuracy)
            for name in names
            for contender, accuracy in (
                ("xcs", 0.5),
                ("tree", 0.6 + 0.1 * rng.random()),
                ("forest", 0.5 + rng.normal(0, 0.01)),
            )
        ],
        columns=layout(CLASSIFICATION).columns,
    )


def test_tests_are_paired_by_set_and_adjusted():
    tree, forest = compare_with(many_runs(), "xcs", "accuracy")
    assert (tree.contender, tree.comparison.n, tree.wins, tree.losses) == ("tree", 12, 12, 0)
    assert tree.comparison.test == "wilcoxon"
    assert tree.comparison.p == pytest.approx(2 / 2**12)
    assert tree.p == pytest.approx(4 / 2**12)
    assert forest.p == forest.comparison.p


def test_less_log_loss_wins():
    assert compare_with(many_runs(), "xcs", "log_loss")[0].wins == 12


def test_an_unknown_baseline_is_refused(runs):
    with pytest.raises(ConfigError, match="unknown contender in these runs: 'knn'"):
        compare_with(runs, "knn", "accuracy")


def test_the_table_of_sets_says_who_failed(runs):
    text = make_tables(runs)["sets-accuracy"].markdown()
    assert "| s2 | 0.900 | failed | 0.950 | not applicable |" in text
    assert "| s3 | 0.500 |  |  |  |" in text


def test_without_the_baseline_there_are_the_other_tables(runs):
    names = set(make_tables(runs, "knn"))
    assert "overview" in names
    assert not any(name.startswith("versus") for name in names)


def test_a_summary_is_rebuilt_to_the_same_bytes(folder):
    files = write_summary(folder)
    first = [path.read_bytes() for path in files]
    assert write_summary(folder) == files
    assert [path.read_bytes() for path in files] == first
    names = {path.name for path in files}
    assert {"tables.md", "overview.csv", "versus-auc.csv", "ranks-log-loss.svg"} <= names


def quantity_row(contender, name, rmse, **further):
    figures = {"rmse": rmse, "mae": rmse / 2, "r2": 1.0 - rmse**2, "rules": 4, "fit_seconds": 0.5}
    given = {"list": "regression-tuning", "contender": contender, "set": name, "seed": 100}
    return {**given, "fold": 0, "status": "ok", "version": "1", **figures, **further}


@pytest.fixture
def quantity_folder(tmp_path):
    log = RunLog(tmp_path, layout(REGRESSION))
    for name, ours, theirs in (("s1", 0.3, 0.4), ("s2", 0.5, 0.6), ("s3", 0.9, 0.8)):
        log.add(quantity_row("xcs", name, ours, coverage=0.9, width=1.5))
        log.add(quantity_row("linear", name, theirs))
    return tmp_path


def test_less_error_is_better_and_more_explained_variance(quantity_folder):
    runs = read_runs(quantity_folder)
    for figure in ("rmse", "mae", "r2"):
        assert rank(runs, figure).ranks.to_dict() == pytest.approx({"xcs": 4 / 3, "linear": 5 / 3})
        (linear,) = compare_with(runs, "xcs", figure)
        assert (linear.wins, linear.losses) == (1, 2)


def test_errors_are_means_and_explained_variances_medians(quantity_folder):
    summed = means(read_runs(quantity_folder))
    assert summed.loc["linear", "rmse"] == pytest.approx(0.6)
    assert summed.loc["linear", "r2"] == pytest.approx(1 - 0.6**2)
    assert summed.loc["xcs", "coverage"] == pytest.approx(0.9)
    assert np.isnan(summed.loc["linear", "coverage"])


def test_a_summary_of_quantities_has_their_figures(quantity_folder):
    names = {path.name for path in write_summary(quantity_folder)}
    assert {"overview.csv", "versus-rmse.csv", "sets-r2.csv", "ranks-mae.svg"} <= names
    text = make_tables(read_runs(quantity_folder))["overview"].markdown()
    assert "| XCSRegressor | 0.567 |" in text
    assert "Rules, conditions and R² are medians" in text


def call(*arguments):
    return CliRunner().invoke(app, ["compare", *map(str, arguments)])


def test_the_command_writes_and_prints_a_summary(folder):
    result = call("--summary", folder, "--force")
    assert result.exit_code == 0, result.output
    assert "XCSClassifier" in result.stdout
    assert (folder / "ranks-accuracy.png").exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "choose one of --list and --summary"),
        (("--list", "tuning", "--summary", "x"), "choose one of --list and --summary"),
        (
            ("--list", "all"),
            "list must be tuning, reported, regression-tuning, regression-reported, control, "
            "control-tuning, got 'all'",
        ),
        (("--list", "tuning", "--sets", "zoo"), "unknown set of the tuning list: 'zoo'"),
        (("--list", "tuning", "--only", "trees"), "unknown contender: 'trees'"),
        (("--list", "tuning", "--folds", "6"), "folds must lie in [1, 5], got 6"),
        (("--list", "regression-tuning", "--only", "logistic"), "unknown contender: 'logistic'"),
        (("--list", "control", "--folds", "2"), "control problems have no folds"),
        (("--list", "control", "--problems", "Taxi"), "unknown control problem: 'Taxi'"),
        (("--list", "control", "--only", "forest"), "unknown contender: 'forest'"),
        (("--summary", "no-such-folder"), "has no runs.csv"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(arguments, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call(*arguments)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert list(tmp_path.iterdir()) == []
