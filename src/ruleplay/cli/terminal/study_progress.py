"""Show how a study of many runs is going, on standard error."""

from datetime import timedelta

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from ruleplay.experiments.runner import Event, RunEnded, StudyPlanned
from ruleplay.output.harmless import visible

FIRST = "compiling what the first runs need"


class StudyBar:
    """A bar over runs with the estimated time left, for terminals."""

    def __init__(self, console: Console) -> None:
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("runs"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            TextColumn("[dim]{task.description}"),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task(FIRST, total=None, left="")
        self._bar.start()

    def close(self) -> None:
        """Take the bar off the screen."""
        self._bar.stop()

    def note(self, event: Event) -> None:
        """Move the bar; a failure leaves a line."""
        if isinstance(event, StudyPlanned):
            self._bar.update(self._task, total=event.total, completed=event.finished)
            return
        name = visible(f"{event.run.cell.name}, seed {event.run.seed}")
        if event.error is not None:
            self._bar.console.print(f"failed: {escape(name)}: {escape(visible(event.error))}")
        left = show_left(event)
        self._bar.update(self._task, completed=event.done, left=left, description=escape(name))


class StudyLines:
    """A plain line per run, for files and pipes."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def close(self) -> None:
        """Do nothing: lines stay."""

    def note(self, event: Event) -> None:
        """Say what has ended, and how much is left."""
        if isinstance(event, StudyPlanned):
            left = event.total - event.finished
            line = f"{event.total} runs, {left} to do" + (f"; {FIRST}" if left else "")
        else:
            ended = "failed: " + event.error if event.error else f"{event.seconds:.2f} s"
            line = (
                f"{event.done} of {event.total}: {event.run.cell.name}, seed {event.run.seed}: "
                f"{ended}; {show_left(event)}"
            )
        self._console.print(visible(line), highlight=False, markup=False, soft_wrap=True)


def watch_study() -> StudyBar | StudyLines:
    """Return the display that suits standard error."""
    console = Console(stderr=True)
    return StudyBar(console) if console.is_terminal else StudyLines(console)


def show_left(event: RunEnded) -> str:
    """Return the time left, and that kernels are being compiled while they are."""
    left = "time left not known yet"
    if event.seconds_left is not None:
        left = f"about {show_time(event.seconds_left)} left"
    kinds = f"{event.compiling} more kind{'s' * (event.compiling > 1)} of run"
    return f"{left} (compiling: {kinds})" if event.compiling else left


def show_time(seconds: float) -> str:
    """Return a time as hours, minutes and seconds.

    >>> show_time(3723.4)
    '1:02:03'
    """
    return str(timedelta(seconds=round(seconds)))
