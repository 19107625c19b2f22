"""The command line: one small file per command, assembled here.

A command module imports what it needs when it is called, so that help stays quick.
"""

import os
from pathlib import Path
from typing import Annotated

import typer

from ruleplay.cli import (
    bench,
    compare,
    fit,
    play,
    predict,
    presets,
    report,
    reproduce,
    rules,
    run,
    watch,
)
from ruleplay.cli.terminal.outcome import Commands

app = typer.Typer(
    name="ruleplay",
    cls=Commands,
    help="Learn rules with XCS and experience replay.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("fit")(fit.fit)
app.command("predict")(predict.predict)
app.command("run")(run.run)
app.command("reproduce")(reproduce.reproduce)
app.command("watch")(watch.watch)
app.command("report")(report.report)
app.add_typer(presets.app, name="presets")
app.command("rules")(rules.rules)
app.command("play")(play.play)
app.command("bench")(bench.bench)
app.command("compare")(compare.compare)


def show_version(wanted: bool) -> None:
    """Print the version and stop, if it is wanted."""
    if wanted:
        from ruleplay import __version__

        typer.echo(f"ruleplay {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and exit.", callback=show_version, is_eager=True
        ),
    ] = False,
    components: Annotated[
        list[Path] | None,
        typer.Option(
            "--with",
            metavar="FILE.py",
            help="Load a Python file that registers components or problems; may be repeated.",
        ),
    ] = None,
) -> None:
    """Learn rules with XCS and experience replay."""
    if components or os.environ.get("RULEPLAY_WITH"):
        from ruleplay.experiments.modules import load_everywhere

        load_everywhere(components or [])


def main() -> None:
    """Run the command line."""
    app()
