"""Compare XCSStream with River's trees on streams, example by example (prequentially).

    python benchmarks/streams.py [--examples 20000] [--seeds 5] [--out docs/results/streams.csv]
    python benchmarks/streams.py --table        # rebuild the tables of docs/streams.md only

Each finished run is one row of the file; a run that is already there is not done again.
Needs the extra ruleplay[river]. `stream_quantities.py` does the same for quantities.
"""

import argparse
import csv
import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results" / "streams.csv"
PAGE = ROOT / "docs" / "streams.md"

COLUMNS = ("stream", "seed", "learner", "examples", "accuracy", "after_drift", "recovery")
WINDOW = 1000  # examples before and after a drift whose accuracies are compared
SHORT_WINDOW = 250  # examples over which accuracy must be back
TOLERANCE = 0.02  # accuracy may stay this much below its level before the drift

Example = tuple[dict[Any, Any], Any]


Row = dict[str, str]


class Stream(NamedTuple):
    """How to make a stream of some length from a seed, and how many abrupt drifts it has."""

    make: Callable[[int, int], Iterable[Example]]  # (examples, seed)
    drifts: int = 0


class Benchmark(NamedTuple):
    """Who learns which streams, how a run is judged, and which tables follow."""

    results: Path
    columns: tuple[str, ...]
    make_streams: Callable[[], dict[str, Stream]]
    make_learners: Callable[[], dict[str, Callable[[int], Any]]]
    judge: Callable[[Iterable[Example], Any, int], Row]  # (examples, model, abrupt drifts)
    make_tables: Callable[[list[Row]], Row]


def in_turn(concepts: list[Iterable[Example]], examples: int) -> Iterator[Example]:
    """Yield equally many examples of one concept after the other."""
    for concept in concepts:
        yield from itertools.islice(concept, examples // len(concepts))


def make_streams() -> dict[str, Stream]:
    """Return the streams by name; Electricity only if River has downloaded it before."""
    from river import datasets
    from river.datasets import synth

    def sea(examples: int, seed: int) -> Iterator[Example]:
        concepts = [synth.SEA(v, noise=0.1, seed=10 * seed + v) for v in (0, 1, 2, 3)]
        return in_turn(concepts, examples)

    def agrawal(examples: int, seed: int) -> Iterator[Example]:
        concepts = [synth.Agrawal(f, seed=10 * seed + f) for f in (0, 3, 6, 2)]
        return in_turn(concepts, examples)

    def hyperplane(examples: int, seed: int) -> Iterable[Example]:
        return synth.Hyperplane(
            seed=seed, n_drift_features=4, mag_change=0.001, noise_percentage=0.05
        ).take(examples)

    def random_rbf(examples: int, seed: int) -> Iterable[Example]:
        return synth.RandomRBF(seed_model=seed, seed_sample=seed).take(examples)

    def led(examples: int, seed: int) -> Iterable[Example]:
        return synth.LED(seed=seed, noise_percentage=0.1, irrelevant_features=True).take(examples)

    streams = {
        "SEA": Stream(sea, drifts=3),
        "Agrawal": Stream(agrawal, drifts=3),
        "Hyperplane": Stream(hyperplane),
        "RandomRBF": Stream(random_rbf),
        "LED": Stream(led),
        "Bananas": Stream(lambda examples, seed: datasets.Bananas().take(examples)),
        "ImageSegments": Stream(lambda examples, seed: datasets.ImageSegments().take(examples)),
        "Phishing": Stream(lambda examples, seed: datasets.Phishing().take(examples)),
    }
    if datasets.Elec2().is_downloaded:
        streams["Electricity"] = Stream(lambda examples, seed: datasets.Elec2().take(examples))
    return streams


def make_learners() -> dict[str, Callable[[int], Any]]:
    """Return what makes each learner from a seed, by name."""
    from river import forest, tree

    from ruleplay import XCSStream

    return {
        "Hoeffding tree": lambda seed: tree.HoeffdingTreeClassifier(),
        "Hoeffding adaptive tree": lambda seed: tree.HoeffdingAdaptiveTreeClassifier(seed=seed),
        "XCS": lambda seed: XCSStream(replay=None, seed=seed),
        "XCS, fifo": lambda seed: XCSStream(replay="fifo", seed=seed),
        "XCS, reservoir": lambda seed: XCSStream(replay="reservoir", seed=seed),
        "XCS, drift": lambda seed: XCSStream(replay="drift", seed=seed),
        "adaptive random forest": lambda seed: forest.ARFClassifier(seed=seed),
    }


SLOW = {"adaptive random forest": 2}  # learners for which fewer seeds are run


def run_prequentially(examples: Iterable[Example], model: Any) -> list[bool]:
    """Return for each example whether it was predicted right before it was learned from."""
    right = []
    for x, y in examples:
        right.append(model.predict_one(x) == y)
        model.learn_one(x, y)
    return right


def examples_to_recover(right: list[bool], drift: int, until: int) -> int:
    """Return after how many examples accuracy is back near its level before a drift.

    If it is not before the next drift, that is the answer.
    """
    level = mean(right[drift - WINDOW : drift]) - TOLERANCE
    hits = sum(right[drift : drift + SHORT_WINDOW])
    for end in range(drift + SHORT_WINDOW, until):
        if hits >= level * SHORT_WINDOW:
            return end - drift
        hits += right[end] - right[end - SHORT_WINDOW]
    return until - drift


def judge(examples: Iterable[Example], model: Any, drifts: int) -> Row:
    """Return the figures of a run, as text for the file of results."""
    return summarise(run_prequentially(examples, model), drifts)


def summarise(right: list[bool], drifts: int) -> Row:
    """Return a run's figures, as text for the file of results."""
    figures = {"examples": str(len(right)), "accuracy": f"{100 * mean(right):.2f}"}
    if drifts:
        part = len(right) // (drifts + 1)
        starts = [part * k for k in range(1, drifts + 1)]
        after = mean(mean(right[start : start + WINDOW]) for start in starts)
        waits = [examples_to_recover(right, start, start + part) for start in starts]
        figures |= {"after_drift": f"{100 * after:.2f}", "recovery": f"{mean(waits):.0f}"}
    return figures


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file of results, none if there is no file."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def run_all(benchmark: Benchmark, path: Path, examples: int, seeds: int) -> None:
    """Do the runs that the file lacks, and add each as soon as it is finished."""
    done = {(row["stream"], row["seed"], row["learner"]) for row in read_rows(path)}
    if not done:
        path.write_text(",".join(benchmark.columns) + "\n")
    streams, learners = benchmark.make_streams(), benchmark.make_learners()
    plan = itertools.product(range(seeds), learners, streams)
    for seed, learner, name in sorted(plan, key=lambda run: run[1] in SLOW):
        if (name, str(seed), learner) in done or seed >= SLOW.get(learner, seeds):
            continue
        stream = streams[name]
        row = {"stream": name, "seed": str(seed), "learner": learner}
        model = learners[learner](seed)
        row |= benchmark.judge(stream.make(examples, seed), model, stream.drifts)
        with path.open("a", newline="") as file:
            csv.DictWriter(file, benchmark.columns, lineterminator="\n").writerow(row)
        print(", ".join(row.values()), flush=True)


def complete_seeds(rows: list[Row]) -> list[str]:
    """Return the seeds that every learner was run with on every stream."""
    runs = {(row["stream"], row["learner"], row["seed"]) for row in rows}
    pairs = {(stream, learner) for stream, _, _ in runs for _, learner, _ in runs}
    seeds = sorted({seed for _, _, seed in runs}, key=int)
    return [seed for seed in seeds if all((*pair, seed) in runs for pair in pairs)]


def table(rows: list[Row], figure: str, digits: int, *, overall: bool = True) -> str:
    """Return the mean of a figure over seeds: a line per stream, a column per learner.

    A last line has the means over the streams, where `overall` they have one unit.
    """
    seeds = complete_seeds(rows)
    cells: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in rows:
        if row[figure] and row["seed"] in seeds:
            cells[row["stream"], row["learner"]].append(float(row[figure]))
    names = list(dict.fromkeys(stream for stream, _ in cells))
    learners = list(dict.fromkeys(learner for _, learner in cells))
    means = {key: mean(values) for key, values in cells.items()}
    lines = [f"| Stream | {' | '.join(learners)} |", "|---|" + "---:|" * len(learners)]
    for name in names:
        lines.append(_line(name, [means[name, learner] for learner in learners], digits))
    if overall:
        of_all = [mean(means[name, learner] for name in names) for learner in learners]
        lines.append(_line("**mean**", of_all, digits))
    return "\n".join([f"Seeds: {', '.join(seeds)}", "", *lines]) + "\n"


def _line(name: str, values: list[float], digits: int) -> str:
    return f"| {name} | {' | '.join(f'{value:.{digits}f}' for value in values)} |"


def make_tables(rows: list[Row]) -> Row:
    """Return the tables of the page, by name."""
    fast = [row for row in rows if row["learner"] not in SLOW]
    return {
        "accuracy": table(fast, "accuracy", 1),
        "after_drift": table(fast, "after_drift", 1),
        "recovery": table(fast, "recovery", 0),
        "forest": table(rows, "accuracy", 1) if len(rows) > len(fast) else "Not run yet.\n",
    }


def refresh(page: str, tables: Row) -> str:
    """Return the page with its tables rebuilt."""
    for name, text in tables.items():
        pattern = rf"(<!-- streams: {name} -->\n).*?(<!-- end of streams -->)"
        page = re.sub(
            pattern, lambda match, text=text: match[1] + text + match[2], page, flags=re.S
        )
    return page


BENCHMARK = Benchmark(RESULTS, COLUMNS, make_streams, make_learners, judge, make_tables)


def main(benchmark: Benchmark, about: str | None) -> None:
    """Run what is missing, then rebuild the page."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--examples", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=benchmark.results)
    parser.add_argument("--table", action="store_true", help="rebuild the page only")
    options = parser.parse_args()
    if not options.table:
        run_all(benchmark, options.out, options.examples, options.seeds)
    if options.out == benchmark.results:
        tables = benchmark.make_tables(read_rows(options.out))
        PAGE.write_text(refresh(PAGE.read_text(), tables))


if __name__ == "__main__":
    main(BENCHMARK, __doc__)
