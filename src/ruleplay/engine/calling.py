"""How Python calls compiled code that takes long: in pieces, one thread at a time.

While compiled code runs, Python hears no signal. A long call is therefore made of pieces of
about a tenth of a second, and Ctrl-C waits for one of them. How it is divided depends on the
clock, what comes out does not.
"""

import threading
import time
from collections.abc import Iterator

from ruleplay.errors import BusyError

PIECE = 0.1  # seconds
FIRST = 16  # what the first piece does, before anybody knows how long it takes


def in_pieces(total: int, first: int = FIRST) -> Iterator[tuple[int, int]]:
    """Divide steps of work into pieces: where each begins and where it ends."""
    done, size = 0, first
    while done < total:
        began = time.perf_counter()
        until = min(done + size, total)
        yield done, until
        took = time.perf_counter() - began
        if took < 0.5 * PIECE:
            size *= 2
        elif took > 2.0 * PIECE:
            size = max(1, size // 2)
        done = until


class Turns:
    """Let one thread at a time change something; refuse others instead of corrupting it.

    No lock is left behind by an interrupt at an odd moment: a thread that comes again has
    lost its turn, and so has one that has ended.
    """

    def __init__(self) -> None:
        self._holder: dict[str, int] = {}

    def __enter__(self) -> None:
        me = threading.get_ident()
        holder = self._holder.setdefault("thread", me)
        if holder != me:
            self._check_ended(holder)

    def __exit__(self, *reason: object) -> None:
        self._holder.clear()

    def _check_ended(self, holder: int) -> None:
        """Raise BusyError unless the thread that has the turn has ended."""
        if any(thread.ident == holder for thread in threading.enumerate()):
            raise BusyError(
                "the engine is in use by another thread: give each thread a copy of its own "
                "(copy.deepcopy), or let them use it one after another"
            )
        self._holder["thread"] = threading.get_ident()
