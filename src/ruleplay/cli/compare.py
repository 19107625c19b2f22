"""`ruleplay compare`: learners on real data or control problems, ours and others."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ruleplay.cli.terminal.outcome import Interrupted
from ruleplay.cli.terminal.outputs import Force, claim_folder
from ruleplay.errors import ConfigError


def compare(
    list_: Annotated[
        str | None,
        typer.Option(
            "--list",
            metavar="[regression-]tuning|reported|control[-tuning]",
            help="The list to run on: sets with classes, with quantities, or control problems.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="Run this contender; may be repeated."),
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--sets",
            "--problems",
            metavar="NAME",
            help="Run on this set, or control problem; may be repeated.",
        ),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(min=1, help="How many of the five folds to run, or ten for quantities."),
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option(
            "--repeats",
            "--seeds",
            min=1,
            help="How many seeds: of sets 1, each divides the rows anew; of control problems 10.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            help="Folder for the runs, real-data[-regression] or control if none is given; those "
            "in it are kept.",
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
    """Compare classifiers or regressors on real data, or agents on control problems.

    The sets, the problems and the peers come from the package registry.

    Runs that the folder already has are not repeated, so the same command goes on after an
    interruption.
    """
    from ruleplay.cli.comparing.request import Request

    if (list_ is None) == (summary is None):
        raise ConfigError("choose one of --list and --summary")
    if summary is not None:
        kind = kind_of_folder(summary)
        write_files(kind, summary, against, force=force)
        show_overview(kind, summary, json)
        return
    assert list_ is not None
    kind = kind_of_list(list_)
    request = Request(
        list_name=list_, only=tuple(only or ()), names=tuple(sets or ()), folds=folds, seeds=repeats
    )
    plan = kind.make_plan(request)
    folder = kind.default_folder(plan) if out is None else out
    claim_folder("--out", folder, ("runs.csv",), force=force)
    run_plan(kind, plan, folder, jobs)
    show_overview(kind, folder, json)


def kind_of_list(name: str) -> Any:
    """Return the module that makes the comparison of a list, or refuse what is none."""
    from ruleplay.cli.comparing import control, real_data

    for kind in (real_data, control):
        if name in kind.LISTS:
            return kind
    known = ", ".join((*real_data.LISTS, *control.LISTS))
    raise ConfigError(f"list must be {known}, got {name!r}")


def kind_of_folder(folder: Path) -> Any:
    """Return the module that made the runs of a folder."""
    from ruleplay.benchmarks.control.runs import has_control_runs
    from ruleplay.cli.comparing import control, real_data

    return control if has_control_runs(folder) else real_data


def run_plan(kind: Any, plan: Any, out: Path, jobs: int) -> None:
    """Make the runs that are missing."""
    from ruleplay.cli.terminal.output import say

    say("making the peers' environment, if it is missing, takes a few minutes the first time")
    try:
        kind.run_plan(plan, out, jobs)
    except KeyboardInterrupt:
        raise Interrupted(f"finished runs are in {out}; the same command goes on") from None


def write_files(kind: Any, folder: Path, against: str, *, force: bool) -> None:
    """Write tables and drawings beside the runs."""
    from ruleplay.cli.terminal.output import say

    kind.check_contender(folder, against)
    claim_folder("--summary", folder, ("tables.md",), force=force)
    for path in kind.write_files(folder, against):
        say(f"wrote {path}")


def show_overview(kind: Any, folder: Path, json: bool) -> None:
    """Print a row per contender."""
    from ruleplay.cli.terminal.output import print_json, print_report, tell

    made = kind.overview_of(folder)
    if json:
        print_json(made.rows)
        return
    print_report(made.columns, made.rows)
    tell(made.note)
