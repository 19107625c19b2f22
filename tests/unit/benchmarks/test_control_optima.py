"""The best scores of finite problems are exact: their policies, played, reach them."""

import gymnasium
import numpy as np
import pytest

from ruleplay.benchmarks.control.evaluating import scores
from ruleplay.benchmarks.control.optima import optimum
from ruleplay.benchmarks.control.optima.blackjack import (
    best_of_blackjack,
    dealer_ends,
    hit,
    stick,
    with_card,
)
from ruleplay.benchmarks.control.optima.finite import FiniteModel, best_actions, best_of_model
from ruleplay.benchmarks.control.optima.models import MODELS
from ruleplay.benchmarks.control.optima.search import best_return
from ruleplay.benchmarks.control.problems import problem_of

pytestmark = pytest.mark.uncompiled


def play_best(name, episodes):
    """Play the best policy, which knows how many steps are left."""
    problem = problem_of(name)
    env = problem.make()
    limit = env.spec.max_episode_steps
    model = MODELS[problem.exact](env)
    actions = best_actions(model.by_length() if problem.by_length else model, limit)
    found = []
    for seed in range(episodes):
        state, total, left, over = env.reset(seed=seed)[0], 0.0, limit, False
        while not over:
            state, reward, ends, cut_short, _ = env.step(int(actions[left, state]))
            total, left, over = total + reward, left - 1, ends or cut_short
        found.append(total)
    return np.array(found)


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("FrozenLake-4x4", 0.74419),  # within 100 steps; without a limit it is 0.82353
        ("FrozenLake-8x8", 0.91322),
        ("Taxi-v4", 7.93),
        ("CliffWalking-v1", -13.0),
        ("Maze4", -3.5),
        ("Maze5", -4.61111),
        ("Chain", 185.0),  # 15 steps to the end of the chain, one for each of the others
    ],
)
def test_the_best_score_is_known(name, best):
    assert optimum(problem_of(name)) == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("name", ["FrozenLake-4x4", "CliffWalking-v1", "Taxi-v4"])
def test_the_best_policy_scores_the_optimum(name):
    episodes = 400
    played = play_best(name, episodes)
    spread = played.std() / np.sqrt(episodes)
    assert abs(played.mean() - optimum(problem_of(name))) <= 4.0 * spread + 1e-9


def test_without_a_time_limit_frozen_lake_has_its_known_value():
    model = MODELS["table"](problem_of("FrozenLake-4x4").make())
    assert best_of_model(model, 5000) == pytest.approx(14 / 17, abs=1e-6)


def test_a_model_of_two_states_is_solved_by_hand():
    stay, go = [(1.0, 0, 1.0, False)], [(0.5, 1, 0.0, False), (0.5, 0, 0.0, True)]
    end = [(1.0, 1, 10.0, True)]
    model = FiniteModel.of(np.array([1.0, 0.0]), [[stay, go], [end, end]])
    assert best_of_model(model, 1) == 1.0
    assert best_of_model(model, 2) == 5.0
    assert best_of_model(model, 3) == 6.0
    assert best_of_model(model.by_length(), 3) == -1.5  # half of the time it ends at once
    assert best_actions(model, 2)[:, 0].tolist() == [0, 0, 1]


def test_blackjack_is_worth_what_its_best_policy_wins():
    def act(seen):
        total, shown, usable = seen
        better = hit(total, bool(usable), shown) > stick(total, shown)
        return int(better and total < 21)

    assert best_of_blackjack() == pytest.approx(-0.04311, abs=1e-5)
    found = np.array(scores(problem_of("Blackjack-v1"), act, [*range(4000)]))
    assert abs(found.mean() - best_of_blackjack()) <= 4.0 * found.std() / np.sqrt(len(found))


def test_hands_of_blackjack():
    assert with_card(11, True, 10) == (21, True)
    assert with_card(21, True, 5) == (16, False)
    assert sum(dealer_ends(11, True).values()) == pytest.approx(1.0)
    assert dealer_ends(18, False) == {18: 1.0}


class Corridor:
    """Three cells in a row; what is paid at the end gets less with each step."""

    action_space = gymnasium.spaces.Discrete(2)
    carrying = None
    agent_dir = 0

    def __init__(self):
        self.agent_pos, self.steps = [0], 0

    class grid:  # noqa: N801
        @staticmethod
        def encode():
            return np.zeros(1)

    def step(self, action):
        self.steps += 1
        self.agent_pos = [max(0, self.agent_pos[0] + (1 if action else -1))]
        done = self.agent_pos[0] == 3
        return None, (1.0 - 0.1 * self.steps) * done, done, self.steps >= 9, {}


def test_a_search_finds_the_shortest_way():
    assert best_return(Corridor()) == pytest.approx(0.7)
