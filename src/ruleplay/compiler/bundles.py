"""Named tuples behind one address: how a whole agent reaches compiled code as one number.

A `Bundle` writes down, in one array of words, where the parts of a nested named tuple lie:

    an array                its address, then its shape
    a record                its address
    a number                itself
    a named tuple inside    its own words, in place
    a `Far` one             the address of its words

Its `BundleType` knows the word at which each part begins, so that a kernel's `agent.rng[0]` reads
an address and then a number. A kernel cannot tell a bundle from a named tuple; it is typed and
compiled in less time, and Python hands over one number instead of some fifty arrays.

The words hold for as long as the bundle lives: it owns, by the named tuple, all that they point to.
"""

import hashlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, models, register_model, typeof_impl
from numba.np.arrayobj import make_array, populate_array

WORD = 8  # bytes
INTERPRETED = bool(getattr(numba.config, "DISABLE_JIT", 0))


class BundleType(types.Type):
    """The compiler's view of a named tuple that lies in memory."""

    def __init__(self, instance_class: type, fields: list[tuple[str, types.Type]]) -> None:
        self.instance_class = instance_class
        self.fields: dict[str, tuple[int, types.Type]] = {}
        self.words = 0
        for name, kind in fields:
            self.fields[name] = self.words, kind
            self.words += words_of(kind)
        described = f"{instance_class.__module__} {instance_class.__qualname__} {self.fields}"
        digest = hashlib.sha256(described.encode()).hexdigest()[:12]
        super().__init__(f"{instance_class.__name__}.{digest}")


class FarType(types.Type):
    """A field that holds the address of a bundle's words; what a kernel gets is the bundle."""

    def __init__(self, bundle: BundleType) -> None:
        self.bundle = bundle
        super().__init__(f"Far.{bundle.name}")


class Far(NamedTuple):
    """A bundle that another one points to, and the type under which kernels see it there."""

    bundle: "Bundle"
    seen_as: BundleType


def words_of(kind: types.Type) -> int:
    """Return how many words a part of some type takes."""
    if isinstance(kind, BundleType):
        return kind.words
    return 1 + kind.ndim if isinstance(kind, types.Array) else 1


def type_of(value: Any) -> types.Type:
    """Return the type of a part of a named tuple; TypeError for what cannot be one."""
    if isinstance(value, Far):
        return FarType(value.seen_as)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        parts = zip(value._fields, value, strict=True)
        return BundleType(type(value), [(name, type_of(part)) for name, part in parts])
    if isinstance(value, np.ndarray) and value.flags.c_contiguous and value.flags.aligned:
        return numba.typeof(value)
    if isinstance(value, np.void):
        return numba.from_dtype(value.dtype)
    for plain, kind in ((bool, types.boolean), (int, types.int64), (float, types.float64)):
        if isinstance(value, plain):
            return kind
    raise TypeError(
        "what compiled code works on must be numbers, contiguous arrays and named tuples of such, "
        f"got {type(value).__name__}"
    )


def _words(value: Any) -> Iterator[int | float]:
    """Return what the words of a part say."""
    if isinstance(value, Far):
        yield value.bundle.address
    elif isinstance(value, tuple):
        for part in value:
            yield from _words(part)
    elif isinstance(value, np.ndarray):
        yield value.ctypes.data
        yield from value.shape
    elif isinstance(value, np.void):
        yield np.asarray(value.base).ctypes.data
    else:
        yield value


class Layout:
    """The type of a bundle, as a constant that kernels can be given (see `view`)."""

    def __init__(self, kind: BundleType) -> None:
        self.kind = kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.kind == other.kind

    def __hash__(self) -> int:
        return hash(self.kind.name)

    def __reduce__(self) -> tuple[Any, ...]:
        # Only ever written into keys of the cache on disk, which must be the same in all processes.
        return str, (self.kind.name,)


class Bundle:
    """A nested named tuple of arrays and numbers, and how compiled code gets at it.

    The numbers in it are those at the time it was made; what is to change must be in arrays or
    records. A record must be the only one of its array.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    @cached_property
    def layout(self) -> Layout | None:
        """Return the type that `view` needs; None where nothing is compiled."""
        kind = None if INTERPRETED else type_of(self.value)
        return Layout(kind) if isinstance(kind, BundleType) else None

    @cached_property
    def _memory(self) -> Any:
        words = list(_words(self.value))
        memory = np.empty(max(len(words), 1), np.int64)
        for place, word in enumerate(words):
            target = memory.view(np.float64) if isinstance(word, float) else memory
            target[place] = word
        return memory

    @cached_property
    def address(self) -> Any:
        """Return what an entry point takes: where the words begin, or, interpreted, the tuple."""
        return self.value if INTERPRETED else int(self._memory.ctypes.data)


class LayoutType(types.Type):
    """The type of a layout: a constant that exists while compiling only."""

    def __init__(self, kind: BundleType) -> None:
        self.kind = kind
        super().__init__(f"Layout({kind.name})")


@typeof_impl.register(Layout)
def _type_of_layout(layout: Layout, context: Any) -> LayoutType:
    return LayoutType(layout.kind)


register_model(LayoutType)(models.OpaqueModel)
register_model(BundleType)(models.OpaqueModel)  # an address


@lower_constant(LayoutType)
def _lower_layout(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()


@infer_getattr
class BundleFields(AttributeTemplate):
    """The types of a bundle's parts."""

    key = BundleType

    def generic_resolve(self, bundle: Any, name: str) -> Any:  # type: ignore[override]
        """Return the type of a part, None if there is no such part."""
        if name not in bundle.fields:
            return None
        kind = bundle.fields[name][1]
        return kind.bundle if isinstance(kind, FarType) else kind


@lower_getattr_generic(BundleType)
def lower_field(context: Any, builder: Any, bundle: BundleType, address: Any, name: str) -> Any:
    """Read a part."""
    word, kind = bundle.fields[name]
    place = builder.gep(address, [ir.Constant(ir.IntType(64), WORD * word)])
    if isinstance(kind, BundleType):
        return place
    if isinstance(kind, FarType):
        return _load(builder, place, cgutils.voidptr_t)
    if isinstance(kind, types.Array):
        return _array_at(context, builder, kind, place)
    if isinstance(kind, types.Boolean):
        number = _load(builder, place, ir.IntType(64))
        return builder.icmp_signed("!=", number, number.type(0))
    return _load(builder, place, context.get_value_type(kind))


def _load(builder: Any, place: Any, kind: Any) -> Any:
    """Read a word, which never changes while any kernel can see it."""
    loaded = builder.load(builder.bitcast(place, kind.as_pointer()))
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


def _array_at(context: Any, builder: Any, kind: types.Array, place: Any) -> Any:
    """Build a contiguous array that nobody has to free."""
    array = make_array(kind)(context, builder)
    data = _load(builder, place, array.data.type)
    word = ir.Constant(ir.IntType(64), WORD)
    shape = []
    for _ in range(kind.ndim):
        place = builder.gep(place, [word])
        shape.append(_load(builder, place, ir.IntType(64)))
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [ir.Constant(ir.IntType(64), itemsize)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length, flags=["nsw"]))
    populate_array(array, data, shape, strides[: kind.ndim], itemsize, meminfo=None)
    return array._getvalue()


@intrinsic
def _view(typing_context: Any, layout: Any, address: Any) -> Any:
    """Take an address for that of a bundle."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[1], cgutils.voidptr_t)

    return layout.kind(layout, types.int64), lower


def _same(layout: Any, value: Any) -> Any:
    return value


# (layout, address) -> the bundle there: how an entry point gets at what Python gave it
view: Any = _same if INTERPRETED else _view
