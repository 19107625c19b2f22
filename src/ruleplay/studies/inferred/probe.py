"""Probe one problem with joint readings drawn at random: in how many runs does each agent fail?

    python -m ruleplay.studies.inferred.probe --problem chain16 --readings 80 --seeds 5

A search goes where cells are close; this looks everywhere, so that "no reading makes replay
fail here" rests on more than single changes. It writes a line for each reading.
"""

import argparse
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ruleplay.errors import DivergenceWarning
from ruleplay.experiments.executors import Executor, make_executor
from ruleplay.experiments.trial import Failure, Task
from ruleplay.studies.inferred.distance import Row
from ruleplay.studies.inferred.effects import deciding
from ruleplay.studies.inferred.evaluation import agents_on
from ruleplay.studies.inferred.search import SEARCH_SEEDS
from ruleplay.studies.inferred.space import MULTI, Reading, Space, load_space
from ruleplay.studies.inferred.store import append_line

CHANGED = 0.45  # probability that a choice is not the presets'
EXCLUDED = {"bootstrap": "max PA"}  # argmax ruins both agents on every problem


def draw_readings(space: Space, problem: str, count: int, seed: int) -> Iterator[Reading]:
    """Draw joint readings of what decides the runs of a problem."""
    rng = np.random.default_rng(seed)
    choices = deciding(space, Row(problem, "xcs-er"))
    for _ in range(count):
        drawn = {
            choice.name: choice.names[int(rng.integers(1, len(choice.names)))]
            for choice in choices
            if rng.random() < CHANGED
        }
        yield space.complete(drawn | EXCLUDED)


def probe(
    space: Space, problem: str, readings: Iterator[Reading], seeds: Sequence[int], runner: Executor
) -> Iterator[dict[str, Any]]:
    """Run readings, and say how many runs of each agent diverged."""
    for reading in readings:
        line: dict[str, Any] = {"problem": problem, "reading": space.differences(reading)}
        for agent in agents_on(problem):
            spec = space.specify(reading, problem, agent)
            done = [one for one in runner.outcomes([Task(spec, seed) for seed in seeds])]
            finished = [one for one in done if not isinstance(one, Failure)]
            diverged = sum(bool(one.summary["diverged"]) for one in finished)
            line[agent] = {"runs": len(finished), "diverged": diverged}
        yield line


def main(arguments: Sequence[str] | None = None) -> None:
    """Probe a problem and say the sums."""
    parser = argparse.ArgumentParser(prog="python -m ruleplay.studies.inferred.probe")
    parser.add_argument("--problem", choices=MULTI, default="chain16")
    parser.add_argument("--readings", type=int, default=80, help="how many to draw")
    parser.add_argument("--seeds", type=int, default=5, help="runs of each agent")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--out", type=Path, default=Path("probe.jsonl"), help="a line each")
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore", DivergenceWarning)
    space, seeds = load_space(), SEARCH_SEEDS[: given.seeds]
    drawn = draw_readings(space, given.problem, given.readings, given.seed)
    sums = dict.fromkeys(agents_on(given.problem), 0)
    for line in probe(space, given.problem, drawn, seeds, make_executor("local", 1)):
        append_line(given.out, line)
        for agent in sums:
            sums[agent] += line[agent]["diverged"]
    runs = given.readings * len(seeds)
    print(", ".join(f"{agent}: {count} of {runs} runs diverged" for agent, count in sums.items()))


if __name__ == "__main__":
    main()
