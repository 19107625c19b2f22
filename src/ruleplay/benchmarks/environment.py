"""Make the virtual environment that the peer libraries live in, apart from ruleplay's own."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

from ruleplay.errors import RuleplayError

PEERS = Path(__file__).resolve().parent / "peers"
REQUIREMENTS = PEERS / "requirements.txt"
MARKER = "ruleplay-peers.txt"
INSTALL_SECONDS = 900
FOLDERS = re.compile(r'File "[^"]*[/\\](?=[^"/\\]+")')  # of a file that a traceback names


class PeerError(RuleplayError, RuntimeError):
    """Report a peer library that cannot be installed or run."""


def cache_folder() -> Path:
    """Return where this user keeps what can be made or fetched again."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "ruleplay"


def default_env_path(requirements: Path = REQUIREMENTS) -> Path:
    """Return where the peers' environment is kept for this user and these requirements."""
    return cache_folder() / f"peers-{requirements_digest(requirements)[:12]}"


def requirements_digest(requirements: Path) -> str:
    """Return the digest of what is to be installed and for which Python."""
    wanted = requirements.read_bytes() + sys.version.encode()
    return hashlib.sha256(wanted).hexdigest()


def env_python(path: Path) -> Path:
    """Return the interpreter inside a virtual environment."""
    return path / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def ensure_peers_env(path: Path, requirements: Path = REQUIREMENTS) -> Path:
    """Return the interpreter of an environment with all peers, creating it when needed.

    A marker written last tells a finished environment from one whose installation was cut short.

    Raises:
        PeerError: the directory holds something else, or the installation fails.
    """
    python, marker, digest = env_python(path), path / MARKER, requirements_digest(requirements)
    if marker.is_file() and python.exists() and marker.read_text() == digest:
        return python
    if path.exists() and not (path / "pyvenv.cfg").is_file() and any(path.iterdir()):
        raise PeerError(f"cannot make the peers' environment in {path}: it holds other files")
    try:
        venv.create(path, with_pip=True, clear=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise PeerError(f"cannot create a virtual environment in {path}: {error}") from error
    install_requirements(python, requirements)
    marker.write_text(digest)
    return python


def install_requirements(python: Path, requirements: Path) -> None:
    """Install the pinned peers with the environment's own pip."""
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--only-binary", "xcsf,numpy,pandas,scikit-learn,scipy", "-r", str(requirements)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=INSTALL_SECONDS, env=clean_environ()
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PeerError(f"cannot install the peers: {error}") from error
    if done.returncode != 0:
        raise PeerError(
            "cannot install the peers (is a package index reachable, and does it have wheels for "
            f"this Python?): {last_lines(done.stderr)}"
        )


def clean_environ() -> dict[str, str]:
    """Return the environment variables for a peer: one thread, no foreign Python paths."""
    dropped = {"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP"}
    kept = {name: value for name, value in one_thread().items() if name not in dropped}
    return kept | {"PYTHONDONTWRITEBYTECODE": "1"}


def one_thread() -> dict[str, str]:
    """Return the environment variables of this process, but with one thread for numbers."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return dict(os.environ) | dict.fromkeys(threads, "1")


def last_lines(text: str, count: int = 5) -> str:
    """Return the last lines that say something, joined, without the folders of this machine.

    >>> last_lines('File "some/where/tree.py", line 3')
    'File "tree.py", line 3'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return FOLDERS.sub('File "', "; ".join(lines[-count:])) or "no output"
