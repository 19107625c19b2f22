"""Refuse, before any work is done, files that cannot be written or must not be overwritten."""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from ruleplay.errors import ConfigError
from ruleplay.output.files import MAKER, is_ours, trouble_with, write_whole

STANDARD_INPUT = "-"
MARK, PAGE = ".ruleplay", "index.html"  # by which folders are known

Force = Annotated[
    bool, typer.Option("--force", help="Replace files even if ruleplay did not write them.")
]


class Output(NamedTuple):
    """A file that a command is asked to write."""

    option: str
    path: Path | None
    kind: str  # as `is_ours` calls it


def check_outputs(
    outputs: Sequence[Output], inputs: Iterable[str | Path | None], *, force: bool
) -> None:
    """Refuse outputs that are no files, that are read, that meet, or that are somebody else's.

    A file of the same kind that ruleplay has written is replaced without a question, others
    with --force only; what a command reads is never replaced.
    """
    wanted = [output for output in outputs if output.path is not None]
    read = [name for name in inputs if name is not None]
    for place, output in enumerate(wanted):
        assert output.path is not None
        _check_folder(output.option, output.path)
        trouble = trouble_with(output.path)
        if trouble:
            raise ConfigError(f"{output.option} {output.path}: {trouble}")
        for name in read:
            if _is_read(output.path, name):
                raise ConfigError(f"{output.option} {output.path} is read here: name another file")
        for other in wanted[:place]:
            assert other.path is not None
            if _is_same(output.path, other.path):
                raise ConfigError(
                    f"{other.option} and {output.option} must be two files, got {output.path} twice"
                )
        if not force and output.path.exists() and not is_ours(output.path, output.kind):
            raise ConfigError(
                f"{output.option} {output.path} exists and is not a {output.kind} that ruleplay "
                "has written: name another file, or replace it with --force"
            )


def _check_folder(option: str, path: Path) -> None:
    """Refuse a file in a folder that does not exist or takes no files."""
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise ConfigError(f"{option} {path}: there is no folder {path.parent}")
    if not os.access(folder, os.W_OK):
        raise ConfigError(f"{option} {path}: the folder {path.parent} cannot be written to")


def _is_read(path: Path, name: str | Path) -> bool:
    """Tell whether a file is what a command reads, by whatever name or link."""
    if name != STANDARD_INPUT:
        return _is_same(path, Path(name))
    try:
        return path.exists() and os.path.samestat(path.stat(), os.fstat(sys.stdin.fileno()))
    except (OSError, ValueError):  # standard input is closed, or no file of the system's
        return False


def _is_same(one: Path, other: Path) -> bool:
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    return one.exists() and other.exists() and one.samefile(other)


def claim_folder(option: str, folder: Path | None, names: Sequence[str], *, force: bool) -> None:
    """Make a folder whose files of these names ruleplay may replace, or refuse it.

    A folder is ours if it has our mark; of others, none of the names may exist.
    """
    if folder is None:
        return
    taken = [name for name in names if (folder / name).exists()]
    page = folder / PAGE
    is_known = (folder / MARK).exists() or (page.is_file() and is_ours(page, "page"))
    if taken and not is_known and not force:
        raise ConfigError(
            f"{option} {folder}: {taken[0]} in it was not written by ruleplay: "
            "name another folder, or replace it with --force"
        )
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / MARK, f"Files in this folder were written by {MAKER}.\n")
