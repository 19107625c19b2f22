"""The loops hand each actor its episodes, complete and in order."""

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from ruleplay.errors import ConfigError
from ruleplay.evaluation import evaluate_policy, seed_first
from ruleplay.learners.agent.actors import Experience, ExperienceRecorder
from ruleplay.learners.agent.play import EncodedEnv, EpisodeLog, play
from ruleplay.learners.agent.spaces import Actions, Encoder

modes = pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])


class Stairs(gymnasium.Env):
    """Climb from 10 * episode by steps of 1; `length` steps end an episode, in one way or other."""

    observation_space = spaces.Box(0, 1000, (1,), np.float64)
    action_space = spaces.Discrete(2, start=3)

    def __init__(self, length=3, terminates=True):
        self.length, self.terminates, self.episode = length, terminates, 0
        self.taken = []

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.episode += 1
        self.height = 10.0 * self.episode
        return np.array([self.height]), {}

    def step(self, action):
        self.taken.append(int(action))
        self.height += 1
        over = self.height % 10 == self.length
        return (
            np.array([self.height]),
            self.height,
            bool(over and self.terminates),
            bool(over and not self.terminates),
            {},
        )


def watch(env, steps, seats=1):
    """Play with recorders that always choose action 1; return what each saw, and the log."""
    seen, log = [[] for _ in range(seats)], EpisodeLog()
    actors = [ExperienceRecorder(lambda observation: 1, one.append) for one in seen]
    play(EncodedEnv(env, Encoder((1,)), Actions(2, 3)), actors, log, lambda: log.steps < steps)
    return seen, log


def heights(experiences):
    return [
        (*one.observation, one.action, one.reward, *one.next_observation, one.terminated)
        for one in experiences
    ]


CLIMB = [
    (10, 1, 11, 11, False),
    (11, 1, 12, 12, False),
    (12, 1, 13, 13, True),
    (20, 1, 21, 21, False),
    (21, 1, 22, 22, False),
    (22, 1, 23, 23, True),
]


def test_an_actor_lives_through_whole_episodes():
    env = Stairs()
    (seen,), log = watch(env, 6)
    assert heights(seen) == CLIMB
    assert env.taken == [4] * 6
    assert (log.steps, log.returns, log.lengths) == (6, [36.0, 66.0], [3, 3])


@modes
def test_side_by_side_each_actor_lives_through_the_same_episodes(mode):
    envs = SyncVectorEnv([Stairs, lambda: Stairs(length=4)], autoreset_mode=mode)
    seen, log = watch(envs, 12, seats=2)
    assert heights(seen[0])[:6] == CLIMB
    assert heights(seen[1])[3] == (13, 1, 14, 14, True)
    assert log.steps == sum(map(len, seen)) in (12, 13)
    assert log.returns[:2] == [36.0, 50.0]


def test_arrays_that_an_environment_uses_again_are_copied():
    envs = SyncVectorEnv([Stairs], copy=False)
    (seen,), _ = watch(envs, 6)
    assert heights(seen) == CLIMB


def test_environments_that_do_not_reset_themselves_are_refused():
    envs = SyncVectorEnv([Stairs], autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ConfigError, match="autoreset_mode must be NEXT_STEP or SAME_STEP"):
        watch(envs, 3)


@pytest.mark.parametrize(
    ("terminated", "truncated", "bootstraps", "final"),
    [
        (False, False, True, False),
        (True, False, True, True),
        (False, True, True, False),
        (False, True, False, True),
        (True, True, True, True),
    ],
)
def test_a_time_limit_is_an_end_only_if_so_configured(terminated, truncated, bootstraps, final):
    one = Experience(np.zeros(1), 0, 0.0, np.zeros(1), terminated, truncated)
    assert one.is_final(bootstraps) is final


def test_an_unfinished_episode_is_left_out():
    log = EpisodeLog()
    log.note(5.0, False)
    log.begin(1)
    log.note(1.0, True)
    assert (log.steps, log.returns, log.lengths) == (2, [1.0], [1])


def test_an_evaluation_counts_whole_episodes():
    result = evaluate_policy(Stairs(terminates=False), lambda seen: 4, seed_first(0, 2), longest=50)
    assert result.returns == (36.0, 66.0)
    assert result.lengths == (3, 3)
    assert (result.mean, result.sd) == (51.0, 15.0)
    assert str(result) == "51.00 +- 15.00 in 2 episodes"


def test_an_evaluation_ends_endless_episodes():
    result = evaluate_policy(Stairs(length=11), lambda seen: 4, seed_first(0, 2), longest=5)
    assert result.lengths == (5, 5)
