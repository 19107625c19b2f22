"""Notice when kernels are compiled rather than loaded from the cache, and for how long."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.event import Listener, install_listener


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
    """Watch the compiler; `on_start` is called once, when it first has something to do."""
    clock = CompileClock(on_start)
    with install_listener("numba:compile", clock):
        yield clock
