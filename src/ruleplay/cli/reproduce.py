"""`ruleplay reproduce`: run a study, or what is left of it, and report on it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruleplay.cli.terminal.outcome import FAILED, Interrupted
from ruleplay.errors import RuleplayError

if TYPE_CHECKING:
    from ruleplay.cli.own_study import OwnPlan
    from ruleplay.experiments.executors import Executor
    from ruleplay.experiments.runner import StudyOutcome
    from ruleplay.experiments.storage.store import Store
    from ruleplay.experiments.study import Study

FOLDER = Path("ruleplay-results")
REPORTING = 5.0  # seconds that writing the report takes, or so
MADE_FROM = "made-from"  # the note in the report's folder
FIGURES = ("reward", "system_error", "macroclassifiers", "generality_half_width", "otm")
DQN_EXTRA = "pip install 'ruleplay[dqn]'"


def reproduce(
    problem: Annotated[
        list[str] | None,
        typer.Option(help="Only this problem of the study, e.g. rmp6; may be repeated."),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            help="Only this agent: xcs, xcs-er, xcs-er-M, dqn, dqn-tuned; may be repeated."
        ),
    ] = None,
    study: Annotated[
        str,
        typer.Option(
            help="paper; literal: its printed readings one at a time; beyond: our recipe "
            "(beyond-headline and beyond-ablation are its parts); or a file of your own, "
            "FILE.toml or FILE.py."
        ),
    ] = "paper",
    reps: Annotated[
        int | None, typer.Option(min=1, help="Runs per cell, the first seeds (30; quick: 3).")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes at a time (one per core).")
    ] = None,
    backend: Annotated[
        str, typer.Option(help="What runs the trials: local, dask or ray.")
    ] = "local",
    address: Annotated[
        str | None, typer.Option(help="A running Dask scheduler or Ray cluster.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            help="Folder of results.",
            show_default="ruleplay-results; FILE-results for a study of your own",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Only the first three seeds, and no DQN: two minutes or so."),
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of a table.")
    ] = False,
) -> None:
    """Run the paper's evaluation, or a study of your own, and write a report on it.

    Finished runs are kept: the same command goes on where it was interrupted.
    """
    from ruleplay.experiments.executors import make_executor
    from ruleplay.studies.own.file import is_study_file

    executor = make_executor(backend, jobs, address)
    if is_study_file(study):
        from ruleplay.cli.own_study import plan_own

        plan = plan_own(Path(study), problem, agent, reps, quick, out)
        outcome = reproduce_own(plan, executor, json)
    else:
        chosen = choose_study(study, problem, agent, reps, quick)
        outcome = reproduce_paper(chosen, FOLDER if out is None else out, executor, json)
    if outcome.failures:
        raise typer.Exit(FAILED)


def reproduce_paper(
    chosen: "Study", folder: Path, executor: "Executor", json: bool
) -> "StudyOutcome":
    """Run a study beside the paper, and report on it."""
    from ruleplay.studies.own.description import check_folder

    check_folder(folder, None)
    with told_what_is_kept(folder):
        outcome = run_watched(chosen, folder, executor)
        cells = describe_cells(folder)
        page = write_page(folder) if cells else None
        conclude(outcome, folder, page, {"cells": cells} if json else None)
        if not json:
            print_cells(cells)
        say_outcome(outcome, folder, page)
    return outcome


def reproduce_own(plan: "OwnPlan", executor: "Executor", json: bool) -> "StudyOutcome":
    """Run a study of the user's own, compare its cells, and report on it."""
    from ruleplay.cli import own_study as own

    folder = plan.folder
    chosen = without_missing_packages(plan.study, by_name=True)
    own.remember(plan)
    with told_what_is_kept(folder):
        outcome = run_watched(chosen, folder, executor)
        analysis = own.look_at(folder, plan.description)
        page = write_page(folder) if analysis.problems else None
        conclude(outcome, folder, page, own.describe_own(analysis) if json else None)
        if not json:
            own.print_own(analysis)
        say_outcome(outcome, folder, page)
    return outcome


def conclude(
    outcome: "StudyOutcome", folder: Path, page: Path | None, figures: dict[str, Any] | None
) -> None:
    """Say beside the results that all is done; print it as a document, if figures are given."""
    from ruleplay.cli.terminal.output import print_json
    from ruleplay.experiments.storage.plan_file import DONE, write_progress

    write_progress(folder, DONE, 0.0)
    if figures is not None:
        print_json(describe_outcome(outcome, folder, page) | figures)


@contextmanager
def told_what_is_kept(folder: Path) -> Iterator[None]:
    """Say of an interruption at any time that finished runs are kept, if nothing better is said."""
    try:
        yield
    except Interrupted:
        raise
    except KeyboardInterrupt:
        raise Interrupted(
            f"all runs that were finished are kept in {folder}; the same command goes on from there"
        ) from None


def choose_study(
    name: str, problems: list[str] | None, agents: list[str] | None, reps: int | None, quick: bool
) -> "Study":
    """Return the study asked for, as far as its packages are installed."""
    from ruleplay.studies.named import named_study

    study = named_study(name, problems, agents, reps, quick)
    return without_missing_packages(study, by_name=bool(agents))


def without_missing_packages(study: "Study", *, by_name: bool) -> "Study":
    """Return a study; without its packages DQN is left out, or refused if asked for by name."""
    from dataclasses import replace

    from ruleplay.baselines import dqn_is_installed
    from ruleplay.cli.terminal.output import say

    rules = tuple(cell for cell in study.cells if cell.spec.dqn is None)
    if len(rules) == len(study.cells) or dqn_is_installed():
        return study
    if by_name:
        raise RuleplayError(f"the agent 'dqn' needs an extra: {DQN_EXTRA}")
    say(f"DQN is left out, its packages are not installed ({DQN_EXTRA})")
    return replace(study, cells=rules)


def run_watched(study: "Study", folder: Path, executor: "Executor") -> "StudyOutcome":
    """Run a study with a progress bar, and snapshots for maps; if stopped, say how to go on."""
    from ruleplay.cli.terminal.study_progress import watch_study
    from ruleplay.experiments.runner import run_study
    from ruleplay.experiments.storage.store import Store

    with Store.open(folder, create=True) as store, closing(watch_study()) as watcher:
        try:
            return run_study(study, store, executor, watcher.note, portraits=True, more=REPORTING)
        except KeyboardInterrupt:
            kept = count_kept(study, store)
            raise Interrupted(
                f"{kept} of {len(study.runs())} runs are kept in {folder}; "
                "the same command goes on from there"
            ) from None


def count_kept(study: "Study", store: "Store") -> int:
    """Count the runs of a study that a store has."""
    keys = {run.key for run in study.runs()}
    return len(keys & store.completed(digest for digest, _ in keys))


def write_page(folder: Path) -> Path:
    """Return the first page of the report on a folder of results; write it if need be.

    What the report was made from is noted last: one that a kill cut short is made anew.
    """
    page, note = folder / "report" / "index.html", folder / "report" / MADE_FROM
    state = state_of(folder).encode()
    if page.exists() and note.is_file() and note.read_bytes() == state:
        return page
    from ruleplay.experiments.storage.plan_file import REPORT, write_progress
    from ruleplay.output.files import write_whole
    from ruleplay.studies.reporting import write_report

    write_progress(folder, REPORT, REPORTING)
    page = write_report(folder)
    write_whole(note, state)
    return page


def state_of(folder: Path) -> str:
    """Return a digest of what a report shows: study, cells, runs, rule maps, and who writes it."""
    import hashlib

    import ruleplay
    from ruleplay.experiments.portraits import list_portraits
    from ruleplay.experiments.storage.store import Store
    from ruleplay.studies.own.description import read_description

    with Store.open(folder) as store:
        made = (ruleplay.__version__, read_description(folder))
        content = (*made, store.cells(), store.log(), list_portraits(folder))
    return hashlib.sha256(repr(content).encode()).hexdigest()


def describe_cells(folder: Path) -> list[dict[str, Any]]:
    """Return means and standard deviations of each cell's runs."""
    from ruleplay.experiments.storage.compact import open_results

    rows = []
    with closing(open_results(folder)) as results:
        summaries = results.summaries()
    for (preset, agent), runs in summaries[summaries["variant"] == ""].groupby(["preset", "agent"]):
        row: dict[str, Any] = {"preset": preset, "agent": agent, "runs": len(runs)}
        for name in FIGURES:
            row[name] = {"mean": float(runs[name].mean()), "sd": float(runs[name].std())}
        judged = runs["diverged"].dropna()
        row["diverged"] = int(judged.sum()) if len(judged) else None
        rows.append(row)
    return rows


def describe_outcome(outcome: "StudyOutcome", folder: Path, page: Path | None) -> dict[str, Any]:
    """Return what a script may want to know about the runs, by name."""
    return {
        "results": str(folder),
        "report": None if page is None else str(page),
        "runs": outcome.total,
        "finished_before": outcome.finished_before,
        "finished_now": outcome.finished_now,
        "seconds": outcome.seconds,
        "failed": [
            {
                "preset": run.spec.preset,
                "agent": run.spec.agent,
                "seed": run.seed,
                "error": failure.error,
                "traceback": failure.traceback,
            }
            for run, failure in outcome.failures
        ],
    }


def print_cells(cells: list[dict[str, Any]]) -> None:
    """Print a table of the cells: mean and standard deviation over the runs."""
    from ruleplay.cli.terminal.output import add_row, new_table, print_table

    names = ["problem", "agent", "runs", *(name.replace("_", " ") for name in FIGURES), "diverged"]
    table = new_table(*names, numbers=tuple(names[2:]))
    for cell in cells:
        figures = [show_spread(**cell[name]) for name in FIGURES]
        diverged = "-" if cell["diverged"] is None else str(cell["diverged"])
        problem = cell["preset"].removeprefix("stein2020/")
        add_row(table, problem, cell["agent"], str(cell["runs"]), *figures, diverged)
    print_table(table)


def show_spread(mean: float, sd: float) -> str:
    """Return a mean with its standard deviation, as far as there are any.

    >>> show_spread(957.61, 3.14), show_spread(2.0, float("nan"))
    ('957.6 ± 3.1', '2')
    """
    if mean != mean:
        return "-"
    return f"{mean:.4g}" if sd != sd else f"{mean:.4g} ± {sd:.2g}"


def say_outcome(outcome: "StudyOutcome", folder: Path, page: Path | None) -> None:
    """Say in a few lines what was done, what failed, and where to read about it."""
    from ruleplay.cli.terminal.output import say

    if outcome.was_complete:
        say(f"all {outcome.total} runs were in {folder} already: nothing to do")
    else:
        done = outcome.finished_before + outcome.finished_now
        say(f"{done} of {outcome.total} runs are in {folder}, {outcome.finished_now} of them new")
    for run, failure in outcome.failures:
        say(f"failed: {run.cell.name}, seed {run.seed}: {failure.error}")
    if outcome.failures:
        say("the same command tries failed runs again; their tracebacks are in the store")
    if page is not None:
        say(f"report: {page}")
