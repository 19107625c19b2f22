"""Let XCSAgent, and a deep Q-network beside it, learn well-known control problems.

Run with: python benchmarks/control_table.py [--agent xcs] [--seeds 10] [--envs CartPole-v1 ...]

Each run learns for a fixed number of steps, then plays 100 episodes without exploration. On two
problems the rules of XCSAgent are compacted to a list, which plays 100 other episodes than those
it was chosen by. Runs are added to the file as they end; those that are there are not repeated.
DQN needs `pip install 'ruleplay[dqn]'`.
"""

import argparse
import csv
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pandas as pd
from scipy import stats

from ruleplay import XCSAgent
from ruleplay.config.dqn import DQNConfig, dqn_settings
from ruleplay.evaluation import evaluate_policy, seed_first
from ruleplay.learners.agent.interface import choose_bounds, make_interface

STEPS = {
    "CartPole-v1": 50_000,
    "MountainCar-v0": 100_000,
    "Acrobot-v1": 100_000,
    "FrozenLake-v1": 50_000,
    "CliffWalking-v1": 30_000,
    "Taxi-v4": 100_000,
}
COMPACTED = ("CartPole-v1", "MountainCar-v0")
PROBLEMS = {  # what a network is asked about
    "dqn": {"CartPole-v1": "cartpole", "MountainCar-v0": "mountaincar", "Acrobot-v1": "acrobot"},
    "dqn-tuned": {"CartPole-v1": "cartpole", "MountainCar-v0": "mountaincar"},
}
AGENTS = ("xcs", *PROBLEMS)
COLUMNS = ("environment", "agent", "seed", "steps", "return", "rules", "list_rules", "list_return")
EPISODES = 100
FIRST_TEST = 1_000_000  # seeds of tests begin here, those of learning below
LONGEST = 10_000  # steps of an episode without a time limit of its own


def run_xcs(name: str, seed: int, steps: int) -> dict[str, Any]:
    """Return what XCSAgent comes to."""
    agent = XCSAgent(name, seed=seed).learn(steps)
    result = agent.evaluate(EPISODES, FIRST_TEST + seed, max_episode_steps=LONGEST)
    found: dict[str, Any] = {"return": result.mean, "rules": agent.engine.macroclassifiers}
    if name in COMPACTED:
        made = agent.compact(max_rules=10, episodes=40)
        found |= {"list_rules": made.after, "list_return": made.score_after}
    return found


def run_dqn(agent: str, name: str, seed: int, steps: int) -> dict[str, Any]:
    """Return what a deep Q-network comes to; it sees what its configuration says."""
    from ruleplay.baselines import dqn

    config = dqn_settings(agent, PROBLEMS[agent][name], discount=0.99)
    with dqn.one_thread():
        model = dqn.build_model(view(name, config), config, seed)
        model.learn(steps, callback=lambda local, _: local["self"].num_timesteps < steps)
    result = evaluate_policy(
        view(name, config),
        lambda seen: int(model.predict(seen, deterministic=True)[0]),
        seed_first(FIRST_TEST + seed, EPISODES),
        LONGEST,
    )
    return {"return": result.mean}


def view(name: str, config: DQNConfig) -> Any:
    """Make an environment, seen as it is or scaled to [0, 1] by the bounds that XCSAgent uses."""
    env = gymnasium.make(name)
    if not config.scale_observations:
        return env
    low, high = choose_bounds(env, make_interface(env, None, None, None).encoder, None)
    return gymnasium.wrappers.TransformObservation(
        env,
        lambda seen: np.clip((seen - low) / (high - low), 0.0, 1.0).astype(np.float32),
        gymnasium.spaces.Box(0.0, 1.0, low.shape, np.float32),
    )


def make_runs(path: Path, agents: list[str], names: list[str], seeds: int) -> pd.DataFrame:
    """Make the runs that the file lacks, adding each one to it, and return all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    keys = ["environment", "agent", "seed", "steps"]
    done = set(pd.read_csv(path)[keys].itertuples(index=False, name=None))
    plan = [
        (name, agent, seed, STEPS[name])
        for seed in range(seeds)
        for agent in agents
        for name in names
        if agent == "xcs" or name in PROBLEMS[agent]
    ]
    for name, agent, seed, steps in plan:
        if (name, agent, seed, steps) not in done:
            found = (
                run_xcs(name, seed, steps) if agent == "xcs" else run_dqn(agent, name, seed, steps)
            )
            row = dict(zip(keys, (name, agent, seed, steps), strict=True)) | found
            with path.open("a", encoding="utf-8", newline="") as file:
                csv.DictWriter(file, COLUMNS, lineterminator="\n").writerow(row)
    return pd.read_csv(path)


def with_interval(values: pd.Series) -> str:
    """Return the mean and the half-width of its 95 % interval (Student's t)."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.sem() if len(values) > 1 else np.nan
    digits = 3 if values.abs().max() <= 1.0 else 1
    return f"{values.mean():.{digits}f} ± {half:.{digits}f}"


def markdown(runs: pd.DataFrame) -> str:
    """Return a line for each environment and agent."""
    lines = [
        "| environment | steps | agent | mean return | worst | best | rules | list: rules | "
        "list: mean return |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    order = {name: place for place, name in enumerate(STEPS)}
    runs = runs.sort_values(["environment", "seed"], key=lambda part: part.replace(order))
    for (name, steps, agent), group in runs.groupby(["environment", "steps", "agent"], sort=False):
        returns, few = group["return"], group["list_return"].dropna()
        digits = 3 if returns.abs().max() <= 1.0 else 1
        cells = [name, f"{steps:_}".replace("_", " "), agent, with_interval(returns)]
        cells += [f"{returns.min():.{digits}f}", f"{returns.max():.{digits}f}"]
        cells.append("" if group["rules"].isna().all() else f"{group['rules'].mean():.0f}")
        cells += [f"{group['list_rules'].mean():.1f}", with_interval(few)] if len(few) else ["", ""]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Make the runs and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agent", nargs="+", choices=AGENTS, default=["xcs"])
    parser.add_argument("--envs", nargs="+", choices=STEPS, default=[*STEPS])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", type=Path, default=Path("docs/results/control.csv"))
    options = parser.parse_args()
    print(markdown(make_runs(options.out, options.agent, options.envs, options.seeds)))


if __name__ == "__main__":
    main()
