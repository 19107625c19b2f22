"""What the page about choosing a regressor says in words is what its runs say."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ruleplay.benchmarks.real_data.analysis import compare_with, on_first_folds, on_sets, rank
from ruleplay.benchmarks.real_data.kinds import REGRESSION
from ruleplay.benchmarks.real_data.regression.lists import REPORTED
from ruleplay.benchmarks.real_data.runs import read_runs

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]

DOCS = Path(__file__).parents[3] / "docs"
RESULTS = DOCS / "results" / "real-data-regression"
RUNS = read_runs(RESULTS / "reported")
FIRST = read_runs(RESULTS / "first-fold")
BEFORE = read_runs(RESULTS / "earlier" / "one-population")
ERRORS, RULES = on_sets(RUNS, "rmse"), on_sets(RUNS, "rules").mean()
RANKS = {name: f"{value:.1f}" for name, value in rank(RUNS, "rmse").ranks.items()}
COVERAGE, SECONDS = (on_sets(RUNS, name)["xcs"] for name in ("coverage", "fit_seconds"))
ON_FIRST = on_sets(on_first_folds(RUNS, 1), "rmse")["xcs"]
WIDE = ("communities", "cpu_performance", "puma32h", "residential_building")
THREE = ("airfoil", "ccpp", "concrete")


@pytest.fixture(scope="module")
def page():
    return " ".join((DOCS / "choosing-quantities.md").read_text(encoding="utf-8").split())


def ratio(one, other):
    """Return the geometric mean over the sets of how large errors are, compared with others."""
    return float(np.exp(np.log(ERRORS[one] / ERRORS[other]).mean()))


def percent(share):
    return f"{100 * share:.0f} %"


def of_three(figure, contender, digits):
    """Return a figure of a contender, the mean over all folds, on the sets of the aims."""
    values = on_sets(RUNS[RUNS["set"].isin(THREE)], figure)[contender]
    return ", ".join(f"{values[name]:.{digits}f}" for name in THREE)


def test_all_reported_sets_count():
    assert set(ERRORS.index) == set(REPORTED)
    assert rank(RUNS, "rmse").sets == len(REPORTED) == 21
    assert (RUNS["status"] == "ok").all()


def test_the_protocol_names_the_contenders_that_have_run_on_one_fold_only():
    protocol = " ".join((DOCS / "protocol-regression.md").read_text(encoding="utf-8").split())
    found = re.search(r"with all contenders but (.*?): these have run on the first fold", protocol)
    all_names, whole = REGRESSION.roster.names, set(RUNS["contender"])
    others = {name for name in all_names if name not in whole}
    assert set(re.findall(r"`([^`]+)`", found[1])) == others
    assert (RUNS.groupby(["contender", "set"])["fold"].nunique() == 10).all()
    assert set(FIRST["contender"]) == set(all_names)


def test_the_first_fold_is_that_of_the_whole_comparison():
    order = ["contender", "set"]
    shared = FIRST[FIRST["contender"].isin(RUNS["contender"])]
    whole = RUNS[RUNS["fold"] == 0].sort_values(order, ignore_index=True)
    assert set(FIRST["fold"]) == {0}
    pd.testing.assert_frame_equal(shared.sort_values(order, ignore_index=True), whole)


def test_others_on_the_first_fold_are_as_far_off_as_the_page_says(page):
    errors = on_sets(FIRST, "rmse")
    times = {name: np.exp(np.log(errors[name] / errors["xcs"]).mean()) for name in errors}
    said = f"xcsf's errors are {percent(times['xcsf'] - 1)} larger than those of `XCSRegressor`"
    assert f"{said} (geometric mean), with our settings {percent(times['xcsf-ours'] - 1)}:" in page
    ours = errors["xcsf-ours"] / errors["xcs"]
    said = f"on {(ours < 0.6).sum()} sets of little noise they are less than 0.6 times as large as"
    assert f"{said} ours, on {(ours > 2).sum()} others more than twice." in page
    taken = errors["ebm"].notna().sum()
    said = f"has errors {percent(1 - times['ebm'])} smaller on the {taken} sets that it learned"
    assert said in page
    failed = FIRST[(FIRST["contender"] == "ebm") & (FIRST["status"] == "failed")]
    assert list(failed["reason"]) == ["more than 300 s"] * 2
    p = {one.contender: one.p for one in compare_with(FIRST, "xcs", "rmse")}
    assert p["ebm"] > 0.05 > p["xcsf"]
    assert f"anyway change errors by {percent(times['xcs-10'] - 1)}." in page


def test_ranks_are_those_of_the_runs(page):
    said = f"mean rank by RMSE is {RANKS['xcs']}, that of gradient boosting {RANKS['boosting']}, "
    said += f"a random forest {RANKS['forest']}, M5P {RANKS['m5p']}, Cubist {RANKS['cubist']} and "
    assert f"{said}M5Rules {RANKS['m5rules']}." in page
    assert f"| {RANKS['xcs']}; M5P {RANKS['m5p']}, Cubist {RANKS['cubist']}. Set by set" in page
    p = {one.contender: one.p for one in compare_with(RUNS, "xcs", "rmse")}
    assert max(p["m5p"], p["cubist"]) < 0.05 < min(p["boosting"], p["forest"])
    assert "That is the best of all." in page
    assert min(RANKS, key=RANKS.get) == "xcs"


def test_errors_beside_those_of_others_are_those_of_the_runs(page):
    assert f"are {percent(1 - ratio('xcs', 'm5p'))} smaller than M5P's" in page
    smaller, larger = 1 - ratio("xcs", "boosting"), ratio("xcs", "forest") - 1
    said = f"{percent(smaller)} smaller than those of boosting and {percent(larger)} larger than a"
    assert f"{said} forest's" in page
    assert f"errors {percent(1 - ratio('rule-list', 'm5rules'))} smaller than" in page
    assert f"errors {percent(ratio('tree-10', 'rule-list') - 1)} larger than the list" in page
    assert 0.99 < ratio("rule-list", "m5p") < 1.01


def test_numbers_of_rules_are_those_of_the_runs(page):
    assert f"{RULES['rule-list']:.1f} rules on average, with six terms each at most" in page
    assert f"smaller than {RULES['m5rules']:.1f} of M5Rules" in page
    assert f"M5P's trees of {RULES['m5p']:.0f} models" in page


@pytest.mark.parametrize(
    ("name", "contender", "said"),
    [
        ("puma32h", "xcs", "the population has an error of {}"),
        ("puma32h", "forest", "a forest {}"),
        ("puma32h", "rule-list", "The short list finds them: {}"),
        ("electrical_grid_stability", "boosting", "boosting has {}"),
        ("electrical_grid_stability", "xcs", "`XCSRegressor` {};"),
        ("communities", "linear", "on `communities` it has {}"),
        ("communities", "xcs", "(`XCSRegressor` {})."),
    ],
)
def test_errors_on_single_sets_are_those_of_the_runs(page, name, contender, said):
    assert said.format(f"{ERRORS.loc[name, contender]:.2f}") in page


def test_intervals_and_times_are_those_of_the_runs(page):
    assert f"intervals for nine in ten hold {percent(COVERAGE.mean())} of new rows" in page
    good = int(COVERAGE.between(0.87, 0.93).sum())
    assert f"{100 * COVERAGE.mean():.1f} % on average; on {good} of {len(COVERAGE)} sets" in page
    assert f"of `{COVERAGE.idxmin()}` {percent(COVERAGE.min())}" in page
    said = f"ours take {SECONDS.mean():.0f} on average, {SECONDS.median():.0f} at the median, and"
    assert f"{said} {SECONDS.max():.0f} on the widest tables" in page


def test_ten_folds_of_three_sets_are_those_of_the_runs(page):
    names = ("xcs", "rule-list", "m5p")
    errors = {name: of_three("rmse", name, 3) for name in names}
    rules = {name: of_three("rules", name, 1) for name in names}
    assert f"| `XCSRegressor`: {errors['xcs']}; M5P: {errors['m5p']} |" in page
    said = f"| {errors['rule-list']} with {rules['rule-list']} rules; M5P has {rules['m5p']} |"
    assert said in page


def test_what_was_seen_before_is_told(page):
    short = pd.read_csv(RESULTS / "earlier" / "20000-presentations" / "runs.csv")
    assert len(short) == 9
    assert "Nine of the reported sets had been run so" in page
    wide = read_runs(RESULTS / "earlier" / "wide")
    before = on_sets(BEFORE[BEFORE["fold"] == 0], "rmse")["xcs"]
    lost = on_sets(wide, "rmse")["xcs"] / before.loc[list(WIDE)]
    assert sorted(wide["set"]) == sorted(WIDE)
    assert int((lost > 4 / 3).sum()) == 2
    assert "on two of the four errors a third larger" in page
    assert ON_FIRST.loc[list(WIDE)].equals(before.loc[list(WIDE)])


def test_what_drawing_did_on_the_reported_sets_is_told(page):
    before = on_sets(BEFORE[BEFORE["fold"] == 0], "rmse")["xcs"]
    gain = (before / ON_FIRST).drop(list(WIDE))
    said = f"on the {len(gain)} other sets one population had a larger error on the first fold "
    assert f"{said}than drawn rules {int((gain > 1).sum())} times" in page
    mean = float(np.exp(np.log(gain).mean()))
    assert f"in the geometric mean one {percent(1 - mean)} smaller" in page
    assert set(gain.nsmallest(2).index) == {"servo", "airfoil"}


def test_the_first_page_of_the_project_says_the_same():
    said = " ".join((DOCS.parent / "README.md").read_text(encoding="utf-8").split())
    assert f"`XCSRegressor` has the mean rank {RANKS['xcs']} by its errors" in said
    assert f"a random forest {RANKS['forest']}, gradient boosting {RANKS['boosting']}" in said
    assert f"M5P {RANKS['m5p']}, Cubist {RANKS['cubist']}" in said
