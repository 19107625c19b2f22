"""What a part of the torture chamber is.

A part is a module with

    CASES = {"quick": 3000, "full": 100_000}    how many cases, numbered from 0
    LIMIT = 20.0                                seconds a case may take before it counts as a hang
    FINE = {"refused", "sound"}                 outcomes that are as they should be
    def run(cases: range, folder: Path) -> Iterator[Result]

`run` yields one result for each of the cases, in their order, and works on a case only when it
is asked for that result: then the driver knows which case was under way when a process dies.
The number of a case fixes everything random in it (`randomness`), so that it can be repeated
alone. Whatever is not in FINE is bad; the driver itself adds "crash" (the process died), "hang"
(silent for longer than LIMIT) and "traceback" (`run` raised).

A part may also have

    def prepare(folder: Path) -> None    make files, compile; not on the clock of any case
    PARALLEL = True                      several children at once may work in `folder`
    BATCH = 500                          cases per child
    PREPARING = 1800.0                   seconds that `prepare` may take
    MEMORY = 8 << 30                     bytes of address space of a child, None for no limit
    ENVIRONMENT = {"NAME": "value"}      variables that its children have beside the driver's

`prepare` is called once alone, then at the start of each child: it must find what it made.
`folder` stays from one start to the next; `scratch` gives room that does not.
"""

import contextlib
import hashlib
import importlib
import pkgutil
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

SCRATCH = "scratch-"
MEMORY = Path("/dev/shm")
OF_THE_DRIVER = ("crash", "hang", "traceback")


class Result(NamedTuple):
    """What became of one case."""

    case: int
    outcome: str
    detail: str = ""
    blows: int = 1  # how often it was tried to break something


@dataclass(frozen=True)
class Part:
    """A part as the driver sees it."""

    name: str
    module: str
    cases: dict[str, int]
    limit: float
    fine: frozenset[str]
    run: Callable[[range, Path], Iterator[Result]]
    prepare: Callable[[Path], Any] | None
    parallel: bool
    batch: int
    preparing: float
    memory: int | None
    environment: dict[str, str]


def find_part(module: str) -> Part:
    """Import a part; its name is the last word of the module's."""
    found = importlib.import_module(module)
    fine = frozenset(found.FINE)
    if fine & set(OF_THE_DRIVER):
        raise ValueError(f"{module}: FINE must not contain {', '.join(OF_THE_DRIVER)}")
    return Part(
        name=module.rpartition(".")[2],
        module=module,
        cases=dict(found.CASES),
        limit=float(found.LIMIT),
        fine=fine,
        run=found.run,
        prepare=getattr(found, "prepare", None),
        parallel=getattr(found, "PARALLEL", False),
        batch=getattr(found, "BATCH", 500),
        preparing=getattr(found, "PREPARING", 1800.0),
        memory=getattr(found, "MEMORY", 8 << 30),
        environment=dict(getattr(found, "ENVIRONMENT", {})),
    )


def part_modules() -> dict[str, str]:
    """Return the modules of all parts by name."""
    package = importlib.import_module("torture.parts")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return {name: f"torture.parts.{name}" for name in names if not name.startswith("_")}


def randomness(part: str, case: int) -> random.Random:
    """Return the random numbers of a case: always the same, unlike those of any other."""
    return random.Random(f"{part} {case}")


@contextlib.contextmanager
def scratch(folder: Path, in_memory: bool = False) -> Iterator[Path]:
    """Make a folder that goes when its user does; after a kill, with the next start.

    One in memory, where the system has such, makes flushing a file cost nothing.
    """
    home, prefix = scratch_homes(folder)[in_memory and MEMORY.is_dir()]
    with tempfile.TemporaryDirectory(prefix=prefix, dir=home) as place:
        yield Path(place)


def scratch_homes(folder: Path) -> list[tuple[Path, str]]:
    """List where scratch folders of a part may be, and how their names begin."""
    mark = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:12]
    return [(folder, SCRATCH), (MEMORY, f"ruleplay-{mark}-")]


def first_line(error: BaseException) -> str:
    """Return an exception as one short line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:300]
