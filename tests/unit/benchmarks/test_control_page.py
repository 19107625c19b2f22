"""The page on the protocol of control says what the code does."""

import re
from pathlib import Path

import pytest

from ruleplay.benchmarks.control import contenders, distilling, problems, references, simple
from ruleplay.benchmarks.control.comparison import FIRST_SEED, SEEDS
from ruleplay.benchmarks.control.ours import MOST_RULES
from ruleplay.benchmarks.control.references import read_references

pytestmark = pytest.mark.uncompiled

PAGE = (Path(__file__).parents[3] / "docs" / "protocol-control.md").read_text()
WORDS = " ".join(PAGE.split())


@pytest.mark.parametrize("problem", problems.PROBLEMS, ids=lambda problem: problem.name)
def test_every_problem_has_its_row(problem):
    row = re.search(rf"^\| {re.escape(problem.name)} \|(.*)\|$", PAGE, re.MULTILINE)[1]
    _, steps, score, chance, best, source = (cell.strip() for cell in row.split("|"))
    known = read_references()[problem.name]
    assert int(steps.replace(" ", "")) == problem.steps
    assert score == ("steps" if problem.by_length else "return")
    assert chance == f"{known.random:.4g}"
    assert best == ("" if known.best != known.best else f"{known.best:.4g}")
    assert source == known.source


def test_every_contender_is_named():
    table = PAGE.split("## The contenders")[1].split("## What is measured")[0]
    named = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\|(.*?)\|", table, re.MULTILINE)))
    assert set(named) == set(contenders.ROSTER.names)


def test_numbers_are_those_of_the_source():
    assert (problems.EPISODES, problems.CHECKPOINTS, problems.CHECK_EPISODES) == (100, 20, 10)
    assert (FIRST_SEED["control"], FIRST_SEED["control-tuning"], SEEDS) == (0, 1000, 10)
    assert (distilling.ROUNDS, distilling.EPISODES, distilling.CHOICE_EPISODES) == (20, 10, 40)
    assert (distilling.LEAVES, MOST_RULES, contenders.SECONDS) == (11, 10, 7200)
    assert (simple.LEARNING_RATE, simple.DISCOUNT, references.RUNS) == (0.1, 0.99, 10)
    assert "mean of 1000 episodes" in WORDS
    assert "may take 7200 seconds" in WORDS
