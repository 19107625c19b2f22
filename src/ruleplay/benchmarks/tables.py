"""Turn the runs of a comparison into rows, and rows into a table."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Literal, TypedDict

from ruleplay.benchmarks.workload import RunResult, first_reaching

OURS = "ruleplay"
Range = tuple[float, float]
Figures = dict[str, float | None]
FIGURES = (
    "microseconds_per_step",
    "accuracy",
    "macroclassifiers",
    "episode_length",
    "seconds_to_95",
    "steps_to_95",
    "seconds_to_98",
    "steps_to_98",
)
RATIOS = {
    "ratio_to_ruleplay": "microseconds_per_step",
    "ratio_to_95": "seconds_to_95",
    "ratio_to_98": "seconds_to_98",
}
HEADINGS = (
    "workload",
    "library",
    "µs per step",
    "ratio",
    "accuracy",
    "rules",
    "s to 95 % (steps)",
    "ratio",
    "s to 98 % (steps)",
    "ratio",
)


class Row(TypedDict):
    """Sum up the runs of one library on one workload: medians, and ranges beside them.

    The ratios say how many times ruleplay's median this library needs; their ranges are over runs
    with the same seed. A time to an accuracy is None when half of the runs or more missed it.
    """

    workload: str
    library: str
    version: str
    microseconds_per_step: float | None
    accuracy: float | None
    macroclassifiers: float | None
    seconds_to_95: float | None
    seconds_to_98: float | None
    ratio_to_ruleplay: float | None
    ratio_to_95: float | None
    ratio_to_98: float | None
    steps_to_95: float | None
    steps_to_98: float | None
    episode_length: float | None
    runs: int
    ranges: dict[str, Range]
    error: str | None


class Failure(TypedDict):
    """Note why a library has no figures on a workload."""

    workload: str
    library: str
    error: str


def summarise(runs: Sequence[RunResult], failures: Sequence[Failure] = ()) -> list[Row]:
    """Return one row per workload and library in order of appearance, failures at the end."""
    groups: dict[tuple[str, str], dict[int, Figures]] = {}
    versions: dict[str, str] = {}
    for run in runs:
        key = run["workload"], run["library"]
        groups.setdefault(key, {})[run["seed"]] = run_figures(run)
        versions[run["library"]] = run["version"]
    rows = [
        summary_row(workload, library, versions[library], by_seed, groups.get((workload, OURS), {}))
        for (workload, library), by_seed in groups.items()
    ]
    return rows + [failed_row(failure) for failure in failures]


def run_figures(run: RunResult) -> Figures:
    """Return the figures of one run that a row sums up."""
    figures: Figures = {
        "microseconds_per_step": run["microseconds_per_step"],
        "accuracy": run["accuracy"],
        "macroclassifiers": run["macroclassifiers"],
        "episode_length": run.get("episode_length"),
    }
    for percent in (95, 98):
        reached = first_reaching(run["checkpoints"], percent / 100)
        figures[f"seconds_to_{percent}"] = reached["seconds"] if reached else None
        figures[f"steps_to_{percent}"] = reached["steps"] if reached else None
    return figures


def summary_row(
    workload: str,
    library: str,
    version: str,
    by_seed: dict[int, Figures],
    ours: dict[int, Figures],
) -> Row:
    """Sum up one library's figures on one workload and relate them to ours."""
    columns = {name: [figures[name] for figures in by_seed.values()] for name in FIGURES}
    median = {name: median_or_none(values) for name, values in columns.items()}
    for ratio, name in RATIOS.items():
        reference = median_or_none([figures[name] for figures in ours.values()])
        median[ratio] = quotient(median[name], reference)
        columns[ratio] = [
            quotient(figures[name], ours[seed][name])
            for seed, figures in by_seed.items()
            if seed in ours
        ]
    return {
        "workload": workload,
        "library": library,
        "version": version,
        "microseconds_per_step": median["microseconds_per_step"],
        "accuracy": median["accuracy"],
        "macroclassifiers": median["macroclassifiers"],
        "seconds_to_95": median["seconds_to_95"],
        "seconds_to_98": median["seconds_to_98"],
        "ratio_to_ruleplay": median["ratio_to_ruleplay"],
        "ratio_to_95": median["ratio_to_95"],
        "ratio_to_98": median["ratio_to_98"],
        "steps_to_95": median["steps_to_95"],
        "steps_to_98": median["steps_to_98"],
        "episode_length": median["episode_length"],
        "runs": len(by_seed),
        "ranges": known_ranges(columns),
        "error": None,
    }


def failed_row(failure: Failure) -> Row:
    """Return a row without figures that says what went wrong."""
    nothing: Figures = dict.fromkeys(FIGURES)
    empty = summary_row(failure["workload"], failure["library"], "", {0: nothing}, {})
    return {**empty, "runs": 0, "error": failure["error"]}


def median_or_none(values: Iterable[float | None]) -> float | None:
    """Return the median, a missing value counting as larger than any other.

    >>> median_or_none([1.0, None, 2.0]), median_or_none([1.0, None])
    (2.0, None)
    """
    numbers = [float("inf") if value is None else value for value in values]
    middle = statistics.median(numbers) if numbers else float("inf")
    return None if middle == float("inf") else middle


def quotient(value: float | None, reference: float | None) -> float | None:
    """Return value / reference where both exist and the reference is not zero."""
    return value / reference if value is not None and reference else None


def known_ranges(columns: dict[str, list[float | None]]) -> dict[str, Range]:
    """Return the smallest and largest existing value of each column that has any."""
    known = {name: [v for v in values if v is not None] for name, values in columns.items()}
    return {name: (min(values), max(values)) for name, values in known.items() if values}


def format_table(rows: Sequence[Row], style: Literal["text", "markdown"] = "text") -> str:
    """Return the rows as a table for a terminal or for a Markdown page."""
    cells = [HEADINGS, *(row_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(HEADINGS))]
    edge, gap = ("| ", " | ") if style == "markdown" else ("", "  ")
    lines = [
        (edge + gap.join(map(str.ljust, line, widths)) + edge[::-1]).rstrip() for line in cells
    ]
    rule = edge + gap.join("-" * width for width in widths) + edge[::-1]
    notes = [f"{r['library']} on {r['workload']}: {r['error']}" for r in rows if r["error"]]
    return "\n".join([lines[0], rule.rstrip(), *lines[1:], *(["", *notes] if notes else [])])


def row_cells(row: Row) -> tuple[str, ...]:
    """Return the cells of one row under the headings."""
    length = row["episode_length"]
    quality = f"{length:.0f} steps balanced" if length is not None else shown(row["accuracy"], 3)
    return (
        row["workload"],
        f"{row['library']} {row['version']}".rstrip(),
        with_range(row, "microseconds_per_step", 2),
        with_range(row, "ratio_to_ruleplay", 1),
        quality,
        shown(row["macroclassifiers"], 0),
        time_and_steps(row["seconds_to_95"], row["steps_to_95"]),
        with_range(row, "ratio_to_95", 1),
        time_and_steps(row["seconds_to_98"], row["steps_to_98"]),
        with_range(row, "ratio_to_98", 1),
    )


def shown(value: float | None, digits: int) -> str:
    """Return the number with its decimals, a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def with_range(
    row: Row,
    name: Literal["microseconds_per_step", "ratio_to_ruleplay", "ratio_to_95", "ratio_to_98"],
    digits: int,
) -> str:
    """Return a median with its range behind it where several runs stand behind it."""
    text, pair = shown(row[name], digits), row["ranges"].get(name)
    if row[name] is None or pair is None or pair[0] == pair[1]:
        return text
    return f"{text} ({pair[0]:.{digits}f}-{pair[1]:.{digits}f})"


def time_and_steps(seconds: float | None, steps: float | None) -> str:
    """Return seconds with the steps they took in brackets."""
    return "-" if seconds is None or steps is None else f"{seconds:.4f} ({steps:.0f})"
