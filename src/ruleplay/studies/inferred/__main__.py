"""Run the search: `python -m ruleplay.studies.inferred --out FOLDER --minutes 60`."""

import argparse
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruleplay.errors import DivergenceWarning
from ruleplay.experiments.executors import make_executor
from ruleplay.studies.inferred.evaluation import Evaluator
from ruleplay.studies.inferred.search import Search, make_stages
from ruleplay.studies.inferred.space import FITTED, load_space
from ruleplay.studies.inferred.store import InferredStore, read_lines


def main(arguments: Sequence[str] | None = None) -> None:
    """Sweep and search until the time is over; the same command goes on from there."""
    given = _parse(arguments)
    warnings.simplefilter("ignore", DivergenceWarning)  # some readings let predictions diverge
    end = time.monotonic() + 60.0 * given.minutes

    def is_over() -> bool:
        return bool(time.monotonic() >= end)

    store = InferredStore(given.out)
    evaluator = Evaluator(load_space(), store, make_executor("local", given.jobs))
    search = Search(evaluator, make_stages(given.problem or FITTED), _say)
    if given.readings is not None:
        space = evaluator.space
        search.try_given([space.complete(r) for r in read_lines(given.readings)], is_over)
    if not given.no_sweep:
        search.sweep(is_over)
    if not given.sweep:
        search.search(is_over, given.seed)
    if given.presets is not None:
        from ruleplay.studies.inferred.compact import take_presets

        print(f"{take_presets(evaluator.space, store, given.presets)} runs of the presets taken")
    if given.compact is not None:
        from ruleplay.studies.inferred.compact import write_compact

        write_compact(evaluator, given.compact)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m ruleplay.studies.inferred",
        description="Search for the reading that explains the paper's cells; resumable.",
    )
    parser.add_argument("--out", type=Path, default=Path("ruleplay-inferred"), help="folder")
    parser.add_argument("--minutes", type=float, default=60.0, help="when to stop trying")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--seed", type=int, default=0, help="of the sampler")
    parser.add_argument("--problem", action="append", choices=FITTED, help="only this; repeatable")
    parser.add_argument("--sweep", action="store_true", help="only one change at a time")
    parser.add_argument("--no-sweep", action="store_true", help="only joint readings")
    parser.add_argument("--readings", type=Path, help="JSON lines of readings to try first")
    parser.add_argument("--presets", type=Path, help="a reproduction that has the presets' runs")
    parser.add_argument("--compact", type=Path, help="write what the verdict needs to this folder")
    return parser.parse_args(arguments)


def _say(line: dict[str, Any]) -> None:
    changes = ", ".join(f"{name}: {value}" for name, value in line["reading"].items())
    distances = " ".join(f"{value:.3f}" for value in line["distances"])
    counts = f"{line['matched']} of {line['cells']} matched"
    print(f"{distances}  {counts}  {line['cpu']:.1f} s  {changes or 'presets'}", flush=True)


if __name__ == "__main__":
    main()
