"""Keep compiled code on disk such that types from elsewhere, as users' problems, do no harm.

Numba has one index of all signatures per function, which can only be read where all the types
in it can be imported, and it does not notice a changed callee in another file. Signatures with
types from outside this package therefore go to an index of their own, one for each state of
the files that define the types; types of a script or a notebook are not kept at all.
"""

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from numba import types
from numba.core.caching import FunctionCache, IndexDataCacheFile

PACKAGE = __name__.partition(".")[0]


class TypedCache(FunctionCache):
    """The cache of one form of a function, with separate files for types from outside."""

    def __init__(self, function: Any, form: str = "") -> None:
        super().__init__(function)
        self._form = form
        self._files: dict[tuple[str, ...], Any] = {("",): self._cache_file}

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        return super()._load_overload(sig, target_context) if self._turn_to(sig) else None

    def _save_overload(self, sig: Any, data: Any) -> None:
        if self._turn_to(sig):
            super()._save_overload(sig, data)

    def _turn_to(self, sig: Any) -> bool:
        """Use the file of a signature's types; return False if there is to be none."""
        modules = sorted({name for kind in getattr(sig, "args", sig) for name in outsiders(kind)})
        stamps = [stamp for stamp in map(stamp_of, modules) if stamp is not None]
        if len(stamps) < len(modules):
            return False
        key = (self._form, *stamps)
        if key not in self._files:
            self._files[key] = IndexDataCacheFile(
                cache_path=self._cache_path,
                filename_base=".".join([self._impl.filename_base, *key]),
                source_stamp=self._impl.locator.get_source_stamp(),
            )
        self._cache_file = self._files[key]
        return True


def outsiders(kind: Any) -> Iterator[str]:
    """Return the modules outside this package whose named tuples occur in a type."""
    if isinstance(kind, types.BaseTuple):
        module = getattr(getattr(kind, "instance_class", tuple), "__module__", PACKAGE)
        if module != "builtins" and module.partition(".")[0] != PACKAGE:
            yield module
        parts: tuple[Any, ...] = getattr(kind, "types", ())
        for part in parts:
            yield from outsiders(part)


@cache
def stamp_of(module: str) -> str | None:
    """Return a short hash of a module's name and source; None if it cannot be found again."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if module == "__main__" or file is None:
        return None
    return hashlib.sha256(module.encode() + b"\0" + Path(file).read_bytes()).hexdigest()[:12]
