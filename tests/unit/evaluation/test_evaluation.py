"""Episodes by a policy: one loop, alone or side by side, and two meanings of a seed."""

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from ruleplay.evaluation import Episode, evaluate_policy, play_together, seed_each, seed_first

pytestmark = pytest.mark.interpreted


class Walk(gymnasium.Env):
    """Pays the action; ends after as many steps as a draw says, and one more is a time limit."""

    observation_space = spaces.Box(0.0, 100.0, (1,))
    action_space = spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.left = int(self.np_random.integers(1, 30))
        return np.array([self.left], np.float64), {}

    def step(self, action):
        self.left -= 1
        over = self.left == 0
        return np.array([self.left], np.float64), float(action), over and action < 2, over, {}


def lengths(seeds, longest=100):
    return evaluate_policy(Walk(), lambda seen: 1, seeds, longest).lengths


def test_the_first_seed_decides_all_episodes():
    assert lengths(seed_first(3, 4)) == lengths(seed_first(3, 4))
    assert lengths(seed_first(3, 4))[0] == lengths(seed_each(3, 4))[0]
    assert lengths(seed_first(3, 4))[1:] != lengths(seed_each(3, 4))[1:]


def test_with_a_seed_each_an_episode_is_the_same_whatever_came_before():
    assert lengths(seed_each(3, 4))[1:] == lengths(seed_each(4, 3))


def test_side_by_side_is_as_one_after_another():
    episodes = [Episode(Walk(), seed) for seed in seed_each(3, 4)]
    play_together(episodes, lambda playing: [1] * len(playing))
    assert tuple(episode.length for episode in episodes) == lengths(seed_each(3, 4))


@pytest.mark.parametrize(
    ("action", "longest", "end"),
    [(1, 100, "terminated"), (2, 100, "truncated"), (1, 1, "cut off"), (1, 0, "cut off")],
)
def test_an_episode_says_how_it_ended(action, longest, end):
    episode = Episode(Walk(), 3, longest)
    play_together([episode], lambda playing: [action])
    assert episode.end == end
    assert episode.total == action * episode.length
    assert episode.length <= longest


def test_a_policy_that_answers_for_fewer_episodes_is_refused():
    episodes = [Episode(Walk(), seed) for seed in seed_each(3, 2)]
    with pytest.raises(ValueError, match="zip"):
        play_together(episodes, lambda playing: [0])
