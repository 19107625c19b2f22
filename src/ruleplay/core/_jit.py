"""The only place that compiles: decorators, and families of kernels chosen by type."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types
from numba.core.imputils import lower_constant
from numba.extending import models, register_model, typeof_impl

from ruleplay.core._cache import TypedCache

# Kernels own no memory: every array comes from the caller, so reference counting is
# switched off (`_nrt`), which is worth a third of the time of a learning step.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def _compiler(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator that compiles with these options and keeps the code on disk."""

    def decorate(function: Any) -> Any:
        compiled = njit(cache=True, **_OPTIONS, **options)(function)
        if compiled is not function:  # unless compilation is switched off
            compiled._cache = TypedCache(function)
        return compiled

    return decorate


kernel = _compiler()

# The same for short helpers on the hot path whose call would cost more than their work.
inline_kernel = _compiler(forceinline=True)

# Merged into the caller before types are inferred: may return what a call cannot (records).
macro_kernel = _compiler(inline="always")


# A plain zero: a literal one would make the compiler treat the callee as a case of its own.
ZERO = np.int64(0)


class Family:
    """Kernels with one purpose, of which the type of the first argument picks one.

    A member is registered under a NamedTuple class, its tag. A compiled caller contains a
    direct call of the member it uses, and nothing of the others; with compilation disabled
    the same call looks the member up.

    >>> select_parent = Family("select_parent")
    >>> @select_parent.member(Tournament)
    ... @kernel
    ... def select_by_tournament(tag, population, members, rng): ...
    >>> select_parent(Tournament(), population, members, rng)    # inside any kernel
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.members: dict[type, Any] = {}

    def member(self, tag: type) -> Callable[[Any], Any]:
        """Register the decorated kernel as the one that serves `tag`."""

        def register(function: Any) -> Any:
            self.members[tag] = function
            return function

        return register

    def __call__(self, tag: Any, *args: Any) -> Any:
        """Call the member that serves the tag."""
        return self.members[type(tag)](tag, *args)


class FamilyType(types.Callable):
    """The compiler's view of a family: a call has the type of the member it selects."""

    def __init__(self, family: Family) -> None:
        self.family = family
        super().__init__(f"Family({family.name})")

    def _member(self, tag: Any) -> Any:
        return self.family.members[tag.instance_class]

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Infer the call as a call of the selected member."""
        return types.Dispatcher(self._member(args[0])).get_call_type(context, args, kws)

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        """Tell the compiler that signatures depend on the arguments."""
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        """Return the compiled code of the selected member."""
        return self._member(sig.args[0]).get_overload(sig.args)


@typeof_impl.register(Family)
def _type_of_family(family: Family, context: Any) -> FamilyType:
    return FamilyType(family)


register_model(FamilyType)(models.OpaqueModel)


@lower_constant(FamilyType)
def _lower_family(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()
