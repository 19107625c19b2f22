"""Measure what XCSAgent's defaults are better than, on the tuning seeds.

Run with: python benchmarks/agent_choices.py [--sets CartPole-v1/1000 ...] [--out CSV]

Each choice differs from the defaults by what it says. A run learns for a fixed number of steps, and
keeps what `learn` keeps by itself; 100 episodes without exploration tell how good that is. Runs are
added to the file as they end; those that are there are not repeated. LunarLander needs
`pip install box2d pygame-ce`.
"""

import time
from pathlib import Path
from typing import Any

import pandas as pd
from choices import Study, measure_choices

from ruleplay import XCSAgent
from ruleplay.config import KeepConfig

STEPS = {
    "CartPole-v1": 50_000,
    "Acrobot-v1": 100_000,
    "MountainCar-v0": 120_000,
    "Pendulum-v1": 100_000,
    "MountainCarContinuous-v0": 50_000,
    "LunarLander-v3": 500_000,
}
SEEDS = (1000, 1001, 1002, 1003)
CHOICES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "forgetting 0.985": {"rls_forgetting": 0.985},
    "forgetting 0.997": {"rls_forgetting": 0.997},
    "forgetting 0.999": {"rls_forgetting": 0.999},
    "gap 0.9": {"replay_action_gap": 0.9},
    "returns of 10 steps": {"replay_return_steps": 10},
    "discount 0.995": {"discount": 0.995},
    "10 steps, forgetting 0.999": {"replay_return_steps": 10, "rls_forgetting": 0.999},
    "discount 0.995, 10 steps, forgetting 0.999": {
        "discount": 0.995,
        "replay_return_steps": 10,
        "rls_forgetting": 0.999,
    },
    "batches of 8": {"replay_batch_size": 8},
    "20 of 40 checkpoints": {},
    "as before": {
        "population_size": 3000,
        "replay_action_gap": 0.65,
        "replay_capacity": 50_000,
        "rls_forgetting": 0.985,
    },
}
KEPT = {
    "20 of 40 checkpoints": KeepConfig(policy="validated_average", checkpoints=40, average_over=20),
}
COLUMNS = ["choice", "set", "steps", "return", "seconds"]
OUT = Path(__file__).parents[1] / "docs" / "results" / "agent-choices.csv"


def run(choice: str, name: str) -> dict[str, Any]:
    """Return what a choice does on a problem with a seed."""
    problem, seed = name.split("/")
    agent = XCSAgent(problem, seed=int(seed), **CHOICES[choice])
    start = time.process_time()
    agent.learn(STEPS[problem], keep=KEPT.get(choice, "auto"))
    seconds = time.process_time() - start
    return {
        "choice": choice,
        "set": name,
        "steps": STEPS[problem],
        "return": round(agent.evaluate(100).mean, 2),
        "seconds": round(seconds, 1),
    }


def markdown(runs: pd.DataFrame) -> str:
    """Return a table: a row for each choice, mean returns of its seeds by problem."""
    runs = runs.assign(problem=runs["set"].str.split("/").str[0])
    found = runs.groupby(["choice", "problem"])["return"].agg(["mean", "count"])
    lines = ["| choice | " + " | ".join(STEPS) + " |", "|---" * (len(STEPS) + 1) + "|"]
    for choice in CHOICES:
        cells = [
            f"{found.loc[(choice, name), 'mean']:.1f} ({found.loc[(choice, name), 'count']})"
            if (choice, name) in found.index
            else ""
            for name in STEPS
        ]
        lines.append(f"| {choice} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    measure_choices(
        Study(
            about=(__doc__ or "").splitlines()[0],
            choices=CHOICES,
            sets=[f"{name}/{seed}" for name in STEPS for seed in SEEDS],
            columns=COLUMNS,
            out=OUT,
            run=run,
            markdown=markdown,
        )
    )
