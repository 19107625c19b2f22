"""Measure how soon boolean problems are solved, and how well mazes are walked.

Run with: python benchmarks/boolean_table.py [--seeds 5] [--presets mux11 mux20 ...] [--agent xcs]

A run has solved its problem when 1000 greedy answers, those of one stretch of its curve,
were all right. Seeds begin at 0; settings were chosen by runs with seeds from 100 on. Runs are
added to the file as they end; those that are there are not repeated.
"""

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ruleplay.experiments.metrics import summarize_answers
from ruleplay.experiments.spec import RunSpec, list_presets, specify_run
from ruleplay.experiments.trial import Finished, Look, Observer, conduct

FOLDER = "boolean/"
STRETCH = 1000  # answers without a mistake
KEYS = ["preset", "agent", "population", "steps", "seed"]
COLUMNS = [*KEYS, "solved_step", "solved_seconds", "right_after", "rules", "greedy_length"]


class Clock(Observer):
    """Note the time that a run has taken at each of its pauses."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.times: list[float] = []

    def learning(self, done: int, total: int, look: Look | None) -> None:
        self.steps.append(done)
        self.times.append(time.perf_counter())

    def at(self, step: int, seconds: float) -> float:
        """Return the seconds up to a step of a run that took some in all."""
        start = self.times[-1] - seconds
        return float(np.interp(step, [0, *self.steps], [start, *self.times])) - start


def run(spec: RunSpec, seed: int) -> dict[str, Any]:
    """Return what came of one run."""
    clock = Clock()
    finished = conduct(spec, seed, clock)
    found: dict[str, Any] = {"rules": int(finished.trial.course.curve["macroclassifiers"][-1])}
    if finished.problem.right_or_wrong:
        return found | describe_answers(finished, clock)
    return found | {"greedy_length": finished.trial.summary["greedy_length"]}


def describe_answers(finished: Finished, clock: Clock) -> dict[str, Any]:
    """Return when a problem was solved, and how many answers were right from then on."""
    course, problem = finished.trial.course, finished.problem
    solved = summarize_answers(course, problem)["solved_step"]
    if not isinstance(solved, int):
        return {}
    later = course.curve["reward"][course.curve["step"] >= solved]
    return {
        "solved_step": solved,
        "solved_seconds": round(clock.at(solved, finished.trial.seconds), 3),
        "right_after": round(float(later.mean()) / problem.largest_reward, 6),
    }


def specify(preset: str, agent: str | None, steps: int | None) -> RunSpec:
    """Return the run of a preset with a curve of stretches of 1000 answers."""
    spec = specify_run(FOLDER + preset, agent, steps=steps)
    return specify_run(FOLDER + preset, agent, steps=steps, curve_points=spec.steps // STRETCH)


def make_runs(path: Path, specs: list[RunSpec], seeds: int) -> pd.DataFrame:
    """Make the runs that the file lacks, adding each one to it, and return all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    done = set(pd.read_csv(path)[KEYS].itertuples(index=False, name=None))
    for spec in specs:
        assert spec.xcs is not None
        name, size = spec.preset.removeprefix(FOLDER), spec.xcs.population_size
        for seed in range(seeds):
            key = (name, spec.agent, size, spec.steps, seed)
            if key not in done:
                row = dict(zip(KEYS, key, strict=True)) | run(spec, seed)
                with path.open("a", encoding="utf-8", newline="") as file:
                    csv.DictWriter(file, COLUMNS, lineterminator="\n").writerow(row)
    return pd.read_csv(path)


def in_thousands(values: pd.Series) -> str:
    """Return median and range of steps, in thousands."""
    low, middle, high = (values.quantile(q) / 1000 for q in (0.0, 0.5, 1.0))
    return f"{middle:g} ({low:g}-{high:g})"


def answers_table(runs: pd.DataFrame) -> str:
    """Return a line for each boolean problem and agent."""
    lines = [
        "| preset | agent | N | solved | thousand steps to 100 % | seconds | right afterwards "
        "| rules |",
        "|---|---|---|---|---|---|---|---|",
    ]
    answered = runs[runs["greedy_length"].isna()]
    for (preset, agent, size, steps), group in answered.groupby(KEYS[:-1], sort=False):
        solved = group.dropna(subset="solved_step")
        cells = [preset, agent, str(size), f"{len(solved)} of {len(group)}"]
        if len(solved):
            cells += [in_thousands(solved["solved_step"])]
            cells += [f"{solved['solved_seconds'].median():.1f}"]
            cells += [f"{100 * solved['right_after'].mean():.2f} %"]
        else:
            cells += [f"more than {steps / 1000:g}", "", ""]
        lines.append(f"| {' | '.join(cells)} | {group['rules'].median():.0f} |")
    return "\n".join(lines)


def mazes_table(runs: pd.DataFrame) -> str:
    """Return a line for each maze and agent."""
    lines = [
        "| preset | agent | N | steps | runs | steps to the food | rules |",
        "|---|---|---|---|---|---|---|",
    ]
    walked = runs.dropna(subset="greedy_length")
    for key, group in walked.groupby(KEYS[:-1], sort=False):
        length = group["greedy_length"]
        found = f"{length.median():.2f} ({length.min():.2f}-{length.max():.2f})"
        cells = [*map(str, key), str(len(group)), found, f"{group['rules'].median():.0f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Make the runs and print the tables."""
    known = [name.removeprefix(FOLDER) for name in list_presets() if name.startswith(FOLDER)]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presets", nargs="*", choices=known, default=known)
    parser.add_argument("--agent", help="instead of the presets' own")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, help="instead of the presets' own")
    parser.add_argument("--out", type=Path, default=Path("docs/results/boolean.csv"))
    options = parser.parse_args()
    specs = [specify(preset, options.agent, options.steps) for preset in options.presets]
    runs = make_runs(options.out, specs, options.seeds)
    print(answers_table(runs), mazes_table(runs), sep="\n\n")


if __name__ == "__main__":
    main()
