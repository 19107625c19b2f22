"""Compare classifiers, or regressors, on real data."""

from pathlib import Path

from ruleplay.benchmarks.real_data import comparison
from ruleplay.benchmarks.real_data.comparison import Plan
from ruleplay.benchmarks.real_data.contenders import Programs
from ruleplay.benchmarks.real_data.kinds import FIRST_SEED, kind_of, kind_of_list
from ruleplay.benchmarks.real_data.runs import read_runs
from ruleplay.benchmarks.real_data.summary import overview, write_summary
from ruleplay.cli.comparing.request import Request
from ruleplay.cli.terminal.output import say
from ruleplay.errors import ConfigError
from ruleplay.report.table import Table

LISTS = tuple(FIRST_SEED)


def make_plan(request: Request) -> Plan:
    """Return what is to be run, or refuse names that are unknown."""
    kind, folds = kind_of_list(request.list_name), request.folds
    if folds is not None and folds > kind.folds:
        raise ConfigError(f"folds must lie in [1, {kind.folds}], got {folds}")
    return Plan(
        list_name=request.list_name,
        sets=kind.sets_of(request.list_name, request.names),
        contenders=kind.roster.chosen(request.only),
        folds=folds,
        repeats=request.seeds or 1,
    )


def default_folder(plan: Plan) -> Path:
    """Return where runs are kept if nothing else is said."""
    return Path(plan.kind.folder)


def run_plan(plan: Plan, out: Path, jobs: int) -> None:
    """Make what contenders need, then the runs that are missing."""
    programs = Programs(plan.kind.roster)
    programs.prepare(plan.contenders)
    comparison.compare(plan, out, programs, jobs=jobs, on_run=say)


def check_contender(folder: Path, name: str) -> None:
    """Refuse a contender that does not take part in the comparison of a folder."""
    kind_of(read_runs(folder)).roster.chosen([name])


def write_files(folder: Path, against: str) -> list[Path]:
    """Write tables and drawings beside the runs."""
    return write_summary(folder, against)


def overview_of(folder: Path) -> Table:
    """Return a table with a row per contender."""
    return overview(read_runs(folder))
