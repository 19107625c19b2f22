"""What `ruleplay reproduce --study FILE` needs besides: where results go, and what is printed."""

import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ruleplay.cli.terminal.output import print_report
from ruleplay.errors import ConfigError
from ruleplay.experiments.storage.compact import open_results
from ruleplay.experiments.study import Study, restrict
from ruleplay.studies.own.analysis import OwnAnalysis, analyse_own
from ruleplay.studies.own.description import (
    Description,
    check_folder,
    describe,
    write_description,
)
from ruleplay.studies.own.file import read_study
from ruleplay.studies.own.tables import make_own_tables

if TYPE_CHECKING:
    from ruleplay.report.table import Table


class OwnPlan(NamedTuple):
    """What is to be run now, where its results go, and what they are to remember."""

    study: Study
    folder: Path
    description: Description


def plan_own(
    path: Path,
    problems: list[str] | None,
    agents: list[str] | None,
    reps: int | None,
    quick: bool,
    out: Path | None,
) -> OwnPlan:
    """Read a study's file and return what is to be run: all of it, or the part asked for."""
    if quick:
        raise ConfigError(f"the study {str(path)!r} takes no --quick; --reps 3 is quick")
    source = read_study(path)
    whole = source.study.first(reps).study(source.module)
    folder = Path(f"{source.name}-results") if out is None else out
    command = command_of(str(path), problems, agents, reps, folder)
    part = restrict(whole, problems or None, agents or None)
    return OwnPlan(part, folder, describe(source, command))


def command_of(
    name: str, problems: list[str] | None, agents: list[str] | None, reps: int | None, folder: Path
) -> str:
    """Return the command that runs a study, as one types it."""
    words = ["ruleplay", "reproduce", "--study", name]
    words += [word for problem in problems or () for word in ("--problem", problem)]
    words += [word for agent in agents or () for word in ("--agent", agent)]
    words += [] if reps is None else ["--reps", str(reps)]
    return shlex.join([*words, "--out", str(folder)])


def remember(plan: OwnPlan) -> None:
    """Leave the study's description where its results go, unless another study's are there."""
    check_folder(plan.folder, plan.description.name)
    plan.folder.mkdir(parents=True, exist_ok=True)
    write_description(plan.folder, plan.description)


def look_at(folder: Path, description: Description) -> OwnAnalysis:
    """Work out what the runs of a folder say so far."""
    with closing(open_results(folder)) as results:
        return analyse_own(results, description)


def describe_own(analysis: OwnAnalysis) -> dict[str, Any]:
    """Return what a script may want to know about cells and their differences."""
    tables = make_own_tables(analysis)
    shown = {"cells": "cells", "pairs": "comparisons"}
    return {key: list(tables[name].rows) if name in tables else [] for name, key in shown.items()}


def print_own(analysis: OwnAnalysis) -> None:
    """Print the cells and how they differ, as far as it fits a terminal."""
    tables = make_own_tables(analysis)
    compared = {m for problem in analysis.problems for m in problem.described.metrics}
    if "cells" in tables:
        figures = {f"{metric}_interval" for metric in compared}
        print_columns(tables["cells"], {"problem", "cell", "n", *figures})
    if "pairs" in tables:
        where = {"problem", "metric", "first", "second"}
        print_columns(tables["pairs"], {*where, "n", "change", "holm_p", "finding"})


def print_columns(table: "Table", keys: set[str]) -> None:
    """Print some columns of a table; problem and figure only if there are several."""
    alike = {k for k in ("problem", "metric") if len({row.get(k) for row in table.rows}) < 2}
    print_report([column for column in table.columns if column.key in keys - alike], table.rows)
