"""Agents with default settings learn, whoever runs and evaluates them."""

import runpy
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv

from ruleplay.learners.agent import XCSAgent

EXAMPLES = Path(__file__).parents[2] / "examples"

LOAD_AND_PREDICT = """
import sys, numpy
from ruleplay.learners.agent import XCSAgent
agent = XCSAgent.load(sys.argv[1])
print(agent.predict(numpy.load(sys.argv[2]))[0].tolist())
"""


@pytest.fixture(scope="module")
def cartpole():
    return XCSAgent("CartPole-v1", seed=0).learn(8000)


def test_it_balances_a_pole_far_longer_than_chance(cartpole):
    # Random play scores 22. Seeds 0 to 9 score 141 to 393, on average 254.
    assert cartpole.evaluate(50).mean > 90


def test_it_crosses_the_frozen_lake():
    # Seeds 0 to 9 all score 1.
    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    assert XCSAgent(env, seed=1).learn(5000).evaluate(10).mean == 1.0


@pytest.mark.filterwarnings("ignore:no reward")
def test_it_crosses_the_lake_on_slippery_ice():
    # Random play scores 0.01. Seeds 0 to 9 score 0.64 to 0.79.
    assert XCSAgent("FrozenLake-v1", seed=0).learn(20_000).evaluate(200).mean > 0.4


def test_it_walks_along_the_cliff_on_the_shortest_way():
    # Seeds 0 to 9 all score -13, the optimum.
    assert XCSAgent("CliffWalking-v1", seed=0).learn(8000).evaluate(5).mean == -13


def test_it_learns_in_several_environments_at_once():
    # Seeds 0 to 9 all score -13, the optimum.
    envs = SyncVectorEnv([lambda: gymnasium.make("CliffWalking-v1")] * 4)
    agent = XCSAgent(envs, seed=0).learn(8000)
    assert agent.evaluate(5).mean == -13


def test_another_process_reads_the_same_agent(cartpole, tmp_path):
    rng = np.random.default_rng(0)
    observations = rng.uniform([-2.4, -2, -0.2, -2], [2.4, 2, 0.2, 2], (500, 4))
    cartpole.save(tmp_path / "pole.ruleplay")
    np.save(tmp_path / "seen.npy", observations)
    printed = subprocess.run(
        [
            sys.executable,
            "-c",
            LOAD_AND_PREDICT,
            str(tmp_path / "pole.ruleplay"),
            str(tmp_path / "seen.npy"),
        ],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    ).stdout
    assert printed.strip() == str(cartpole.predict(observations)[0].tolist())


def test_the_example_runs(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["control_mountaincar.py", "3000"])
    runpy.run_path(str(EXAMPLES / "control_mountaincar.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "of 100 drives reach the goal" in printed
    assert "and a default action instead of" in printed
    assert printed.count("THEN") >= 5
