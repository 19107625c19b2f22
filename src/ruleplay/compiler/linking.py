"""Compile kernels to intermediate code, and make machine code once, for what Python calls.

Numba optimises every function together with all it calls, and makes machine code of it, even if
the function is only ever called by other compiled ones: what lies deep down is optimised again at
each level above. Here an inner function is typed, lowered and simplified alone (`InnerCompiler`);
an entry point collects all that it reaches, links it once, and is optimised as a whole
(`EntryCompiler`). The code that runs is the same, and it takes less than half the time to get it.
"""

from collections.abc import Iterable
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class InnerLibrary(JITCodeLibrary):
    """One function as intermediate code: nothing is linked to it, and nothing emitted."""

    def finalize(self) -> None:
        """Leave everything to the library that links this one."""
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            module = self._final_module.clone()
            for function in module.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


class EntryLibrary(JITCodeLibrary):
    """A function that Python calls, with all that it reaches."""

    def finalize(self) -> None:
        """Link every inner library once, however it is reached; optimise the whole."""
        self._linking_libraries = _callers_first(self._linking_libraries)
        super().finalize()


def _callers_first(libraries: Iterable[Any]) -> list[Any]:
    """Return all libraries that these reach, each after all that call it.

    What nothing calls when its library is linked is left out; a caller that came later would miss
    it.
    """
    called_first: dict[Any, None] = {}
    seen = set()

    def visit(library: Any) -> None:
        if library not in seen:
            seen.add(library)
            for called in library._linking_libraries if isinstance(library, InnerLibrary) else ():
                visit(called)
            called_first[library] = None

    for library in libraries:
        visit(library)
    return list(reversed(called_first))


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    """Lower a function into an `InnerLibrary`, which nobody can call from Python."""

    _name = "ruleplay_inner_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower, and register the function for others to call."""
        state.library = _library(InnerLibrary, state)
        state.flags.no_compile = True
        try:
            changed: bool = super().run_pass(state)
        finally:
            state.flags.no_compile = False
        lowered = state["cr"]
        stand_in: Any = [].append  # of the type that a compiled function has, and like no other
        state.targetctx.insert_user_function(stand_in, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=stand_in)
        return changed


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):
    """Lower a function into a `EntryLibrary`."""

    _name = "ruleplay_entry_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower as usual, into a library of our kind."""
        state.library = _library(EntryLibrary, state)
        changed: bool = super().run_pass(state)
        return changed


def _library(kind: type, state: Any) -> Any:
    library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    return library


def _compiler_with(lowering: type) -> Any:
    """Return Numba's compiler with another way to lower."""

    class Chosen(Compiler):
        """Numba's compiler, but for one pass."""

        def define_pipelines(self) -> Any:
            """Return Numba's pipelines with the pass replaced."""
            pipelines = super().define_pipelines()
            for pipeline in pipelines:
                pipeline.passes = [
                    (lowering if one is NativeLowering else one, text)
                    for one, text in pipeline.passes
                ]
            return pipelines

    return Chosen


InnerCompiler = _compiler_with(InnerLowering)
EntryCompiler = _compiler_with(EntryLowering)
