"""`ruleplay watch`: follow running work in the browser."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli.reproduce import FOLDER

if TYPE_CHECKING:
    from ruleplay.cli.watching.server import Read


def watch(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="Folder of results, or a file of `run --progress-file`."
        ),
    ] = FOLDER,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to serve the page on; 0: a free one.")
    ] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address.")
    ] = False,
) -> None:
    """Show in the browser how a study or a run is going, while it goes on.

    The page is served to this computer only. Nothing is ever written: a study is not
    disturbed, and goes on when this command ends.
    """
    from ruleplay.cli.terminal.output import say, tell
    from ruleplay.cli.watching.server import WatchServer

    with WatchServer(follow(source), port) as server:
        tell(f"{source} is shown at {server.url} (Ctrl-C ends)")
        if not no_browser:
            import webbrowser

            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("no longer watching; what runs goes on")


def follow(source: Path) -> "Read":
    """Return how to read the state of a study or of a run; StoreError if it is neither."""
    if source.is_file():
        from ruleplay.cli.running.log import RunFollower

        return RunFollower(source).state
    from ruleplay.experiments.live import StudyFollower

    return StudyFollower(source).state
