"""Write files whole or not at all, and know those that ruleplay has written."""

import errno
import hashlib
import os
import platform
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from os import PathLike
from pathlib import Path
from typing import IO

PARTIAL = ".partial"  # how the names of files end that are being written
MAKER = "ruleplay"  # whom pages, pictures and films name as their maker
ENDS = 1 << 20  # bytes at either end of a file among which its mark is looked for

_PARTIAL_NAME = re.compile(
    rf"\.ruleplay-(?P<host>[0-9a-f]{{12}})-(?P<process>[1-9][0-9]*)-[0-9a-f]{{12}}\{PARTIAL}"
)

# What only files of each kind that ruleplay has written contain.
_MARKS = {
    "model": re.compile(rb"\ARULEPLAY"),
    "file of rules": re.compile(rb'\A\{\s*"format": "ruleplay-rules"'),
    "table of rules": re.compile(
        rb"\b(action|class),prediction,error,fitness,numerosity,experience,generality\b"
    ),
    "table of predictions": re.compile(
        rb"\A[^\n]*(?P<sign>[^\w\s]|\t)(predicted_[^\n]*|prediction_*)(?P=sign)probability_*"
        rb"((?P=sign)reason_*)?\r?\n"
    ),
    "function": re.compile(rb'\A"""Rules: \d+, written by ruleplay\.'),
    "function in C": re.compile(rb"\A/\* Rules: \d+, written by ruleplay\."),
    "module of JavaScript": re.compile(rb"\A// Rules: \d+, written by ruleplay\."),
    "query": re.compile(rb"\A-- Rules: \d+, written by ruleplay\."),
    "graph": re.compile(rb"\A\x08.\x12\x08ruleplay", re.DOTALL),
    "document of PMML": re.compile(
        rb'\A<\?xml [^>]*>\s*<PMML .*<Application name="ruleplay"', re.DOTALL
    ),
    "model card": re.compile(rb"\A<!-- A model card, written by ruleplay\. -->"),
    "text of rules": re.compile(rb"\A# \d+ rules?, written by ruleplay\n"),
    "page": re.compile(rb'<meta name="generator" content="ruleplay">'),
    "picture": re.compile(
        rb"\A\x89PNG.*tEXtSoftware\0ruleplay"
        rb"|<svg.*<dc:title>ruleplay</dc:title>"
        rb"|\A%PDF.*/Creator \(ruleplay\)",
        re.DOTALL,
    ),
    "film": re.compile(rb"\AGIF89a.*ruleplay", re.DOTALL),
    "log": re.compile(rb'\A\{"event": "start", "format": "ruleplay-run"'),
}
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def write_whole(path: str | PathLike[str], content: bytes | str) -> None:
    """Write a file beside its place, flush it to the disk, and rename it into its place.

    Whoever reads the place finds the old file or the new one. A link stays a link, to the
    new file, which is as readable to others as the old one was. What a killed process has
    left in the folder is removed. An OSError names the path.
    """
    with opened_whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def drop_cut_line(path: Path) -> None:
    """Drop what follows the last whole line of a file: a process was killed while it wrote."""
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        write_whole(path, whole)


@contextmanager
def opened_whole(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file that is to be written piece by piece, and takes its place at the end.

    As `write_whole`; an error on the way leaves the place as it was.
    """
    with errors_name(path):
        place = Path(os.path.realpath(path))
        trouble = trouble_with(place)
        if trouble:
            raise OSError(errno.EPERM, trouble)
        _sweep(place.parent)
        with _put(place) as file:
            yield file
        flush_folder(place.parent)


@contextmanager
def errors_name(path: str | PathLike[str]) -> Iterator[None]:
    """Let an OSError name the file that somebody asked for: a full disk names none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from error


@contextmanager
def _put(place: Path) -> Iterator[IO[bytes]]:
    """Open a file under a temporary name; when it is written, rename it."""
    name = f".ruleplay-{_host()}-{os.getpid()}-{secrets.token_hex(6)}{PARTIAL}"
    beside = place.with_name(name)
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            beside.chmod(stat.S_IMODE(place.stat().st_mode))
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _sweep(folder: Path) -> None:
    """Remove what processes of this host were writing in a folder when they died."""
    with os.scandir(folder) as entries:
        found = [_PARTIAL_NAME.fullmatch(entry.name) for entry in entries]
    for name in filter(None, found):
        if name["host"] == _host() and not _lives(int(name["process"])):
            with suppress(OSError):  # it may be another user's
                (folder / name[0]).unlink()


@cache
def _host() -> str:
    """Name this machine, and on Linux the container, whose processes have numbers of their own."""
    name = platform.node()
    with suppress(OSError):
        name += os.readlink("/proc/self/ns/pid")
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def _lives(process: int) -> bool:
    """Tell whether a process of this host lives; where one cannot ask without harm, it does."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass  # another user's, or no number of a process: not ours to judge
    return True


def trouble_with(path: Path) -> str:
    """Say why a file cannot take a place without harm; nothing if it can."""
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
    except FileNotFoundError:
        return ""
    if kind != stat.S_IFREG:
        return f"this is {_KINDS.get(kind, 'no file')}, not a file"
    return "" if os.access(path, os.W_OK) else "the file is write-protected"


def is_ours(path: Path, kind: str) -> bool:
    """Tell whether a file is one of this kind that ruleplay has written; so is an empty one.

    The kinds are the keys of `_MARKS`.
    """
    with path.open("rb") as file:
        start = file.read(ENDS)
        file.seek(max(len(start), file.seek(0, os.SEEK_END) - ENDS))
        end = file.read(ENDS)
    return not start or _MARKS[kind].search(start + end) is not None


def flush_folder(folder: Path) -> None:
    """Make renames in a folder last, where the system lets folders be opened."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
