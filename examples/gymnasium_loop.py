"""Let the engine learn in a Gymnasium environment, one call per time step."""

import sys

import gymnasium

from ruleplay import XCS, ReplayConfig, XCSConfig

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000

env = gymnasium.make("ruleplay/Chain-v0", n=8)
engine = XCS(
    XCSConfig(exploration="epsilon_greedy", error_threshold=0.1, initial_prediction=10.0),
    ReplayConfig(warmup=200),
    n_actions=env.action_space.n,
    low=env.observation_space.low,
    high=env.observation_space.high,
    horizon=steps,
)
returns, total = [], 0.0
observation, _ = env.reset(seed=0)
action = engine.step(observation)
for _ in range(steps):
    observation, reward, terminated, truncated, _ = env.step(action)
    total += reward
    action = engine.step(observation, reward, terminated, truncated)
    if terminated or truncated:
        returns.append(total)
        total = 0.0
        observation, _ = env.reset()
        action = engine.step(observation)
print(f"{len(returns)} episodes, the last returned {returns[-1]:.0f} of at most 193")
