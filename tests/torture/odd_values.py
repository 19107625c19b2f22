"""Values that nobody should give, and good ones in odd clothes."""

import datetime
import decimal
import fractions
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse


class Boom(Exception):  # noqa: N818
    """What hostile objects raise; it may pass through."""


class Hostile:
    """An object that fails at everything it is asked for."""

    def _fail(self, *arguments: Any, **more: Any) -> Any:
        raise Boom("no")

    __array__ = __float__ = __int__ = __index__ = __len__ = __iter__ = __getitem__ = _fail
    __bool__ = __eq__ = __lt__ = __le__ = __gt__ = __ge__ = _fail
    __hash__ = object.__hash__


class TooLargeError(Boom, OverflowError):
    """What an object raises that only looks like a number."""


class Unfloatable:
    """An object that only looks like a number."""

    def __float__(self) -> float:
        raise TooLargeError("no")


class Claims:
    """An object that says it is an array and gives something else."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return "no array"


NUMBERS: list[Any] = [float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 1e300, 1e150]
NUMBERS += [5e-324, 1e-18, 1e-300, -0.0, 0.0, 0.5, 1, 2, 3, -1, 2**31, 2**63 - 1, 2**63, 2**70]
NUMBERS += [-(2**63), 10**400, True, 1.0, 1j, complex("nan"), np.float16(1), np.float32("nan")]
NUMBERS += [np.int8(-1), np.uint64(2**64 - 1), np.bool_(True), np.float64(1e308), np.longdouble(2)]
OTHERS: list[Any] = [None, "", "x", "1", "nan", b"1", "\ud800", "\0", [], (), {}, set(), [None]]
OTHERS += [object, len, ..., NotImplemented, datetime.date(2020, 1, 1), decimal.Decimal("NaN")]
OTHERS += [decimal.Decimal(1), fractions.Fraction(1, 3), np.datetime64("NaT"), np.ma.masked]
OTHERS += [range(3), slice(3), {"a": 1}, [[1], [1, 2]], [[]], np.array(1.0), np.zeros((0, 2))]
OTHERS += [pd.NA, pd.NaT, pd.Series([1.0, 2.0]), pd.DataFrame({"a": [1.0]}), memoryview(b"12")]


def odd(random: Random) -> Any:
    """Return any odd value."""
    kind = random.random()
    if kind < 0.45:
        return random.choice(NUMBERS)
    if kind < 0.85:
        return random.choice(OTHERS)
    return random.choice([Hostile, Unfloatable, Claims, _generator, _endless_list])()


def _generator() -> Any:
    return (x for x in (0.5, 0.5))


def _endless_list() -> Any:
    itself: list[Any] = [0.5]
    itself.append(itself)
    return itself


def small(random: Random) -> Any:
    """Return an odd value, but no number that asks for a long time or much memory."""
    value = odd(random)
    large = isinstance(value, (int, float, np.number)) and value > 50
    return random.choice([-1, 0, 1, 3]) if large else value


def dress(good: Any, random: Random) -> Any:
    """Return an array in odd clothes, of another shape, or with an odd value in it."""
    try:
        return random.choice(DRESSES)(np.array(good), random)
    except (TypeError, ValueError, IndexError, OverflowError):  # it does not wear this one
        return good


def _spoil(array: Any, random: Random) -> Any:
    if array.size == 0:
        return array
    floats = array.astype(float)
    numbers = [x for x in NUMBERS if isinstance(x, float)]
    floats.flat[random.randrange(array.size)] = random.choice(numbers)
    return floats


def _with_object(array: Any, random: Random) -> Any:
    items = array.astype(object)
    if items.size:
        items.flat[random.randrange(items.size)] = odd(random)
    return random.choice([items, items.tolist()])


def _as_frame(array: Any, random: Random) -> Any:
    if array.ndim == 1:
        return pd.Series(array, index=range(5, 5 + len(array)))
    names: list[Any] = [random.choice(["a", 1, None, "\u202e"]) for _ in range(array.shape[-1])]
    return pd.DataFrame(array, columns=names) if array.ndim == 2 else array


def _masked(array: Any, random: Random) -> Any:
    return np.ma.masked_array(array, np.array([random.random() < 0.3] * array.size))


def _read_only(array: Any, random: Random) -> Any:
    array.flags.writeable = False
    return array


def _sparse(array: Any, random: Random) -> Any:
    return scipy.sparse.csr_matrix(array) if array.ndim == 2 else array


DRESSES = [
    lambda array, random: array,
    lambda array, random: array.tolist(),
    lambda array, random: tuple(array.tolist()),
    lambda array, random: np.asfortranarray(array),
    lambda array, random: array[::-1][::-1],
    lambda array, random: array[..., ::-1],
    lambda array, random: np.repeat(array, 2, axis=-1)[..., ::2],
    lambda array, random: array.astype(">f8"),
    lambda array, random: array.astype(np.float32),
    lambda array, random: array.astype(np.float16),
    lambda array, random: array.astype(complex),
    lambda array, random: array.astype(str),
    lambda array, random: array.astype(object),
    lambda array, random: array.astype("M8[s]"),
    lambda array, random: array.astype(np.longdouble),
    lambda array, random: array.T,
    lambda array, random: array[..., :-1],
    lambda array, random: array[None],
    lambda array, random: array[:0],
    lambda array, random: np.concatenate([array, array], axis=-1),
    lambda array, random: iter(array),
    lambda array, random: np.broadcast_to(array, array.shape),
    lambda array, random: odd(random),
    _spoil,
    _spoil,
    _spoil,
    _with_object,
    _with_object,
    _as_frame,
    _masked,
    _read_only,
    _sparse,
]
