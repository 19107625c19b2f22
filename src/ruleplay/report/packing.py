"""Pack arrays small enough for a page: bytes in planes, compressed, as text."""

import base64
import gzip
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Types that a browser has arrays of.
_TYPES = {"f8": "<f8", "f4": "<f4", "i4": "<i4", "u1": "|u1"}


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Return arrays as plain values: a list of names, types and lengths, and one text.

    The first bytes of all numbers of an array come first, then the second ones, and so on:
    bytes that resemble each other lie together, and compress well.
    """
    columns, planes = [], []
    for name, array in arrays.items():
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        flat = np.ascontiguousarray(array, _TYPES[kind]).reshape(-1)
        columns.append([name, kind, len(flat)])
        planes.append(flat.view(np.uint8).reshape(len(flat), flat.itemsize).T.tobytes())
    squeezed = gzip.compress(b"".join(planes), compresslevel=6, mtime=0)
    return {"columns": columns, "data": base64.b64encode(squeezed).decode("ascii")}
