"""`ruleplay report`: tables, figures and a page from finished runs."""

from pathlib import Path
from typing import Annotated

import typer


def report(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of results made by `ruleplay reproduce`.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder to write to.", show_default="DIR/report")
    ] = None,
    figures: Annotated[
        str | None,
        typer.Option(metavar="FORMATS", help="Draw the figures as files, too, e.g. svg,pdf,png."),
    ] = None,
) -> None:
    """Write DIR/report/index.html, with tables beside it; runs nothing."""
    from ruleplay.report.write import write_report

    formats = None if figures is None else [name.strip() for name in figures.split(",")]
    typer.echo(write_report(folder, out, formats))
