"""Disks that are full and folders that cannot be written, for commands to fail on.

A full disk is a small file system in memory, which only root can make; a folder that cannot be
written is one without permissions, to which root is made blind by `setpriv`.
"""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torture import victims


class NotPossibleError(Exception):
    """Say that this machine does not let the case be tried."""


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """Make a file system of so many bytes that lasts as long as it is used."""
    place = folder / "disk"
    place.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mounting, capture_output=True).returncode:
        raise NotPossibleError("no file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path, free: int) -> Path:
    """Fill a disk but for so many bytes; return the file that can be removed again."""
    filler = disk / "filler"
    room = os.statvfs(disk)
    wanted = max(0, room.f_bavail * room.f_frsize - free)
    filler.write_bytes(bytes(wanted))
    return filler


@contextlib.contextmanager
def closed(folder: Path) -> Iterator[Path]:
    """Forbid to write to a folder and all below it as long as this lasts."""
    folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    for path in folders:
        path.chmod(0o555)
    try:
        yield folder
    finally:
        for path in folders:
            path.chmod(0o755)


def start_unprivileged(*arguments: Any, **options: Any) -> "subprocess.Popen[str]":
    """Start Python such that permissions count, even for root."""
    if os.geteuid() != 0:
        return victims.start(*arguments, **options)
    tool = shutil.which("setpriv")
    if tool is None:
        raise NotPossibleError("root ignores permissions, and there is no setpriv")
    # It replaces itself by Python: the process keeps its number.
    code = f"import os, sys; os.execv({tool!r}, sys.argv[1:])"
    command = (tool, "--bounding-set=-dac_override", sys.executable, *arguments)
    return victims.start("-c", code, *command, **options)
