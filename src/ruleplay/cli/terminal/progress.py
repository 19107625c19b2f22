"""Show how a long piece of work is going, on standard error."""

import time

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

COMPILING = "compiling the kernels of this kind of run, once (less than a minute)"
STEPS = "learning steps"
SECONDS_BETWEEN_LINES = 5.0


class Bar:
    """A bar with the time left, for terminals."""

    def __init__(self, console: Console, what: str = STEPS) -> None:
        self.done = 0
        self._what = what
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._spinner = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._task: TaskID | None = None

    def close(self) -> None:
        """Take everything off the screen."""
        self._spinner.stop()
        self._bar.stop()

    def compiling(self) -> None:
        """Turn a spinner while kernels are compiled."""
        self._spinner.add_task(COMPILING, total=None)
        self._spinner.start()

    def compiled(self, seconds: float) -> None:
        """Replace the spinner by a line that stays."""
        self._spinner.stop()
        self._spinner.console.print(f"compiled in {seconds:.1f} s")

    def progress(self, done: int, total: int) -> None:
        """Move the bar."""
        self.done = done
        if self._task is None:
            self._task = self._bar.add_task(self._what, total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done)


class Lines:
    """A plain line per event, for files and pipes."""

    def __init__(self, console: Console, what: str = STEPS) -> None:
        self.done = 0
        self._what = what
        self._console = console
        self._began = self._last = time.monotonic()

    def close(self) -> None:
        """Do nothing: lines stay."""

    def compiling(self) -> None:
        """Say that kernels are being compiled."""
        self._say(COMPILING)

    def compiled(self, seconds: float) -> None:
        """Say how long that took."""
        self._say(f"compiled in {seconds:.1f} s")
        self._began = self._last = time.monotonic()

    def progress(self, done: int, total: int) -> None:
        """Say how far the work is, every few seconds."""
        self.done = done
        now = time.monotonic()
        if now - self._last >= SECONDS_BETWEEN_LINES and 0 < done < total:
            self._last = now
            left = (now - self._began) * (total - done) / done
            self._say(f"{done} of {total} {self._what}, {left:.0f} s left")

    def _say(self, line: str) -> None:
        self._console.print(line, highlight=False, soft_wrap=True)


def watch(what: str = STEPS) -> Bar | Lines:
    """Return the display that suits standard error; `what` is counted."""
    console = Console(stderr=True)
    return Bar(console, what) if console.is_terminal else Lines(console, what)
