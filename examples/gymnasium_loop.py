"""Let the engine learn in a Gymnasium environment, one call per time step.

Run with: python examples/gymnasium_loop.py [steps] [--out PICTURE]

The picture shows the return of each episode.
"""

import argparse

import gymnasium
from matplotlib.figure import Figure

from ruleplay import XCS, ReplayConfig, XCSConfig

BEST = 193  # the largest return of an episode


def learn(steps: int) -> list[float]:
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
    return returns


def draw(returns: list[float], path: str) -> None:
    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(range(1, len(returns) + 1), returns, marker=".")
    axes.axhline(BEST, color="grey", linestyle="--", label="best possible")
    axes.set(xlabel="episode", ylabel="return", title="Chain of 8 states, while learning")
    axes.legend()
    figure.savefig(path, dpi=110)


def main(steps: int = 20_000, out: str | None = None) -> None:
    returns = learn(steps)
    print(f"{len(returns)} episodes, the last returned {returns[-1]:.0f} of at most {BEST}")
    if out:
        draw(returns, out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", nargs="?", type=int, default=20_000)
    parser.add_argument("--out", help="where to save the picture")
    main(**vars(parser.parse_args()))
