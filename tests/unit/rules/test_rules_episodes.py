"""Policies are scored by the same episodes, played side by side."""

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from ruleplay.errors import ConfigError
from ruleplay.rules import EpisodeScore

pytestmark = pytest.mark.interpreted


class Countdown(gymnasium.Env):
    """Pays the action at each of a few steps; how many, the seed decides."""

    observation_space = spaces.Box(0.0, 10.0, (1,))
    action_space = spaces.Discrete(2, start=5)

    def reset(self, *, seed=None, options=None):
        self.left = 1 + seed % 3
        return np.array([self.left], np.float64), {}

    def step(self, action):
        assert action in (5, 6)
        self.left -= 1
        return np.array([self.left], np.float64), float(action), self.left == 0, False, {}


def score(**settings):
    return EpisodeScore(Countdown, 3, seed=3, take=lambda action: 5 + action, **settings)


def test_returns_are_those_of_each_episode():
    assert score().returns(lambda rows: np.zeros(len(rows), np.int64)).tolist() == [5, 10, 15]
    assert score()(lambda rows: np.ones(len(rows), np.int64)) == 12.0


def test_a_policy_is_asked_about_all_episodes_that_go_on():
    asked = []

    def policy(rows):
        asked.append(rows[:, 0].tolist())
        return np.zeros(len(rows), np.int64)

    score()(policy)
    assert asked == [[1.0, 2.0, 3.0], [1.0, 2.0], [1.0]]


def test_observations_are_encoded():
    encoded = score(encode=lambda rows: -np.array(rows))
    actions = encoded.returns(lambda rows: (rows[:, 0] > -2).astype(np.int64))
    assert actions.tolist() == [6, 11, 16]


def test_endless_episodes_end():
    assert score(longest=2).returns(lambda rows: np.zeros(len(rows), np.int64)).max() == 10


def test_scores_repeat_themselves():
    scored = EpisodeScore("CartPole-v1", 4, seed=9)

    def policy(rows):
        return (rows[:, 2] > 0).astype(np.int64)

    assert scored.returns(policy).tolist() == scored.returns(policy).tolist()
    assert len(set(scored.returns(policy).tolist())) > 1


def test_unknown_environments_are_refused():
    with pytest.raises(ConfigError, match="no environment 'Nowhere-v0'"):
        EpisodeScore("Nowhere-v0", 1)
