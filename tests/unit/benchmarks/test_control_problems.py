"""The table of control problems is whole, and its references belong to it."""

import numpy as np
import pytest

from ruleplay.benchmarks.control import references, settings
from ruleplay.benchmarks.control.evaluating import mean_score
from ruleplay.benchmarks.control.optima import HOW
from ruleplay.benchmarks.control.problems import (
    NAMES,
    PROBLEMS,
    chosen,
    problem_of,
    seeds_of_checks,
    seeds_of_test,
)
from ruleplay.benchmarks.control.references import read_references
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.uncompiled

HERE = [problem for problem in PROBLEMS if problem.package in ("gymnasium", "ruleplay")]


def test_there_are_at_least_fifteen_problems_with_names_of_their_own():
    assert len(set(NAMES)) == len(PROBLEMS) >= 15


@pytest.mark.parametrize("problem", HERE, ids=lambda problem: problem.name)
def test_every_problem_can_be_made_and_ends(problem):
    env = problem.make()
    assert env.spec.max_episode_steps or problem.name == "Blackjack-v1"
    env.action_space.seed(0)
    assert np.isfinite(mean_score(problem, lambda seen: env.action_space.sample(), [3]))


def test_every_problem_has_references_with_a_source():
    known = read_references()
    assert tuple(known) == NAMES
    for problem in PROBLEMS:
        reference = known[problem.name]
        assert not reference.best <= reference.random
        if problem.exact:
            assert reference.source == HOW[problem.exact]
        elif problem.best is None:
            assert np.isnan(reference.best)
        else:
            assert (reference.best, reference.source) == (problem.best, problem.source)


@pytest.mark.parametrize("name", ["CartPole-v1", "FrozenLake-4x4", "Blackjack-v1"])
def test_committed_references_are_those_that_are_computed(name):
    computed, kept = references.compute(problem_of(name)), read_references()[name]
    assert computed.best == pytest.approx(kept.best, rel=1e-5)
    assert computed.random == pytest.approx(kept.random, rel=1e-5)


def test_a_line_of_the_file_can_be_computed_anew(tmp_path, monkeypatch):
    kept, file = references.FILE.read_text(), tmp_path / "references.csv"
    monkeypatch.setattr(references, "FILE", file)
    known = {name: found._replace(random=0.0) for name, found in read_references().items()}
    monkeypatch.setattr(references, "read_references", lambda: known)
    references.main(["Blackjack-v1"])
    same = [line for line in file.read_text().splitlines() if line in kept.splitlines()]
    assert [line.split(",")[0] for line in same] == ["problem", "Blackjack-v1", "Chain"]


def test_an_episode_may_count_by_its_length():
    class Played:
        length, total = 7, 1000.0

    assert problem_of("Maze4").score(Played) == -7.0
    assert problem_of("Chain").score(Played) == 1000.0


def test_unknown_problems_are_refused():
    assert chosen(["Taxi-v4", "CartPole-v1"]) == ("CartPole-v1", "Taxi-v4")
    with pytest.raises(ConfigError, match="control problem"):
        chosen(["Taxi"])


def test_seeds_of_tests_checkpoints_and_runs_do_not_meet():
    used = [{*range(2000)}]
    used += [{*seeds_of_test(seed)} for seed in (0, 1, 999, 1000, 1999)]
    used += [{*seeds_of_checks(seed)} for seed in (0, 1, 999, 1000, 1999)]
    assert sum(map(len, used)) == len(set.union(*used))


@pytest.mark.parametrize("contender", ["dqn", "qrdqn", "ppo"])
def test_every_problem_has_settings_for_networks(contender):
    assert set(settings.PUBLISHED[contender]) <= set(NAMES)
    for name in NAMES:
        found = settings.settings_of(contender, name)
        assert bool(found) or contender == "ppo"
