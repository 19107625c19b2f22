"""Progress is a bar on a terminal and lines elsewhere; compiling is noticed when it happens."""

import io
import os
from contextlib import closing, suppress

import numba
import pytest
from rich.console import Console

from ruleplay.cli.terminal.progress import Bar, Lines
from ruleplay.compiler.notice import compile_clock


def display(kind, terminal):
    written = io.StringIO()
    return kind(Console(file=written, force_terminal=terminal, width=100)), written


def test_bar_shows_steps_and_time_left():
    bar, written = display(Bar, terminal=True)
    with closing(bar):
        bar.compiling()
        bar.compiled(21.3)
        bar.progress(500, 2000)
        bar.progress(1000, 2000)
    assert bar.done == 1000
    for piece in ("compiling the kernels", "compiled in", "1000/2000", "left"):
        assert piece in written.getvalue()


def test_bar_leaves_the_cursor_visible():
    bar, written = display(Bar, terminal=True)
    with suppress(KeyboardInterrupt), closing(bar):
        bar.progress(1, 2)
        raise KeyboardInterrupt
    hidden, shown = "\x1b[?25l", "\x1b[?25h"
    assert written.getvalue().rindex(shown) > written.getvalue().rindex(hidden)


def test_lines_are_few(monkeypatch):
    lines, written = display(Lines, terminal=False)
    seconds = iter(range(1, 21))
    monkeypatch.setattr(
        "ruleplay.cli.terminal.progress.time.monotonic", lambda: lines._began + next(seconds)
    )
    with closing(lines):
        for done in range(1, 21):
            lines.progress(done, 20)
    assert written.getvalue().splitlines() == [
        "5 of 20 learning steps, 15 s left",
        "10 of 20 learning steps, 10 s left",
        "15 of 20 learning steps, 5 s left",
    ]


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_compiling_is_noticed_once_and_only_when_it_happens():
    @numba.njit
    def inner(x):
        return x + 1

    @numba.njit
    def outer(x):
        return inner(x) * 2

    told = []
    with compile_clock(lambda: told.append("now")) as clock:
        assert outer(1) == 4
    assert told == ["now"]
    assert clock.seconds > 0
    with compile_clock(lambda: told.append("again")) as clock:
        outer(2)
    assert told == ["now"]
    assert clock.seconds == 0
