"""`ruleplay report`: tables, figures and a page from finished runs."""

from pathlib import Path
from typing import Annotated

import typer

from ruleplay.cli.terminal.outputs import PAGE, Force, claim_folder


def report(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of results made by `ruleplay reproduce`.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="Folder to write to.", show_default="DIR/report"),
    ] = None,
    figures: Annotated[
        str | None,
        typer.Option(metavar="FORMATS", help="Draw the figures as files, too, e.g. svg,pdf,png."),
    ] = None,
    force: Force = False,
) -> None:
    """Write DIR/report/index.html, with tables beside it; runs nothing."""
    from ruleplay.cli.terminal.output import tell
    from ruleplay.studies.reporting import write_report

    claim_folder("--out", out, (PAGE, "tables", "figures"), force=force)
    formats = None if figures is None else [name.strip() for name in figures.split(",")]
    tell(str(write_report(folder, out, formats)))
