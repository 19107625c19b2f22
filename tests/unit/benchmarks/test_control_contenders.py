"""Contenders of control learn, are looked at and are tested alike."""

import json
import sys

import gymnasium
import numpy as np
import pytest

from ruleplay.benchmarks.control import contenders, distilling, program, simple
from ruleplay.benchmarks.control.contenders import DERIVED, ROSTER, Job, Programs
from ruleplay.benchmarks.control.course import Checkpoint, Course
from ruleplay.benchmarks.control.distilling import distil, tree_row
from ruleplay.benchmarks.control.problems import CHECKPOINTS, problem_of
from ruleplay.benchmarks.control.views import CountedSteps, View, ViewedEnv
from ruleplay.benchmarks.real_data.task import NotApplicableError

pytestmark = pytest.mark.uncompiled


class Learner:
    """Play the cliff better and better: at first into it, later along the safe way, then worse."""

    safe, unsafe = [0, *[1] * 11, 2], [1]

    def __init__(self):
        self.plan, self.place = self.unsafe, 0

    def learn(self, steps, on_step):
        for step in range(1, steps + 1):
            self.plan = self.safe if 40 <= step < 80 else self.unsafe
            on_step(step)

    def policy(self):
        plan = self.plan
        return lambda seen: self.follow(plan, seen)

    def follow(self, plan, seen):
        if plan is self.unsafe:
            return 1
        row, column = divmod(int(seen), 12)
        return 0 if row == 3 and column == 0 else 2 if column == 11 else 1

    def size(self, policy):
        return {"rules": 3}


def test_the_last_policy_and_the_best_of_the_checkpoints_are_tested():
    course = Course(problem_of("CliffWalking-v1"), 0, 100, Learner()).run()
    row = course.row()
    assert row["best"] == -13.0
    assert row["last"] < -1000.0
    assert row["rules"] == 3
    found = [Checkpoint.read(word) for word in row["curve"].split()]
    assert [one.step for one in found] == [5 * k for k in range(1, CHECKPOINTS + 1)]
    assert [one.score == -13.0 for one in found] == [False] * 7 + [True] * 8 + [False] * 5


def test_checkpoints_cost_no_time():
    course = Course(problem_of("CliffWalking-v1"), 0, 100, Learner()).run()
    assert course.seconds < 0.1  # 200 episodes of 200 steps take longer
    assert course.checkpoints[-1].seconds <= course.seconds


def test_chance_learns_nothing_and_is_tested_once():
    row = simple.CONTENDERS["random"](program.Job("random", problem_of("Taxi-v4"), 0, 10, False))
    assert row["random"]["best"] == row["random"]["last"] < -500.0


def test_a_table_learns_the_cliff():
    job = program.Job("q-table", problem_of("CliffWalking-v1"), 0, 15_000, False)
    assert simple.run_player(simple.QTable, job)["q-table"]["best"] == -13.0


@pytest.mark.parametrize("name", ["CartPole-v1", "Pendulum-v1"])
def test_a_table_takes_no_real_numbers(name):
    with pytest.raises(NotApplicableError, match="numbered"):
        simple.QTable(problem_of(name).make(), 0)


def test_networks_see_parts_as_numbers_between_0_and_1():
    problem = problem_of("Blackjack-v1")
    view = View(problem.make(), numbered=True)
    env = ViewedEnv(problem.make(), view)
    seen, _ = env.reset(seed=0)
    assert env.observation_space.contains(seen)
    assert seen.shape == (3,)
    assert isinstance(env.step(1)[1], float)


def test_networks_see_boxes_and_numbered_states_as_they_are():
    for name in ("CartPole-v1", "Taxi-v4"):
        env = problem_of(name).make()
        view = View(env, numbered=True)
        seen = env.reset(seed=0)[0]
        assert np.array_equal(view.observation(seen), seen)
        assert view.observation_space == env.observation_space


@pytest.mark.parametrize("name", ["FrozenLake-4x4", "Taxi-v4", "CliffWalking-v1", "Blackjack-v1"])
def test_numbered_actions_that_come_as_arrays_are_numbers_to_an_environment(name):
    env = problem_of(name).make()
    view = View(env, numbered=True)
    env.reset(seed=0)
    assert isinstance(env.step(view.action(np.array(1)))[1], float | int)


def test_real_actions_are_numbered_as_our_agents_do():
    env = problem_of("Pendulum-v1").make()
    viewed = ViewedEnv(env, View(env, numbered=True))
    assert viewed.action_space == gymnasium.spaces.Discrete(5)
    assert viewed.view.action(0).tolist() == [-2.0]
    assert ViewedEnv(env, View(env, numbered=False)).action_space == env.action_space


def test_a_tree_of_a_good_teacher_balances_the_pole(monkeypatch):
    monkeypatch.setattr(distilling, "ROUNDS", 3)
    monkeypatch.setattr(distilling, "EPISODES", 2)
    monkeypatch.setattr(distilling, "CHOICE_EPISODES", 3)
    problem = problem_of("CartPole-v1")

    def teacher(seen):
        rows = np.array(seen)
        lean = rows[:, 2] + 0.5 * rows[:, 3]
        return (lean > 0.0).astype(int), np.abs(lean)

    course = Course(problem, 0, 10, Learner())
    env = CountedSteps(problem.make())
    tree = distil(course, teacher, env)
    assert 2 <= tree.size()["rules"] <= distilling.LEAVES
    assert course.test(tree) > 150.0  # chance: 22
    assert env.steps > 1000


def test_no_tree_is_made_of_actions_that_are_real_numbers():
    course = Course(problem_of("Pendulum-v1"), 0, 10, Learner())
    row = tree_row(course, lambda seen: (np.zeros((len(seen), 1)), np.ones(len(seen))))
    assert "numbered actions" in row["not_applicable"]


def test_a_program_prints_its_rows_as_json(monkeypatch, capsys):
    options = ["--contender", "fake", "--problem", "Taxi-v4", "--seed", "3", "--derived"]
    monkeypatch.setattr(sys, "argv", ["program", *options])
    monkeypatch.setattr(program, "limit_cpu", lambda seconds: None)
    program.serve({"fake": lambda job: {"fake": {"best": job.seed, "last": job.steps}}}, str.upper)
    printed = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert printed == {"rows": {"fake": {"best": 3, "last": 100_000}}, "version": "FAKE"}


def test_a_program_says_what_it_cannot_be_given(monkeypatch, capsys):
    def refuse(job):
        raise NotApplicableError("why")

    monkeypatch.setattr(sys, "argv", ["program", "--contender", "fake", "--problem", "Taxi-v4"])
    monkeypatch.setattr(program, "limit_cpu", lambda seconds: None)
    program.serve({"fake": refuse}, str)
    assert json.loads(capsys.readouterr().out) == {"not_applicable": "why"}


def test_contenders_run_in_the_peers_environment_with_this_package_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    started = []

    def run(command, seconds, environ):
        started.append((command, environ["PYTHONPATH"]))
        return {"version": "0+source"}

    monkeypatch.setattr(contenders, "run_program", run)
    monkeypatch.setattr(contenders, "ensure_peers_env", lambda path, requirements: path / "python")
    programs = Programs()
    ours = programs.run(Job("xcs", "Taxi-v4", 1, True))
    assert ours["version"] != "0+source"
    assert programs.run(Job("dqn", "Taxi-v4", 1, False))["version"] == "0+source"
    (command, path), (other, _) = started
    assert command[1:3] == ["-m", "ruleplay.benchmarks.control.ours"]
    assert command[-1] == "--derived"
    assert other[2] == "ruleplay.benchmarks.control.networks"
    assert [entry.name for entry in contenders.Path(path).iterdir()] == ["ruleplay"]
    assert contenders.package_alone() == contenders.Path(path)


def test_the_roster_is_whole():
    assert ROSTER.own == ("xcs", "xcs-list")
    assert set(DERIVED) | set(DERIVED.values()) <= set(ROSTER.names)
    assert all(ROSTER.program(name) == ROSTER.program(DERIVED[name]) for name in DERIVED)
