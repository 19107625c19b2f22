"""Stable-Baselines3 evaluates agents of rules as its own."""

import gymnasium
import numpy as np
import pytest

from ruleplay.learners.agent import XCSAgent

evaluation = pytest.importorskip("stable_baselines3.common.evaluation")
several = pytest.importorskip("stable_baselines3.common.vec_env")


def test_it_evaluates_an_agent_as_one_of_its_own():
    agent = XCSAgent("CartPole-v1", seed=0).learn(8000)
    env = gymnasium.make("CartPole-v1")
    env.reset(seed=3)
    returns, lengths = evaluation.evaluate_policy(
        agent, env, n_eval_episodes=10, return_episode_rewards=True, warn=False
    )
    assert returns == lengths
    assert np.mean(returns) > 90


def test_it_evaluates_an_agent_in_several_environments_at_once():
    envs = several.DummyVecEnv([lambda: gymnasium.make("CliffWalking-v1")] * 3)
    agent = XCSAgent("CliffWalking-v1", seed=0).learn(8000)
    result = evaluation.evaluate_policy(agent, envs, n_eval_episodes=6, warn=False)
    assert result == (-13.0, 0.0)
