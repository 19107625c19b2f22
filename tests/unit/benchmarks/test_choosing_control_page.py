"""What the page about control says in words is what its runs say."""

import re
from pathlib import Path

import numpy as np
import pytest

from ruleplay.benchmarks.control.analysis import middle, normalised, problems_of
from ruleplay.benchmarks.control.runs import read_runs
from ruleplay.benchmarks.run_file import OK

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]

DOCS = Path(__file__).parents[3] / "docs"
RUNS = read_runs(DOCS / "results" / "control")
GOOD = normalised(RUNS, "best")
DONE = RUNS[RUNS["status"] == OK]
MEANS = DONE.groupby(["problem", "contender"])["best"].mean().unstack()
SECONDS = DONE.groupby(["problem", "contender"])["seconds"].mean().unstack()
COUNTS = RUNS.groupby(["contender", "problem"]).size().unstack(0)
BOTH = MEANS.dropna(subset=["xcs", "dqn"])


@pytest.fixture(scope="module")
def page():
    return " ".join((DOCS / "control.md").read_text(encoding="utf-8").split())


def share(problem, contender):
    """Return the interquartile mean of the normalised scores on a problem."""
    return middle(GOOD, contender, [problem]).value


def at_or_above(first, second):
    """List the problems of both on which one is not below the other, to a hundredth."""
    problems = MEANS.dropna(subset=[first, second]).index
    return [name for name in problems if share(name, first) >= share(name, second) - 0.01]


def test_the_number_of_runs_is_said(page):
    ours, nets = COUNTS["xcs"].dropna(), COUNTS["dqn"].dropna()
    assert f"{ours.min():.0f} to {ours.max():.0f} runs of ours on a problem" in page
    assert f"on {len(nets)} of the {len(problems_of(RUNS))} problems one run of DQN" in page
    assert nets.max() == 1
    assert "qrdqn" not in COUNTS


def test_who_is_ahead_is_said(page):
    ahead = at_or_above("xcs", "dqn")
    assert f"at or above DQN on {len(ahead)} of {len(BOTH)} problems" in page
    below = sorted(set(BOTH.index) - set(ahead))
    assert f"below on {', '.join(f'`{name}`' for name in below)}" in page
    times = float(np.exp(np.log(SECONDS["dqn"] / SECONDS["xcs"])[BOTH.index].mean()))
    assert f"with {times:.0f} times less CPU time" in page


def test_lists_are_compared_with_trees(page):
    trees = at_or_above("xcs-list", "dqn-tree")
    both = MEANS.dropna(subset=["xcs-list", "dqn-tree"])
    assert f"at or above a tree of DQN on {len(trees)} of {len(both)}" in page


def test_rules_go_part_of_the_way_to_the_goal_behind_the_door(page):
    found = MEANS.loc["MiniGrid-DoorKey-5x5-v0"]
    assert found["xcs-list"] == 0.0
    said = f"they reach a score of {found['xcs']:.2f}, a list of them none, a table of values"
    assert f"{said} {found['q-table']:.2f}." in page


@pytest.mark.parametrize(
    "problem",
    ["Acrobot-v1", "CartPole-v1", "LunarLander-v3", "Pendulum-v1", "MountainCarContinuous-v0"],
)
def test_what_was_aimed_at_is_told_as_it_is(page, problem):
    assert row_of(page, f"{problem}, XCSAgent") == result(problem, "xcs")


def test_what_was_aimed_at_with_a_list_is_told_as_it_is(page):
    found = row_of(page, "LunarLander-v3, a list of ten rules")
    assert found == result("LunarLander-v3", "xcs-list")


def row_of(page, beginning):
    """Return what a row of the table of aims ends with."""
    return re.search(rf"\| {re.escape(beginning)} \| [^|]* \| ([^|]*) \|", page)[1]


def result(problem, contender):
    return f"{MEANS.loc[problem, contender]:.0f} ({COUNTS.loc[problem, contender]:.0f} runs)"
