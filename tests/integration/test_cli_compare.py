"""Our contenders run on folds of real data as programs, and say what their rules say."""

import numpy as np
import pandas as pd
import pytest

from ruleplay.benchmarks.real_data import comparison, ours
from ruleplay.benchmarks.real_data.contenders import REGRESSORS, Programs
from ruleplay.benchmarks.real_data.data import DataSet
from ruleplay.benchmarks.real_data.folds import make_folds
from ruleplay.benchmarks.real_data.regression import ours as our_regressors
from ruleplay.benchmarks.real_data.runs import read_runs


def drawn_set(name="drawn"):
    rng = np.random.default_rng(1)
    colour = rng.choice(["blue", "green", "red"], 150)
    size = rng.random(150)
    labels = np.where((colour == "red") | (size > 0.7), "yes", "no")
    size[:10] = np.nan
    frame = pd.DataFrame({"colour": pd.Categorical(colour), "size": size})
    return DataSet(name, frame, labels, ("colour",), "drawn")


@pytest.fixture(scope="module")
def task():
    return comparison.as_task(make_folds(drawn_set(), 100)[0], 100)


@pytest.mark.parametrize("contender", list(ours.CONTENDERS))
def test_our_contenders_learn_from_frames_with_gaps(task, contender):
    model = ours.CONTENDERS[contender](task)
    shares = model.probabilities(task.test)
    assert shares.shape == (len(task.test), 2)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert set(model.predict(task.test)) == {0, 1}
    assert model.size().rules > 1
    assert model.size().conditions >= model.size().rules - 1


def test_the_default_of_a_list_counts_as_a_rule(task):
    model = ours.CONTENDERS["rule-list"](task)
    assert model.size().rules == model.estimator.n_rules_ + 1 <= 11


def test_the_same_seed_gives_the_same_answer(task):
    first, again = (ours.CONTENDERS["xcs"](task).probabilities(task.test) for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_a_run_of_ours_as_a_program_is_a_row(tmp_path):
    plan = comparison.Plan(list_name="tuning", sets=["drawn"], contenders=["rule-list"], folds=1)
    comparison.compare(plan, tmp_path, Programs(), load=drawn_set)
    row = read_runs(tmp_path).iloc[0]
    assert row["status"] == "ok", row["reason"]
    # Always saying the more frequent class is right in half of the rows.
    assert row["accuracy"] > 0.75
    assert row["rules"] > 1


def drawn_quantities(name="drawn"):
    drawn = drawn_set(name)
    size = drawn.frame["size"].fillna(0.5).to_numpy()
    targets = np.where(drawn.frame["colour"] == "red", 2.0, -1.0) * size
    return DataSet(name, drawn.frame, targets, ("colour",), "drawn")


@pytest.mark.parametrize("contender", list(our_regressors.CONTENDERS))
def test_our_regressors_learn_from_frames_with_gaps(contender):
    task = comparison.as_task(make_folds(drawn_quantities(), 100)[0], 100)
    model = our_regressors.CONTENDERS[contender](task)
    predicted = model.predict(task.test)
    if contender != "rule-list":
        low, high = model.intervals(task.test).T
        assert ((low <= predicted) & (predicted <= high)).all()
    assert np.isfinite(predicted).all()
    assert model.size().rules > 1


def test_the_last_rule_of_a_list_about_a_quantity_is_counted_once():
    task = comparison.as_task(make_folds(drawn_quantities(), 100)[0], 100)
    model = our_regressors.CONTENDERS["rule-list"](task)
    assert model.size().rules == model.estimator.n_rules_ + 1


def test_a_run_of_our_regressor_as_a_program_is_a_row(tmp_path):
    plan = comparison.Plan(
        list_name="regression-tuning", sets=["drawn"], contenders=["xcs"], folds=1
    )
    comparison.compare(plan, tmp_path, Programs(REGRESSORS), load=drawn_quantities)
    row = read_runs(tmp_path).iloc[0]
    assert row["status"] == "ok", row["reason"]
    # Always saying the mean has 1; sizes that are missing cannot be known.
    assert row["rmse"] < 0.6
    assert row["width"] > 0.0
    assert row["rules"] > 1
