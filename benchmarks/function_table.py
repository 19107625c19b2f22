"""Measure how well rules approximate functions of two numbers, with replay and without.

Run with: python benchmarks/function_table.py [--seeds 5]

The error is the mean distance between prediction and function in the last tenth of a run, on points
that are not learned from. Seeds begin at 0; settings were chosen by runs with seeds from 1000 on.
Runs are added to the file as they end; those that are there are not repeated.
"""

import argparse
import csv
from pathlib import Path

import pandas as pd

from ruleplay.experiments.metrics import summarize_prediction
from ruleplay.experiments.spec import list_presets, specify_run
from ruleplay.experiments.trial import run_trial

FOLDER = "functions/"
AGENTS = ("xcs", "xcs-er")
KEYS = ["preset", "agent", "seed"]
COLUMNS = [*KEYS, "error", "rules", "seconds"]


def make_runs(path: Path, presets: list[str], seeds: int) -> pd.DataFrame:
    """Make the runs that the file lacks, adding each one to it, and return all."""
    if not path.exists():
        path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    done = set(pd.read_csv(path)[KEYS].itertuples(index=False, name=None))
    for preset in presets:
        for agent in AGENTS:
            for seed in range(seeds):
                if (preset, agent, seed) not in done:
                    row = run(preset, agent, seed)
                    with path.open("a", encoding="utf-8", newline="") as file:
                        csv.writer(file, lineterminator="\n").writerow(row)
    return pd.read_csv(path)


def run(preset: str, agent: str, seed: int) -> list[object]:
    """Return the row of one run."""
    trial = run_trial(specify_run(FOLDER + preset, agent), seed)
    error = summarize_prediction(trial.course)["final_error"]
    rules = int(trial.course.curve["macroclassifiers"][-1])
    return [preset, agent, seed, f"{error:.5f}", rules, f"{trial.seconds:.2f}"]


def markdown(runs: pd.DataFrame) -> str:
    """Return a line for each function and agent."""
    lines = ["| preset | agent | runs | error | rules | seconds |", "|---|---|---|---|---|---|"]
    for (preset, agent), group in runs.groupby(KEYS[:2], sort=True):
        error = group["error"]
        lines.append(
            f"| `functions/{preset}` | {agent} | {len(group)} | {error.median():.4f} "
            f"({error.min():.4f} to {error.max():.4f}) | {group['rules'].median():.0f} "
            f"| {group['seconds'].median():.1f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Make the runs and print the table."""
    known = [name.removeprefix(FOLDER) for name in list_presets() if name.startswith(FOLDER)]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("docs/results/functions.csv"))
    options = parser.parse_args()
    print(markdown(make_runs(options.out, known, options.seeds)))


if __name__ == "__main__":
    main()
