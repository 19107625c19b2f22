"""Keep the course of each run in a file of its own: arrays only, published whole."""

import io
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.errors import StoreError
from ruleplay.experiments.metrics import RunCurve
from ruleplay.output.files import PARTIAL, flush_folder, write_whole

Arrays = dict[str, NDArray[Any]]

_MEASURE = "curve/"
_RETURNS, _LENGTHS = "episode_returns", "episode_lengths"
# What NumPy and the archive may raise over a damaged file.
_DAMAGE: tuple[type[Exception], ...] = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
_NAME = re.compile(r"([0-9a-f]{64})-([0-9]+)\.npz")


def curve_path(folder: Path, digest: str, seed: int) -> Path:
    """Return where a run's course belongs."""
    return folder / digest[:2] / f"{digest}-{seed}.npz"


def write_curve(folder: Path, digest: str, seed: int, course: RunCurve) -> None:
    """Publish the course of a run."""
    arrays: Arrays = {_MEASURE + name: array for name, array in course.curve.items()}
    arrays |= {_RETURNS: course.episode_returns, _LENGTHS: course.episode_lengths}
    path = curve_path(folder, digest, seed)
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        flush_folder(folder)
        flush_folder(folder.parent)
    write_whole(path, pack_arrays(arrays))


def read_curve(folder: Path, digest: str, seed: int) -> RunCurve:
    """Read the course of a run; a missing or damaged file raises StoreError."""
    path = curve_path(folder, digest, seed)
    arrays = unpack_arrays(path)
    curve = {
        name.removeprefix(_MEASURE): array
        for name, array in arrays.items()
        if name.startswith(_MEASURE)
    }
    episodes = [arrays.get(_RETURNS), arrays.get(_LENGTHS)]
    if not (_alike(list(curve.values())) and "step" in curve and _alike(episodes)):
        raise StoreError(f"{path} holds no learning curve")
    return RunCurve(curve, arrays[_RETURNS], arrays[_LENGTHS])


def _alike(arrays: list[NDArray[Any] | None]) -> bool:
    """Tell whether all are vectors of numbers of one length."""
    shapes = {array.shape if array is not None else () for array in arrays}
    kinds = {array.dtype.kind for array in arrays if array is not None}
    return len(shapes) == 1 and len(shapes.pop()) == 1 and kinds <= {"f", "i"}


def pack_arrays(arrays: Arrays) -> bytes:
    """Return arrays as the bytes of a compressed `.npz` file."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack_arrays(path: Path) -> Arrays:
    """Read all arrays of an `.npz` file; objects in it are refused."""
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {name: file[name] for name in file.files}
    except _DAMAGE as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    if not all(isinstance(array, np.ndarray) for array in found.values()):
        raise StoreError(f"{path} cannot be read: a part of it is no array")
    return found


def sweep_curves(folder: Path, kept: set[tuple[str, int]]) -> None:
    """Remove what a killed writer left: partial files, and files whose run is not in the index."""
    for path in folder.glob(f"*/*{PARTIAL}"):
        path.unlink(missing_ok=True)
    for path in folder.glob("*/*.npz"):
        match = _NAME.fullmatch(path.name)
        if match and (match[1], int(match[2])) not in kept:
            path.unlink(missing_ok=True)
