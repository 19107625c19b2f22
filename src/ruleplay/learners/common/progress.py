"""Show on standard error how far a long call is: with tqdm if it is there, else in words."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

Show = Callable[[int], None]  # steps done

PARTS = 10


@contextmanager
def showing_progress(
    wanted: bool, total: int, first: int = 0, unit: str = "step"
) -> Iterator[Show]:
    """Give a function to call with the number of steps done, of which `first` are done before.

    The time left follows from the steps after these: what takes long before the first step, above
    all compiling, belongs before the call.
    """
    if not wanted:
        yield lambda done: None
    elif find_spec("tqdm") is None:
        yield _in_words(total, unit)
    else:
        with import_module("tqdm").tqdm(total=total, initial=first, unit=unit) as bar:
            yield lambda done: bar.update(done - bar.n)


def _in_words(total: int, unit: str) -> Show:
    """Print a line whenever another tenth is done."""
    lines = 0

    def show(done: int) -> None:
        nonlocal lines
        if done * PARTS >= total * (lines + 1):
            lines = done * PARTS // total
            print(f"{done} of {total} {unit}s", file=sys.stderr)

    return show
