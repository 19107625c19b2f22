"""Race xcsf on functions of two numbers: how long until the same error?

Run with: python benchmarks/function_race.py [--seeds 3] [--blocks 100]

xcsf, an XCSF written in C, is given its own defaults, and the settings of our presets; we have
these presets, with replay and without. All see the same points in the same order. xcsf's mean error
over the last tenth of the blocks is the mark: how many CPU seconds does each need until its error
is no larger? Runs are added to the file as they end; those that are there are not repeated. Nothing
else should run meanwhile; libraries take turns, so that a slow spell meets all.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parent))
from function_race_course import Course, follow

from ruleplay.benchmarks.environment import clean_environ, default_env_path, ensure_peers_env
from ruleplay.benchmarks.programs import run_program
from ruleplay.engine import XCS
from ruleplay.experiments.spec import load_preset

FUNCTIONS = ("sine", "sine-in-sine", "crossed-ridge", "rings")
OURS = ("xcs", "xcs-er")
PEERS = {"defaults": "its defaults", "ours": "our settings"}
PEER_PROGRAM = Path(__file__).with_name("function_race_peer.py")
RUN_SECONDS = 3600
LAST_SHARE = 10

Runs = dict[tuple[str, str, int], Course]


class Rules:
    """Our engine with the settings of a preset."""

    def __init__(self, function: str, agent: str, seed: int) -> None:
        """Build an empty population."""
        xcs, replay = load_preset(f"functions/{function}").configs(agent, {})
        square = {"low": np.zeros(2), "high": np.ones(2)}
        self.engine = XCS(xcs, replay, n_actions=1, seed=seed, **square)

    def learn(self, points: Any, values: Any) -> None:
        """Present each point once, in this order."""
        self.engine.learn_batch(points, np.zeros(len(points), np.int64), values)

    def predict(self, points: Any) -> Any:
        """Return the value at each point; 0 where no rule speaks."""
        return np.nan_to_num(self.engine.predict(points)[:, 0])


def read_runs(path: Path) -> Runs:
    """Return the runs of a file, one in a line."""
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(row["function"], row["program"], row["seed"]): row["course"] for row in rows}


def make_runs(path: Path, seeds: int, blocks: int) -> Runs:
    """Make the runs that the file lacks, adding each one to it, and return all."""
    python = ensure_peers_env(default_env_path())
    runs = read_runs(path)
    for agent in OURS:
        follow(Rules(FUNCTIONS[0], agent, 0), FUNCTIONS[0], 0, 2)  # compiles
    for seed in range(seeds):
        for function in FUNCTIONS:
            for program in [*OURS, *(f"xcsf ({settings})" for settings in PEERS)]:
                key = function, program, seed
                if key not in runs:
                    runs[key] = run(python, *key, blocks)
                    add(path, key, runs[key])
    return runs


def run(python: Path, function: str, program: str, seed: int, blocks: int) -> Course:
    """Return the course of one run of ours, or of xcsf in a process of its own."""
    if program in OURS:
        return follow(Rules(function, program, seed), function, seed, blocks)
    settings = program.removeprefix("xcsf (").removesuffix(")")
    values = {"function": function, "seed": seed, "settings": settings, "blocks": blocks}
    options = [word for name, value in values.items() for word in (f"--{name}", str(value))]
    command = [str(python), str(PEER_PROGRAM), *options]
    return [(one[0], one[1]) for one in run_program(command, RUN_SECONDS, clean_environ())]


def add(path: Path, key: tuple[str, str, int], course: Course) -> None:
    """Add a run to the file."""
    function, program, seed = key
    row = {"function": function, "program": program, "seed": seed, "course": course}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def first_at(course: Course, error: float) -> float:
    """Return after how many seconds the error is no larger than one; infinite if never.

    >>> first_at([(0.1, 0.5), (0.2, 0.3), (0.3, 0.1)], 0.3)
    0.2
    """
    return next((seconds for seconds, there in course if there <= error), float("inf"))


def final_error(course: Course) -> float:
    """Return the mean error over the last tenth of a course."""
    last = max(len(course) // LAST_SHARE, 1)
    return float(np.mean([error for _, error in course[-last:]]))


def markdown(runs: Runs) -> str:
    """Return a line for each function and way of setting xcsf."""
    lines = [
        "| function | xcsf has | its error | seconds | xcs | times less | xcs-er | times less |",
        "|" + 8 * "---|",
    ]
    for function in FUNCTIONS:
        for settings, words in PEERS.items():
            cells = [function, words, *compare(runs, function, settings)]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def compare(runs: Runs, function: str, settings: str) -> list[str]:
    """Return xcsf's error and seconds, then ours to the same error, and how many times less."""
    seeds = sorted({seed for _, _, seed in runs})
    theirs = [runs[function, f"xcsf ({settings})", seed] for seed in seeds]
    marks = [final_error(course) for course in theirs]
    spent = np.array([first_at(one, mark) for one, mark in zip(theirs, marks, strict=True)])
    cells = [f"{np.median(marks):.4f}", f"{np.median(spent):.1f}"]
    for agent in OURS:
        courses = [runs[function, agent, seed] for seed in seeds]
        ours = np.array([first_at(one, mark) for one, mark in zip(courses, marks, strict=True)])
        times = spent / ours
        cells += [
            f"{np.median(ours):.2f}",
            f"{np.median(times):.0f} ({times.min():.0f} to {times.max():.0f})",
        ]
    return cells


def main() -> None:
    """Make the runs and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--blocks", type=int, default=100)
    parser.add_argument("--out", type=Path, default=Path("docs/results/function_race.jsonl"))
    options = parser.parse_args()
    print(markdown(make_runs(options.out, options.seeds, options.blocks)))


if __name__ == "__main__":
    main()
