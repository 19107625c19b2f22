"""Give every state of the sources its own folder of compiled kernels.

Numba keeps compiled code on disk but does not notice a changed callee in another file. The
folder's name is therefore a hash of all sources. Run as a script, this prints the folder.
"""

import hashlib
import os
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHES = ROOT / ".numba_cache"
KEPT = 3


def cache_folder() -> Path:
    sources = hashlib.sha256()
    for path in sorted((ROOT / "src").rglob("*.py")):
        sources.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return CACHES / sources.hexdigest()[:16]


def sweep_old_caches(current: Path) -> None:
    """Remove all but the latest folders; a run that is still going on keeps its own."""
    others = [path for path in CACHES.glob("*") if path.is_dir() and path != current]
    for path in sorted(others, key=lambda path: path.stat().st_mtime)[: -(KEPT - 1)]:
        shutil.rmtree(path, ignore_errors=True)


def use_cache_folder() -> Path:
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    sweep_old_caches(folder)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    return folder


if __name__ == "__main__":
    print(use_cache_folder())
else:
    if "NUMBA_CACHE_DIR" not in os.environ:  # set by make, or by whoever knows better
        use_cache_folder()
    from registries import components_are_forgotten  # noqa: F401 - a fixture of all tests
