"""Arrays that are described: what they hold, how large they are, whether a file keeps them.

The parts of an agent are NamedTuples whose fields are annotated with such descriptions. To reserve
their memory, to count it, to save and to restore it follows from these (`ruleplay.engine.state`).
"""

import math
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import numba
import numpy as np
from numpy.typing import NDArray

PLACE, SLOT = "place", "slot"  # of a rule, of an experience: the words for what has an entry each
Part = TypeVar("Part")


class Array(NamedTuple):
    """One array; its shape is numbers, and words for what only an engine knows."""

    dtype: Any
    shape: tuple[str | int, ...]
    meaning: str
    saved: bool = (
        False  # whether a model file holds it; what it does not hold is derived or scratch
    )
    fill: float = 0.0  # what it holds at the beginning
    view_of: str = ""  # the field whose memory it shares

    @property
    def per(self) -> str:
        """Return what each entry belongs to: PLACE, SLOT, or nothing."""
        return str(self.shape[0]) if self.shape[0] in (PLACE, SLOT) else ""


def described(cls: Any) -> dict[str, Array]:
    """Return the described fields of a part, by name."""
    return _described(cls)


@cache
def _described(cls: Any) -> dict[str, Array]:
    hints = get_type_hints(cls, include_extras=True)
    found = {}
    for name, hint in hints.items():
        if get_origin(hint) is Annotated:
            found[name] = next(note for note in get_args(hint) if isinstance(note, Array))
    return found


def allocate(cls: type[Part], sizes: Mapping[str, int], **others: Any) -> Part:
    """Reserve a part of some sizes; fields that are not described are given."""
    fields: dict[str, Any] = dict(others)
    for name, array in described(cls).items():
        if name not in fields:
            fields[name] = _reserve(array, sizes, fields)
    return cls(**fields)


def _reserve(array: Array, sizes: Mapping[str, int], fields: Mapping[str, Any]) -> NDArray[Any]:
    if array.view_of:
        shared: NDArray[Any] = fields[array.view_of].view(array.dtype)
        return shared
    shape = tuple(sizes[word] if isinstance(word, str) else word for word in array.shape)
    if np.dtype(array.dtype).names:
        return records(np.dtype(array.dtype), shape[0])
    return np.full(shape, array.fill, array.dtype) if array.fill else np.zeros(shape, array.dtype)


def bytes_per(word: str, cls: Any, sizes: Mapping[str, int]) -> int:
    """Return how many bytes a part takes for each place, or each slot."""
    found = 0
    for array in described(cls).values():
        if word in array.shape and not array.view_of:
            others = [one for one in array.shape if one != word]
            count = math.prod(sizes[one] if isinstance(one, str) else one for one in others)
            found += count * np.dtype(array.dtype).itemsize
    return found


def records(dtype: "np.dtype[np.void]", count: int) -> NDArray[np.void]:
    """Return zeroed records whose fields kernels read as attributes, compiled or not."""
    array = np.zeros(count, dtype)
    interpreted = getattr(numba.config, "DISABLE_JIT", 0)
    return array.view(np.recarray) if interpreted else array
