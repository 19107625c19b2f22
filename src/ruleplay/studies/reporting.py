"""Report on a folder of results: on the user's own study if it is one, else beside the paper."""

from collections.abc import Sequence
from contextlib import closing
from os import PathLike
from pathlib import Path

from ruleplay.experiments.compact import open_results
from ruleplay.report.write import write_report_of
from ruleplay.studies.own.description import read_description
from ruleplay.studies.own.report import write_own_report


def write_report(
    results_dir: str | PathLike[str],
    out: str | PathLike[str] | None = None,
    figures: Sequence[str] | None = None,
) -> Path:
    """Write a report of a folder of results, and return the path of its page.

    The report goes to `out`, by default `report/` in the folder of results. Files of an earlier
    report are replaced; nothing else is touched. The page draws its curves itself; `figures`
    lists the formats ("svg", "pdf", "png") in which they are wanted as files, too, by default
    those that an earlier report has left.
    """
    folder = Path(results_dir) / "report" if out is None else Path(out)
    with closing(open_results(results_dir)) as results:
        description = read_description(Path(results_dir))
        if description is None:
            return write_report_of(results, folder, figures)
        return write_own_report(results, description, folder, figures)
