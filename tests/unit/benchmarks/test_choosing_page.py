"""What the page about choosing says in words is what its runs say."""

from pathlib import Path

import pandas as pd
import pytest

from ruleplay.benchmarks.real_data.analysis import compare_with, on_sets
from ruleplay.benchmarks.real_data.runs import read_runs

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]

DOCS = Path(__file__).parents[3] / "docs"
RUNS = read_runs(DOCS / "results" / "real-data" / "reported")
FIRST = read_runs(DOCS / "results" / "real-data" / "first-fold")
ACCURACY = on_sets(RUNS, "accuracy")
HARD = "kr-vs-k"  # of which the page speaks apart


@pytest.fixture(scope="module")
def page():
    return " ".join((DOCS / "choosing.md").read_text(encoding="utf-8").split())


def percent(share):
    return f"{100 * share:.1f}"


def test_accuracies_and_differences_are_those_of_the_runs(page):
    mean = {name: percent(value) for name, value in ACCURACY.mean().items()}
    points = {name: 100 * (ACCURACY["rule-list"] - ACCURACY[name]).mean() for name in ACCURACY}
    above_j48 = 100 * (ACCURACY["xcs"] - ACCURACY["j48"]).mean()
    rules = on_sets(RUNS, "rules").mean()
    assert f"| {mean['xcs']} %; {above_j48:.1f} points above J48, significantly |" in page
    assert f"it is {above_j48:.1f} points better than J48" in page
    above_one = 100 * (ACCURACY["xcs-10"] - ACCURACY["xcs"]).mean()
    assert f"(`n_populations=10`) are {above_one:.1f} points better" in page
    assert f"| {mean['xcs-10']} %, a forest {mean['forest']} % |" in page
    assert f"| {mean['rule-list']} % with {rules['rule-list']:.1f} rules |" in page
    assert f"| {points['jrip']:.1f} points above, not significantly |" in page
    p = next(o.p for o in compare_with(RUNS, "rule-list", "accuracy") if o.contender == "tree-10")
    said = f"{points['tree-10']:.1f} points above; not significantly, p = {p:.2f}"
    assert f"| {said} |" in page
    assert f"no longer significant, p = {p:.2f} instead" in page
    assert f"{points['tree-10']:.1f} points better than a tree of ten leaves" in page
    assert f"tree of {rules['j48']:.0f} leaves" in page


def test_the_first_page_of_the_project_says_the_same():
    said = " ".join((DOCS.parent / "README.md").read_text(encoding="utf-8").split())
    mean = {name: percent(value) for name, value in ACCURACY.mean().items()}
    assert (
        f"`XCSClassifier` has {mean['xcs']} % accuracy, a random forest {mean['forest']} %" in said
    )
    assert (
        f"gradient boosting {mean['boosting']} %, J48 {mean['j48']} %, RIPPER {mean['jrip']} %"
        in said
    )
    assert f"seven rules on average has {mean['rule-list']} %" in said
    assert round(on_sets(RUNS, "rules").mean()["rule-list"]) == 7


def test_sets_far_below_a_forest_are_named(page):
    one, ten = (
        (ACCURACY["forest"] - ACCURACY[name]).pipe(lambda gap: gap[gap > 0.06]).index
        for name in ("xcs", "xcs-10")
    )
    row = next(line for line in page.split("| no set") if "6 points below a forest" in line)
    in_words = row.split("|")[1]
    first, _, second = in_words.partition("; ten:")
    assert all(f"`{name}`" in first for name in one)
    assert first.count("`") == 2 * len(one)
    assert all(f"`{name}`" in second for name in ten)
    assert second.count("`") == 2 * len(ten)


def test_what_is_significant_is_called_so():
    p = {one.contender: one.p for one in compare_with(RUNS, "xcs", "accuracy")}
    assert p["j48"] < 0.05
    assert min(p["forest"], p["boosting"]) > 0.05
    of_list = {one.contender: one.p for one in compare_with(RUNS, "rule-list", "accuracy")}
    assert min(of_list["tree-10"], of_list["jrip"]) > 0.05


def test_its_probabilities_are_better_than_those_of_others():
    loss = on_sets(RUNS, "log_loss").mean()
    assert loss.drop(["xcs", "xcs-10"]).min() > loss["xcs"]


def test_without_the_hard_set_ten_populations_are_at_a_forest(page):
    others = ACCURACY.drop(index=HARD).mean()
    said = f"`XCSClassifier` has {percent(others['xcs'])} %, ten populations have "
    said += f"{percent(others['xcs-10'])} and a forest {percent(others['forest'])} %"
    assert said in page
    twonorm = ACCURACY.loc["twonorm"]
    assert f"a short list has {percent(twonorm['rule-list'])} %" in page
    assert f"logistic regression {percent(twonorm['logistic'])} %" in page


def test_the_first_fold_is_that_of_the_whole_comparison():
    both, order = sorted(set(RUNS["contender"])), ["contender", "set"]
    whole = RUNS[RUNS["fold"] == 0].sort_values(order, ignore_index=True)
    shared = FIRST[FIRST["contender"].isin(both)].sort_values(order, ignore_index=True)
    assert set(FIRST["fold"]) == {0}
    pd.testing.assert_frame_equal(shared, whole)
    others = {"figs", "ebm", "xcsf", "ripper", "scikit-xcs", "ex-fuzzy"}
    assert set(FIRST["contender"]) == {*both, *others}


def test_other_xcs_are_as_far_below_as_the_page_says(page):
    mean = on_sets(FIRST, "accuracy").mean()
    below = {name: f"{100 * (mean['xcs'] - mean[name]):.1f}" for name in ("xcsf", "scikit-xcs")}
    assert f"xcsf is {below['xcsf']} points below `XCSClassifier`" in page
    assert f"scikit-XCS {below['scikit-xcs']}." in page
    failed = FIRST[(FIRST["contender"] == "ebm") & (FIRST["status"] == "failed")]
    assert len(failed) == 2
