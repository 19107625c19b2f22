"""Compare control methods."""

from pathlib import Path

from ruleplay.benchmarks.control import comparison, problems
from ruleplay.benchmarks.control.comparison import FIRST_SEED, FOLDER, SEEDS, Plan
from ruleplay.benchmarks.control.contenders import ROSTER, Programs
from ruleplay.benchmarks.control.runs import read_runs
from ruleplay.benchmarks.control.summary import overview, write_summary
from ruleplay.cli.comparing.request import Request
from ruleplay.cli.terminal.output import say
from ruleplay.errors import ConfigError
from ruleplay.report.table import Table

LISTS = tuple(FIRST_SEED)


def make_plan(request: Request) -> Plan:
    """Return what is to be run, or refuse names that are unknown."""
    if request.folds is not None:
        raise ConfigError("control problems have no folds: --seeds says how many runs")
    return Plan(
        list_name=request.list_name,
        problems=problems.chosen(request.names),
        contenders=ROSTER.chosen(request.only),
        seeds=request.seeds or SEEDS,
    )


def default_folder(plan: Plan) -> Path:
    """Return where runs are kept if nothing else is said."""
    return Path(FOLDER)


def run_plan(plan: Plan, out: Path, jobs: int) -> None:
    """Make what contenders need, then the runs that are missing."""
    programs = Programs()
    programs.prepare(plan.contenders)
    comparison.compare(plan, out, programs, jobs=jobs, on_run=say)


def check_contender(folder: Path, name: str) -> None:
    """Refuse a contender that does not take part."""
    ROSTER.chosen([name])


def write_files(folder: Path, against: str) -> list[Path]:
    """Write tables and drawings beside the runs."""
    return write_summary(folder, against)


def overview_of(folder: Path) -> Table:
    """Return a table with a row per contender."""
    return overview(read_runs(folder))
