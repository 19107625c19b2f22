"""Notice when kernels are compiled rather than loaded from disk, and tell whoever waits."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.event import Listener, install_listener, register

EVENT = "numba:compile"
PATIENCE = 1.0  # seconds of compiling before a line is written
NOTICE = (
    "ruleplay: compiling for a new kind of model, about ten seconds; the code is kept on disk, and "
    "the next process finds it there"
)


class CompileClock(Listener):
    """Add up the time that compiling takes; kernels compile others while they compile."""

    def __init__(self, on_start: Callable[[], None]) -> None:
        self.seconds = 0.0
        self._on_start = on_start
        self._depth = 0
        self._began = 0.0

    def on_start(self, event: Any) -> None:
        """Note the start of a compilation, and tell of the first."""
        if self._depth == 0:
            self._began = time.perf_counter()
            if self.seconds == 0.0:
                self._on_start()
        self._depth += 1

    def on_end(self, event: Any) -> None:
        """Note the end of a compilation."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._began


@contextmanager
def compile_clock(on_start: Callable[[], None]) -> Iterator[CompileClock]:
    """Watch the compiler; `on_start` is called once, when it first has something to do.

    Who watches tells, too: no other line is written in the meantime.
    """
    clock = CompileClock(on_start)
    is_silent, _NOTICER.is_silent = _NOTICER.is_silent, True
    try:
        with install_listener(EVENT, clock):
            yield clock
    finally:
        _NOTICER.is_silent = is_silent


class _Noticer(Listener):
    """Write one line to standard error, once in a process, when compiling takes long."""

    def __init__(self) -> None:
        self.is_silent = False
        self._clock = CompileClock(lambda: None)

    def on_start(self, event: Any) -> None:
        self._clock.on_start(event)

    def on_end(self, event: Any) -> None:
        self._clock.on_end(event)
        if not self.is_silent and self._spent() > PATIENCE:
            self.is_silent = True
            print(NOTICE, file=sys.stderr, flush=True)

    def _spent(self) -> float:
        """Return the seconds of compiling so far, what is under way included."""
        clock = self._clock
        running = time.perf_counter() - clock._began if clock._depth else 0.0
        return clock.seconds + running


_NOTICER = _Noticer()


def announce_compiling() -> None:
    """Let a line on standard error say, once, that kernels are being compiled."""
    register(EVENT, _NOTICER)


def compile_silently() -> None:
    """Write no such line in this process."""
    _NOTICER.is_silent = True
