"""The only place that compiles: decorators, and families of kernels chosen by type."""

from collections.abc import Callable
from functools import cached_property, partial, update_wrapper
from typing import Any

import numpy as np
from numba import njit, typeof, types
from numba.core.imputils import lower_constant
from numba.extending import models, register_model, typeof_impl

from ruleplay.compiler.cache import keep_on_disk
from ruleplay.compiler.linking import EntryCompiler, InnerCompiler
from ruleplay.compiler.notice import announce_compiling

announce_compiling()

# Kernels own no memory: every array comes from the caller, so reference counting is
# switched off (`_nrt`), which is worth a third of the time of a learning step.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}

# Without what Python and C need for a call, which for an agent's many arrays takes longer to
# compile than most kernels.
UNWRAPPED: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _compile(function: Any, **options: Any) -> Any:
    """Compile for Python when first called, and keep the code on disk."""
    compiled = njit(pipeline_class=EntryCompiler, **OPTIONS, **options)(function)
    if compiled is not function:  # unless compilation is switched off
        keep_on_disk(compiled, function)
    return compiled


class Kernel:
    """A function that is compiled into the kernels that call it.

    Python may call it, too: it is then compiled once more, as an entry point.
    """

    def __init__(self, function: Any, **options: Any) -> None:
        update_wrapper(self, function)
        self._function = function
        self.compiled = njit(pipeline_class=InnerCompiler, **OPTIONS, **UNWRAPPED, **options)(
            function
        )

    @cached_property
    def entry(self) -> Any:
        """Return the function as Python may call it."""
        return _compile(self._function)

    def __call__(self, *args: Any) -> Any:
        """Call the function from Python."""
        return self.entry(*args)


def _decorate(function: Any, **options: Any) -> Any:
    made = Kernel(function, **options)
    return function if made.compiled is function else made


kernel = _decorate

# The same for short helpers on the hot path whose call would cost more than their work.
inline_kernel = partial(_decorate, forceinline=True)

# What Python calls, and no kernel.
entry = _compile


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
        return typeof(self.family.members[tag.instance_class])

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Infer the call as a call of the selected member."""
        return self._member(args[0]).get_call_type(context, args, kws)

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        """Tell the compiler that signatures depend on the arguments."""
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        """Return the compiled code of the selected member."""
        return self._member(sig.args[0]).dispatcher.get_overload(sig.args)


@typeof_impl.register(Kernel)
def _type_of_kernel(function: Kernel, context: Any) -> types.Dispatcher:
    return types.Dispatcher(function.compiled)


@typeof_impl.register(Family)
def _type_of_family(family: Family, context: Any) -> FamilyType:
    return FamilyType(family)


register_model(FamilyType)(models.OpaqueModel)


@lower_constant(FamilyType)
def _lower_family(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()
