"""Keep compiled code on disk such that types from elsewhere, as users' problems, do no harm.

Numba has one index of all signatures per function, which can only be read where all the types
in it can be imported, and it does not notice a changed callee in another file. Signatures with
types from outside this package therefore go to an index of their own, one for each state of
the files that define the types; types of a script or a notebook are not kept at all.

A cache is a convenience: where nothing can be kept, or what was kept is damaged, code is compiled
again, and what is damaged is thrown away.
"""

import hashlib
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from numba import types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys

from ruleplay.compiler.bundles import BundleType, Layout

DIGEST = 32  # bytes
PACKAGE = __name__.partition(".")[0]


class CheckedFile(IndexDataCacheFile):
    """An index and its data files, each behind a digest: damaged machine code is never run."""

    def _load_index(self) -> dict[Any, str]:
        try:
            stream = BytesIO(_read_checked(self._index_path))
        except FileNotFoundError:
            return {}
        if pickle.load(stream) != self._version:  # what follows might not be readable
            return {}
        stamp, overloads = pickle.load(stream)
        return dict(overloads) if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        content = pickle.dumps(self._version) + self._dump((self._source_stamp, overloads))
        self._save_checked(self._index_path, content)

    def _load_data(self, name: str) -> Any:
        return pickle.loads(_read_checked(self._data_path(name)))

    def _save_data(self, name: str, data: Any) -> None:
        self._save_checked(self._data_path(name), self._dump(data))

    def _save_checked(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(content).digest() + content)


def _read_checked(path: str) -> bytes:
    """Return what stands behind the digest of a file, if it is as it was written."""
    content = Path(path).read_bytes()
    if hashlib.sha256(content[DIGEST:]).digest() != content[:DIGEST]:
        raise ValueError(f"{path} is damaged")
    return content[DIGEST:]


class TypedCache(FunctionCache):
    """The cache of a function, with separate files for types from outside."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._files: dict[tuple[str, ...], Any] = {}
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        self._constants = [cell.kind for cell in cells if isinstance(cell, Layout)]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Read machine code without the registries that only a compiler needs: half a second."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        if not self._turn_to(sig):
            return None
        try:
            return super()._load_overload(sig, target_context)
        except Exception:  # whatever a damaged file makes the reader of pickles say
            with suppress(OSError):
                self._cache_file.flush()
            return None

    def _save_overload(self, sig: Any, data: Any) -> None:
        if self._turn_to(sig):
            try:
                super()._save_overload(sig, data)
            except OSError:  # a full disk, a folder that was closed or taken away
                return
            except Exception:  # an index that cannot be read cannot be added to
                self._cache_file.flush()

    def _turn_to(self, sig: Any) -> bool:
        """Use the file of a signature's types; return False if there is to be none."""
        kinds = [*getattr(sig, "args", sig), *self._constants]
        modules = sorted({name for kind in kinds for name in outsiders(kind)})
        stamps = [stamp for stamp in map(stamp_of, modules) if stamp is not None]
        if len(stamps) < len(modules):
            return False
        key = tuple(stamps)
        if key not in self._files:
            self._files[key] = CheckedFile(
                cache_path=self._cache_path,
                filename_base=".".join([self._impl.filename_base, *key]),
                source_stamp=self._impl.locator.get_source_stamp(),
            )
        self._cache_file = self._files[key]
        return True


def keep_on_disk(compiled: Any, function: Any) -> None:
    """Let a compiled function keep its code on disk, if there is any place for it."""
    with suppress(RuntimeError):  # no folder can be written
        compiled._cache = TypedCache(function)


def outsiders(kind: Any) -> Iterator[str]:
    """Return the modules outside this package whose named tuples occur in a type."""
    if not isinstance(kind, types.BaseTuple | BundleType):
        return
    module = getattr(getattr(kind, "instance_class", tuple), "__module__", PACKAGE)
    if module != "builtins" and module.partition(".")[0] != PACKAGE:
        yield module
    parts: Any = getattr(kind, "types", ())
    if isinstance(kind, BundleType):
        parts = [part for _, part in kind.fields.values()]
    for part in parts:
        yield from outsiders(part)


@cache
def stamp_of(module: str) -> str | None:
    """Return a short hash of a module's name and source; None if it cannot be found again."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if module == "__main__" or file is None:
        return None
    return hashlib.sha256(module.encode() + b"\0" + Path(file).read_bytes()).hexdigest()[:12]
