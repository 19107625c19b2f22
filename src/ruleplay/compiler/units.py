"""Units: kernels with machine code of their own, which others reach by an address.

What a kernel calls is compiled into it, again for each kernel that Python calls. A unit is
compiled once for all of them and kept on disk: whoever calls it reads its address from the `calls`
of its first argument, a bundle. So a loop does not know, and need not be compiled for, what it
calls, as long as the declared types of arguments and result are the same.

A unit that is called with anything but a bundle is a kernel like any other.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.imputils import lower_constant
from numba.core.typing.templates import signature
from numba.extending import lower_builtin, models, register_model, typeof_impl
from numpy.typing import NDArray

from ruleplay.compiler.bundles import INTERPRETED, BundleType, lower_field
from ruleplay.compiler.cache import keep_on_disk
from ruleplay.compiler.jit import OPTIONS, UNWRAPPED, Kernel
from ruleplay.compiler.linking import EntryCompiler


class Unit:
    """A kernel with declared types, at one place of a table of addresses."""

    def __init__(self, function: Any, slot: int, takes: tuple[Any, ...], returns: Any) -> None:
        self.kernel = Kernel(function)
        self.__doc__, self.__name__ = function.__doc__, function.__name__
        self.function, self.slot, self.takes, self.returns = function, slot, takes, returns
        self.compiled: dict[BundleType, Any] = {}  # machine code must stay where it is
        lower_builtin(self, types.VarArg(types.Any))(self._lower_call)

    def __call__(self, *args: Any) -> Any:
        """Call the kernel from Python."""
        return self.kernel(*args)

    def address_for(self, first: BundleType) -> int:
        """Compile the unit for a type of bundle, or find it on disk; return where its code is."""
        if first not in self.compiled:
            compiled = njit(pipeline_class=EntryCompiler, **OPTIONS, **UNWRAPPED)(self.function)
            keep_on_disk(compiled, self.function)
            compiled.compile(signature(self.returns, first, *self.takes))
            self.compiled[first] = compiled.overloads[(first, *self.takes)]
        found = self.compiled[first]
        return int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))

    def _lower_call(self, context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        calls = lower_field(context, builder, called.args[0], arguments[0], "calls")
        table = cgutils.create_struct_proxy(called.args[0].fields["calls"][1])(
            context, builder, value=calls
        )
        place = builder.gep(table.data, [ir.Constant(ir.IntType(64), self.slot)])
        convention = context.call_conv
        kind = convention.get_function_type(called.return_type, called.args)
        code = builder.inttoptr(builder.load(place), kind.as_pointer())
        status, result = convention.call_function(
            builder, code, called.return_type, called.args, arguments
        )
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result


class Table:
    """The units that bundles of one sort can be asked for, and the modules that have them.

    Their places are those of the declaration: compiled code is kept on disk with them, and must
    not depend on what was imported first.
    """

    def __init__(self, **modules: str) -> None:
        self.modules = modules
        self.units: dict[str, Unit] = {}

    def unit(self, *takes: Any, returns: Any = types.none) -> Callable[[Any], Any]:
        """Make the decorated function a unit; the first argument, a bundle, is not declared."""

        def register(function: Any) -> Any:
            if INTERPRETED:
                return function
            slot = list(self.modules).index(function.__name__)
            made = Unit(function, slot, takes, returns)
            self.units[function.__name__] = made
            return made

        return register

    def reserve(self) -> NDArray[np.int64]:
        """Return a table without addresses, the `calls` of a bundle."""
        return np.zeros(len(self.modules), np.int64)

    def fill(self, calls: NDArray[np.int64], layout: Any) -> None:
        """Write the addresses of all units for a layout, compiled now if need be."""
        for name, module in () if INTERPRETED else self.modules.items():
            if name not in self.units:
                import_module(module)
            calls[self.units[name].slot] = self.units[name].address_for(layout.kind)


class UnitType(types.Callable):
    """The compiler's view of a unit."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        super().__init__(f"Unit({unit.__name__})")

    def _kernel(self) -> Any:
        return types.Dispatcher(self.unit.kernel.compiled)

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Return the declared types, or those of the kernel if its code is compiled in."""
        if isinstance(args[0], BundleType):
            return signature(self.unit.returns, args[0], *self.unit.takes)
        return self._kernel().get_call_type(context, args, kws)

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        """Tell the compiler that signatures depend on the arguments."""
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        """Return what is called."""
        if isinstance(sig.args[0], BundleType):
            return self.unit
        return self._kernel().dispatcher.get_overload(sig.args)


@typeof_impl.register(Unit)
def _type_of_unit(unit: Unit, context: Any) -> UnitType:
    return UnitType(unit)


register_model(UnitType)(models.OpaqueModel)


@lower_constant(UnitType)
def _lower_unit(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()
