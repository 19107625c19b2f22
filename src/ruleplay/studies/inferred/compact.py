"""The part of a search that is kept for good: all readings, and medians of the best ones.

`readings.jsonl` has a line for each reading that was tried; `finalists.jsonl` has, for the best
of those tried with most seeds, the means behind each row, so that ways to measure and problems
left out can be computed again; `runs.jsonl` has the runs of the verdict, with fresh seeds, and
those of the presets, which the reproduction of the paper has.
"""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.storage.compact import open_results
from ruleplay.experiments.study import PAPER
from ruleplay.studies.inferred.distance import Row
from ruleplay.studies.inferred.evaluation import Evaluation, Evaluator, agents_on
from ruleplay.studies.inferred.figures import OTM
from ruleplay.studies.inferred.search import SEARCH_SEEDS, finalists
from ruleplay.studies.inferred.space import Space
from ruleplay.studies.inferred.store import (
    READINGS,
    RUNS,
    InferredStore,
    read_lines,
    write_lines,
)
from ruleplay.studies.inferred.verdict import PRESET_SEEDS, PROBLEMS, VERDICT_SEEDS

FINALISTS = "finalists.jsonl"
KEPT = 60  # finalists
DIGITS = 5


def write_compact(evaluator: Evaluator, folder: Path) -> None:
    """Write the readings of a search, the medians of its finalists and fresh runs to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    store = evaluator.store
    write_lines(folder / READINGS, store.readings)
    write_lines(folder / FINALISTS, [_line(one) for one in evaluate_finalists(evaluator)])
    kept = {*VERDICT_SEEDS, *PRESET_SEEDS}
    judged = read_lines(store.folder / RUNS)
    write_lines(folder / RUNS, (line for line in judged if line["seed"] in kept))


def take_presets(space: Space, store: InferredStore, results: Path) -> int:
    """Take the runs of the presets from a reproduction of the paper; return how many.

    They are the runs that the reading of the presets means, with fewer figures: what a
    reproduction keeps is what that reading measures.
    """
    runs = open_results(results).summaries()
    taken = 0
    for row in (Row(problem, agent) for problem in PROBLEMS for agent in agents_on(problem)):
        digest = space.specify(space.base, *row).digest()
        reproduced = specify_run(PAPER + row.problem, row.agent).digest()
        found = runs[(runs["digest"] == reproduced) & (runs["variant"] == "")]
        for run in found.to_dict("records"):
            if (digest, run["seed"]) not in store.runs:
                labels = {**row._asdict(), "seconds": round(run["seconds"], 3)}
                store.add_run(digest, int(run["seed"]), dict(_figures_of(run)), **labels)
                taken += 1
    return taken


def _figures_of(run: dict[str, Any]) -> Iterator[tuple[str, float]]:
    for measure in ("reward", "system_error", "macroclassifiers", "generality_volume"):
        yield f"{measure}/whole", float(run[measure])
    for name in (OTM["all episodes"], OTM["means of trailing 100 episodes"], "diverged"):
        yield name, math.nan if run[name] is None else float(run[name])


def evaluate_finalists(evaluator: Evaluator) -> list[Evaluation]:
    """Evaluate the presets' reading and the best others on the same problems and seeds."""
    space, best = evaluator.space, finalists(evaluator.store.readings)[:KEPT]
    if not best:
        return []
    problems, seeds = best[0]["on"], SEARCH_SEEDS[: best[0]["seeds"]]
    chosen = [space.base, *(space.complete(line["reading"]) for line in best)]
    unlike = {tuple(reading.items()): reading for reading in chosen}
    return [evaluator.evaluate(reading, problems, seeds) for reading in unlike.values()]


def read_finalists(space: Space, folder: Path) -> list[Evaluation]:
    """Read the finalists that a folder has, the presets' reading first."""
    return [_evaluation(space, line) for line in read_lines(folder / FINALISTS)]


def _line(one: Evaluation) -> dict[str, Any]:
    rows = {"/".join(row): _rounded(figures.items()) for row, figures in one.rows.items()}
    return {
        "reading": one.reading,
        "seeds": one.seeds,
        "distance": round(one.distance, 5),
        "rows": rows,
    }


def _rounded(figures: Iterable[tuple[str, float]]) -> dict[str, float | None]:
    return {k: None if math.isnan(v) else float(f"{v:.{DIGITS}g}") for k, v in figures}


def _evaluation(space: Space, line: dict[str, Any]) -> Evaluation:
    rows = {
        Row(*name.split("/")): {k: math.nan if v is None else v for k, v in figures.items()}
        for name, figures in line["rows"].items()
    }
    return Evaluation(space.complete(line["reading"]), rows, line["seeds"], line["distance"])
