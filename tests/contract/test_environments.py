"""What every environment promises: Gymnasium's rules, and one stream per seed."""

import copy
import json
import os
import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env

from ruleplay.compiler.jit import kernel
from ruleplay.core.basics.rng import spawn_states
from ruleplay.environments import ENVIRONMENTS
from ruleplay.envs import (
    CompiledEnv,
    make_problem,
    problem_options,
    register_environments,
    reset_problem,
    step_problem,
)
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.interpreted

TELETRANSPORTED = [
    (env_id, {"teletransport": True})
    for env_id in ("ruleplay/Chain-v0", "ruleplay/CartPole-v0", "ruleplay/MountainCar-v0")
]
CASES = [
    *((env_id, {}) for env_id in ENVIRONMENTS),
    *TELETRANSPORTED,
    ("ruleplay/RealMultiplexer-v0", {"bits": 11}),
    ("ruleplay/Chain-v0", {"n": 5, "slip": 0.5}),
    ("ruleplay/WBC-v0", {"include_id": True}),
]
every_environment = pytest.mark.parametrize(("env_id", "options"), CASES)


def record(env, steps, seed):
    """Play fixed pseudo-random actions; return all that the environment said."""
    choices = np.random.default_rng(5)
    observation, _ = env.reset(seed=seed)
    said = [observation.tolist()]
    for _ in range(steps):
        action = int(choices.integers(env.action_space.n))
        observation, reward, terminated, truncated, _ = env.step(action)
        said.append([*observation.tolist(), reward, terminated, truncated])
        assert observation in env.observation_space
        if terminated or truncated:
            observation, _ = env.reset()
            said.append(observation.tolist())
    return said


@every_environment
def test_gymnasiums_checker_has_no_complaint(env_id, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "overflow", RuntimeWarning)  # interpreted draws wrap
        check_env(gymnasium.make(env_id, **options).unwrapped)


@every_environment
def test_one_seed_gives_one_stream(env_id, options):
    env, other = gymnasium.make(env_id, **options), gymnasium.make(env_id, **options)
    first = record(env, 700, seed=3)
    assert record(other, 700, seed=3) == first
    assert record(env, 700, seed=3) == first
    assert (record(env, 700, seed=4) == first) == leaves_nothing_to_chance(env_id, options)


def leaves_nothing_to_chance(env_id, options):
    """Tell the one environment that is the same under every seed."""
    return env_id == "ruleplay/Chain-v0" and options == {}


@every_environment
def test_a_seed_plays_what_a_compiled_run_plays(env_id, options):
    env = gymnasium.make(env_id, **options)
    name, defaults, longest = ENVIRONMENTS[env_id]
    assert longest == problem_options(name).get("time_limit")
    problem = make_problem(name, **{**defaults, **options})
    rng = spawn_states(9, 3)[0]
    expected = np.zeros(problem.n_features)
    observation, _ = env.reset(seed=9)
    reset_problem(problem.dynamics, expected, rng)
    np.testing.assert_array_equal(observation, expected)
    for _ in range(50):
        observation, reward, terminated, _, _ = env.step(1)
        assert (reward, terminated) == step_problem(problem.dynamics, 1, expected, rng)
        np.testing.assert_array_equal(observation, expected)
        if terminated:
            observation, _ = env.reset()
            reset_problem(problem.dynamics, expected, rng)
            np.testing.assert_array_equal(observation, expected)


@kernel
def play_compiled(problem, observation, steps, rng):
    """Play inside one compiled call; return the sum of rewards and the number of ends."""
    total, ends = 0.0, 0
    reset_problem(problem, observation, rng)
    for t in range(steps):
        reward, terminated = step_problem(problem, t % 2, observation, rng)
        total += reward
        if terminated:
            ends += 1
            reset_problem(problem, observation, rng)
    return total, ends


@every_environment
def test_a_compiled_loop_plays_what_single_calls_play(env_id, options):
    env = gymnasium.make(env_id, **options).unwrapped
    observation, _ = env.reset(seed=9)
    total, ends = 0.0, 0
    for t in range(300):
        observation, reward, terminated, _, _ = env.step(t % 2)
        total += reward
        if terminated:
            ends += 1
            observation, _ = env.reset()
    problem = copy.deepcopy(env.problem)
    buffer = np.zeros(problem.n_features)
    assert play_compiled(problem.dynamics, buffer, 300, spawn_states(9, 3)[0]) == (total, ends)
    np.testing.assert_array_equal(buffer, observation)


@every_environment
def test_copies_go_on_alike(env_id, options):
    env = gymnasium.make(env_id, **options).unwrapped
    env.reset(seed=0)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        here, _ = copy.deepcopy(env).reset()
        there, _ = twin.reset()
        np.testing.assert_array_equal(here, there)


def test_a_first_reset_without_a_seed_differs_from_run_to_run():
    first = [gymnasium.make("ruleplay/Mario-v0").reset()[0].tolist() for _ in range(3)]
    assert len(set(map(tuple, first))) == 3


@every_environment
def test_single_step_problems_end_after_each_step(env_id, options):
    env = gymnasium.make(env_id, **options)
    if env.unwrapped.problem.single_step:
        for _ in range(20):
            env.reset()
            assert env.step(0)[2:4] == (True, False)
        assert env.spec.max_episode_steps is None
    else:
        assert env.spec.max_episode_steps == env.unwrapped.problem.time_limit


@pytest.mark.parametrize(
    ("env_id", "limit"), [("ruleplay/Chain-v0", 200), ("ruleplay/MountainCar-v0", 500)]
)
def test_gymnasium_truncates_at_the_time_limit(env_id, limit):
    env = gymnasium.make(env_id)
    env.reset(seed=0)
    ends = [env.step(1)[2:4] for _ in range(limit)]
    assert set(ends[:-1]) == {(False, False)}
    assert ends[-1] == (False, True)


def test_the_time_limit_is_gymnasiums_business():
    with pytest.raises(ConfigError, match="max_episode_steps"):
        gymnasium.make("ruleplay/CartPole-v0", time_limit=500)
    env = gymnasium.make("ruleplay/Chain-v0", max_episode_steps=3)
    env.reset()
    assert [env.step(0)[3] for _ in range(3)] == [False, False, True]


@every_environment
def test_steps_outside_an_episode_are_refused(env_id, options):
    env = gymnasium.make(env_id, **options).unwrapped
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset(seed=0)
    for _ in range(10_000 if env.problem.name == "cartpole" else 1):
        if env.step(0)[2]:
            with pytest.raises(ResetNeeded):
                env.step(0)
            break


@every_environment
@pytest.mark.parametrize("action", [-1, 1000, 0.5, None, "0", np.array([0, 1])])
def test_foreign_actions_are_refused(env_id, options, action):
    env = gymnasium.make(env_id, **options).unwrapped
    env.reset(seed=0)
    with pytest.raises(InvalidAction, match="action must lie in"):
        env.step(action)
    assert env.step(env.action_space.sample())  # the episode goes on


def test_wrong_options_are_refused_by_name():
    with pytest.raises(ConfigError, match="bits"):
        gymnasium.make("ruleplay/RealMultiplexer-v0", bits=7)
    with pytest.raises(ConfigError, match="unknown option"):
        gymnasium.make("ruleplay/Mario-v0", teletransport=True)
    with pytest.raises(ConfigError, match="render_mode must be None"):
        CompiledEnv("chain", render_mode="human")
    with pytest.raises(ConfigError, match="takes no options, got n"):
        CompiledEnv(make_problem("chain"), n=4)


def test_any_problem_becomes_an_environment():
    problem = make_problem("mario", picture=np.eye(4, dtype=int))
    env = CompiledEnv(problem)
    assert env.problem is problem
    assert env.action_space.n == 2
    assert env.reset(seed=0)[0] in env.observation_space


def test_registering_again_changes_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register_environments()
    assert set(ENVIRONMENTS) <= set(gymnasium.registry)


def test_environments_run_side_by_side():
    envs = gymnasium.make_vec("ruleplay/CartPole-v0", num_envs=3, teletransport=True)
    observations, _ = envs.reset(seed=0)
    alone, _ = gymnasium.make("ruleplay/CartPole-v0", teletransport=True).reset(seed=2)
    np.testing.assert_array_equal(observations[2], alone)
    envs.close()


INTERPRETED = """
import json, sys, warnings
warnings.simplefilter("ignore")          # whole numbers wrap around, as they should
sys.path.insert(0, sys.argv[1])
import gymnasium, test_environments as contract
print(json.dumps([contract.record(gymnasium.make(i, **o), 40, seed=1) for i, o in contract.CASES]))
"""


def test_the_interpreted_environments_equal_the_compiled_ones():
    here = os.path.dirname(os.path.abspath(__file__))
    answer = subprocess.run(
        [sys.executable, "-c", INTERPRETED, here],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    compiled = [record(gymnasium.make(env_id, **options), 40, seed=1) for env_id, options in CASES]
    assert json.loads(answer.stdout) == compiled
