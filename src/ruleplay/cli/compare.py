"""`ruleplay compare`: learners on real data, ours and others, by a fixed protocol."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli.terminal.outcome import Interrupted
from ruleplay.cli.terminal.outputs import Force, claim_folder
from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    from ruleplay.benchmarks.real_data.comparison import Plan


def compare(
    list_: Annotated[
        str | None,
        typer.Option(
            "--list",
            metavar="[regression-]tuning|reported",
            help="The list of sets to run on: of classes, or of quantities.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="Run this contender; may be repeated."),
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option("--sets", metavar="NAME", help="Run on this set; may be repeated."),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(min=1, help="How many of the five folds to run, or ten for quantities."),
    ] = None,
    repeats: Annotated[
        int, typer.Option(min=1, help="How many seeds; each divides the rows anew.")
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            help="Folder for the runs, real-data[-regression] if none is given; those in it are "
            "kept.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Runs at a time.")] = 1,
    summary: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Rebuild tables and drawings from runs; runs nothing."),
    ] = None,
    against: Annotated[
        str, typer.Option(metavar="NAME", help="The contender that others are compared with.")
    ] = "xcs",
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of a table.")
    ] = False,
    force: Force = False,
) -> None:
    """Compare classifiers, or regressors, on real data.

    The sets and the peers come from the package registry.

    Runs that the folder already has are not repeated, so the same command goes on after an
    interruption.
    """
    if (list_ is None) == (summary is None):
        raise ConfigError("choose one of --list and --summary")
    if summary is not None:
        write_files(summary, against, force=force)
        show_overview(summary, json)
        return
    assert list_ is not None
    plan = make_plan(list_, only or [], sets or [], folds, repeats)
    folder = Path(plan.kind.folder) if out is None else out
    claim_folder("--out", folder, ("runs.csv",), force=force)
    run_plan(plan, folder, jobs)
    show_overview(folder, json)


def make_plan(
    list_name: str, only: list[str], sets: list[str], folds: int | None, repeats: int
) -> "Plan":
    """Return what is to be run, or refuse names that are unknown."""
    from ruleplay.benchmarks.real_data.comparison import Plan
    from ruleplay.benchmarks.real_data.kinds import kind_of_list

    kind = kind_of_list(list_name)
    if folds is not None and folds > kind.folds:
        raise ConfigError(f"folds must lie in [1, {kind.folds}], got {folds}")
    return Plan(
        list_name=list_name,
        sets=kind.sets_of(list_name, tuple(sets)),
        contenders=kind.roster.chosen(only),
        folds=folds,
        repeats=repeats,
    )


def run_plan(plan: "Plan", out: Path, jobs: int) -> None:
    """Make what contenders need, then the runs that are missing."""
    from ruleplay.benchmarks.real_data import comparison
    from ruleplay.benchmarks.real_data.contenders import Programs
    from ruleplay.cli.terminal.output import say

    programs = Programs(plan.kind.roster)
    say("making the peers' environment, if it is missing, takes a few minutes the first time")
    try:
        programs.prepare(plan.contenders)
        comparison.compare(plan, out, programs, jobs=jobs, on_run=say)
    except KeyboardInterrupt:
        raise Interrupted(f"finished runs are in {out}; the same command goes on") from None


def write_files(folder: Path, against: str, *, force: bool) -> None:
    """Write tables and drawings beside the runs."""
    from ruleplay.benchmarks.real_data.kinds import kind_of
    from ruleplay.benchmarks.real_data.runs import read_runs
    from ruleplay.benchmarks.real_data.summary import write_summary
    from ruleplay.cli.terminal.output import say

    kind_of(read_runs(folder)).roster.chosen([against])
    claim_folder("--summary", folder, ("tables.md",), force=force)
    for path in write_summary(folder, against):
        say(f"wrote {path}")


def show_overview(folder: Path, json: bool) -> None:
    """Print a row per contender."""
    from ruleplay.benchmarks.real_data.runs import read_runs
    from ruleplay.benchmarks.real_data.summary import overview
    from ruleplay.cli.terminal.output import add_row, new_table, print_json, print_table, tell

    made = overview(read_runs(folder))
    if json:
        print_json(made.rows)
        return
    headings = [column.heading for column in made.columns]
    table = new_table(*headings, numbers=tuple(headings[1:]))
    for row in made.rows:
        add_row(table, *(column.text(row) for column in made.columns))
    print_table(table)
    tell(made.note)
