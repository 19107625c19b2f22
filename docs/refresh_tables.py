"""Rebuild the tables in the documentation from the committed results.

    python docs/refresh_tables.py

A table stands between `<!-- table: NAME of FOLDER -->` and `<!-- end of table -->`; that of a
comparison may be `NAME of FOLDER against CONTENDER`, or of its first folds only, if some contenders
have run on no others: `NAME of FOLDER, first 1 folds`. The folder `inferred` stands for the verdict
of the study of this name, whose runs come with the package.
"""

import re
import tempfile
from functools import cache
from pathlib import Path

from ruleplay.benchmarks.control import summary as control
from ruleplay.benchmarks.control.runs import has_control_runs
from ruleplay.benchmarks.control.runs import read_runs as read_control_runs
from ruleplay.benchmarks.real_data import summary
from ruleplay.benchmarks.real_data.analysis import on_first_folds
from ruleplay.benchmarks.real_data.runs import read_runs
from ruleplay.experiments.executors import make_executor
from ruleplay.experiments.storage.compact import STUDY, open_results
from ruleplay.report.table import Table
from ruleplay.studies.inferred.report import Verdict, reach_verdict
from ruleplay.studies.paper.analysis import analyse
from ruleplay.studies.reporting import make_tables

DOCS = Path(__file__).parent
INFERRED = "inferred"
TABLE = re.compile(
    r"(<!-- table: (?P<name>\S+) of (?P<folder>[^\s,]+)(?:, first (?P<folds>\d+) folds)?"
    r"(?: against (?P<against>\S+))? -->\n)"
    r".*?(?P<end><!-- end of table -->)",
    re.DOTALL,
)


@cache
def tables_of(
    folder: str, against: str = summary.BASELINE, folds: int | None = None
) -> dict[str, Table]:
    """Return the tables of a folder of results, by name: of a comparison, or of a study."""
    if folder == INFERRED:
        return verdict().tables()
    if has_control_runs(DOCS / folder):
        return control.make_tables(read_control_runs(DOCS / folder), against)
    if not (DOCS / folder / STUDY).exists():
        runs = read_runs(DOCS / folder)
        return summary.make_tables(runs if folds is None else on_first_folds(runs, folds), against)
    return make_tables(analyse(open_results(DOCS / folder)))


@cache
def verdict() -> Verdict:
    """Return the verdict on the readings of the paper; nothing is run for it."""
    with tempfile.TemporaryDirectory() as folder:
        return reach_verdict(Path(folder), make_executor("local", 1))


def refresh(text: str) -> str:
    """Return a page with its tables rebuilt."""

    def rebuild(match: re.Match[str]) -> str:
        against = match["against"] or summary.BASELINE
        folds = int(match["folds"]) if match["folds"] else None
        table = tables_of(match["folder"], against, folds)[match["name"]]
        return f"{match[1]}{table.markdown()}{match['end']}"

    return TABLE.sub(rebuild, text)


def pages_with_tables() -> list[Path]:
    """List the pages that hold tables, that of the project among them."""
    pages = [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))]
    return [path for path in pages if TABLE.search(path.read_text())]


if __name__ == "__main__":
    for page in pages_with_tables():
        page.write_text(refresh(page.read_text()))
        print(f"refreshed {page.name}")
