"""Trouble with the folder of compiled code: it may cost time, but no result and no traceback.

Most cases compile a few small kernels, as the package compiles its own; the last two of the
full size compile an engine. "same": the numbers are those of an undisturbed process, bit by
bit; "not-possible": the machine does not let the case be tried.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from torture import victims
from torture.disks import NotPossibleError, closed, start_unprivileged
from torture.killing import FaultError
from torture.part import Result, randomness, scratch

CASES = {"quick": 6, "full": 42}
LIMIT = 600.0
FINE = {"same", "not-possible"}
BATCH = 20

# Kernels of two files, one chosen by type; a pause lets something happen between compilations.
HOST = """
import math
from typing import NamedTuple
from ruleplay.compiler.jit import Family, kernel

area = Family("area")

class Square(NamedTuple):
    side: float

@area.member(Square)
@kernel
def area_of_square(shape):
    return shape.side * shape.side + 0.1

@kernel
def wander(shape, steps):
    x, total = 0.3, 0.0
    for _ in range(steps):
        x = 3.9 * x * (1.0 - x) + 1e-9 * area(shape)
        total += math.sin(x) * area(shape)
    return total

@kernel
def count(steps):
    total = 0.0
    for k in range(steps):
        total += math.exp(-k / 7.0) / (k + 1)
    return total
"""
SMALL = """
import sys
from host import Square, count, wander
print(wander(Square(1.7), 1000).hex(), flush=True)
if "pause" in sys.argv:
    sys.stdin.readline()
print(count(500).hex())
"""
ENGINE = """
import hashlib
from ruleplay.engine import XCS
from ruleplay.studies.paper.plan import paper_study
from ruleplay.experiments.trial import run_trial
spec = paper_study(["rmp6"], ["xcs"], reps=1, quick=True).cells[0].spec
trial = run_trial(spec, 0)
print(hashlib.sha256(repr(sorted(trial.summary.items())).encode()).hexdigest())
"""


class Place:
    """A copy of the package, its cache, and programs beside it."""

    def __init__(self, folder: Path, program: str) -> None:
        import ruleplay

        self.folder, self.cache, self.home = folder, folder / "cache", folder / "home"
        for made in (self.cache, self.home):
            made.mkdir()
        ignored = shutil.ignore_patterns("__pycache__", "*.js", "*.css")
        source = Path(ruleplay.__file__).parent
        shutil.copytree(source, folder / "code" / "ruleplay", ignore=ignored)
        (folder / "code" / "host.py").write_text(HOST)
        (folder / "code" / "main.py").write_text(program)

    def start(
        self, *words: str, start: Any = victims.start, unset: tuple[str, ...] = (), **variables: str
    ) -> "subprocess.Popen[str]":
        """Start the program with this cache, changed variables, and some unset."""
        environment = os.environ | {
            "PYTHONPATH": str(self.folder / "code"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(self.cache),
            "HOME": str(self.home),
            **variables,
        }
        for name in ("NUMBA_DISABLE_JIT", *unset):
            environment.pop(name, None)
        started: subprocess.Popen[str] = start(
            self.folder / "code" / "main.py", *words, env=environment
        )
        return started

    def run(self, **options: Any) -> str:
        """Run the program to its end; return what it printed."""
        return read(self.start(**options))


def read(process: "subprocess.Popen[str]") -> str:
    """Return what a process prints; it must succeed."""
    printed, words = process.communicate()
    if process.returncode != 0:
        lines = words.strip().splitlines() or [""]
        raise FaultError("failed", f"exit {process.returncode}: {lines[-1][:300]}\n{words[-1500:]}")
    return printed


def run(cases: range, folder: Path) -> Iterator[Result]:
    """Make trouble once for each case."""
    for case in cases:
        chance, kind = randomness("caches", case), KINDS[case % len(KINDS)]
        program = ENGINE if case >= CASES["full"] - 2 else SMALL
        kind = share if program == ENGINE else kind
        with scratch(folder) as room:
            try:
                place = Place(room, program)
                found = kind(place, chance)
                (room / "calm").mkdir()
                calm = place.run(NUMBA_CACHE_DIR=str(room / "calm"))
                outcome, detail = "same", f"{len(found)} times"
                if set(found) != {calm}:
                    outcome, detail = "other-bits", f"{found} instead of {calm!r}"
            except FaultError as fault:
                outcome, detail = fault.outcome, str(fault)
            except NotPossibleError as error:
                outcome, detail = "not-possible", str(error)
        yield Result(case, outcome, f"{kind.__name__}: {detail.replace(str(room), '')}")


def share(place: Place, chance: Random) -> list[str]:
    """Let two or three processes begin at once with one cold cache; then one more."""
    together = [place.start() for _ in range(chance.choice([2, 3]))]
    return [*map(read, together), place.run()]


def forbid(place: Place, chance: Random) -> list[str]:
    """Forbid to write to the cache, cold or warm."""
    found = [place.run()] if chance.random() < 0.5 else []
    with closed(place.cache):
        return [*found, place.run(start=start_unprivileged)]


def forbid_everything(place: Place, chance: Random) -> list[str]:
    """Forbid to write to any place where a cache could be, as in a read-only container."""
    unset = chance.choice([("NUMBA_CACHE_DIR",), ("NUMBA_CACHE_DIR", "HOME"), ()])
    away = {"XDG_CACHE_HOME": str(place.home)}
    with closed(place.folder):
        return [place.run(start=start_unprivileged, unset=unset, **away)]


def damage(place: Place, chance: Random) -> list[str]:
    """Damage files of the cache: cut off, overwritten, empty, exchanged, a folder instead."""
    found = [place.run()]
    files = sorted(path for path in place.cache.rglob("*.nb*") if path.is_file())
    for path in chance.sample(files, k=min(len(files), chance.choice([1, 2, 8]))):
        chance.choice(DAMAGES)(path, chance, files)
    return [*found, place.run(), place.run()]


def _cut_off(path: Path, chance: Random, files: list[Path]) -> None:
    path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])


def _empty(path: Path, chance: Random, files: list[Path]) -> None:
    path.write_bytes(b"")


def _overwrite(path: Path, chance: Random, files: list[Path]) -> None:
    content = bytearray(path.read_bytes())
    begin = chance.randrange(len(content))
    content[begin : begin + 64] = chance.randbytes(len(content[begin : begin + 64]))
    path.write_bytes(content)


def _exchange(path: Path, chance: Random, files: list[Path]) -> None:
    other = chance.choice([file for file in files if file.is_file()] or [path])
    path.write_bytes(other.read_bytes())


def _remove(path: Path, chance: Random, files: list[Path]) -> None:
    path.unlink()


DAMAGES = (_cut_off, _empty, _overwrite, _exchange, _remove)


def change_processor(place: Place, chance: Random) -> list[str]:
    """Compile for this processor, for any, and for this one again."""
    names: list[dict[str, str]] = [{}, {"NUMBA_CPU_NAME": "generic"}]
    if chance.random() < 0.5:
        names.reverse()
    return [place.run(**variables) for variables in (*names, names[0])]


def take_away(place: Place, chance: Random) -> list[str]:
    """Remove the cache, or all that is in it, while a process is about to compile."""
    process = place.start("pause", start=_start_with_pipe)
    first = process.stdout.readline()
    shutil.rmtree(place.cache)
    if chance.random() < 0.5:
        place.cache.mkdir()
    printed, words = process.communicate("\n")
    if process.returncode != 0:
        lines = words.strip().splitlines() or [""]
        raise FaultError("failed", f"exit {process.returncode}: {lines[-1][:300]}\n{words[-1500:]}")
    return [first + printed, place.run()]


def _start_with_pipe(*words: Any, **options: Any) -> "subprocess.Popen[str]":
    return victims.start(*words, stdin=subprocess.PIPE, **options)


KINDS: tuple[Callable[[Place, Random], list[str]], ...] = (
    share,
    forbid,
    damage,
    change_processor,
    take_away,
    forbid_everything,
)
