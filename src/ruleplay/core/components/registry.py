"""Seams and components: decisions of the algorithm, and the ways in which they can be taken.

A seam is declared once, as a class whose functions are the kernels that a component must have, or
may have: their names, their parameters, what they are asked for. A component is a NamedTuple
class; its fields are what it remembers, numbers and arrays that its kernels find in their first
argument. Kernels stand in the class, or are given by name:

    @Selection.register("first")
    class First(NamedTuple):
        @inline_kernel
        def select_parent(self, population, members, scratch, rng):
            return members[0]

Names, parameters and completeness are checked when it is registered, that is, at import. Which
component serves is decided by its type when code is compiled: a compiled caller contains a direct
call of the kernel that it uses, and nothing of the others.
"""

import difflib
import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

from ruleplay.compiler.jit import Family
from ruleplay.errors import ConfigError


class Sizes(NamedTuple):
    """How large the world of a component is."""

    n_features: int
    n_actions: int
    population_size: int  # microclassifiers at most
    capacity: int  # experiences at most, 0 without a memory
    n_weights: int = 0  # of a rule's model
    n_gains: int = 0  # numbers that the model learns with


def reserve(component: Any, sizes: Sizes, settings: Any) -> Any:
    """Return a component with what it remembers, as it is at the beginning.

    A component with fields has a class method `reserve(sizes, settings)`, which fills them.
    """
    return component.reserve(sizes, settings) if component._fields else component()


class Default:
    """A kernel that serves where a component has none of its own."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel


default: Any = Default


class Role(NamedTuple):
    """One kernel of a seam."""

    name: str
    parameters: tuple[str, ...]
    doc: str
    default: Any = None


class Seam:
    """One decision of the algorithm; its kernels can be called from kernels, by name.

    `built_in` says in which module each component of the package registers; it is imported when
    somebody asks for the component.
    """

    roles: ClassVar[dict[str, Role]]
    components: ClassVar[dict[str, Any]]
    settings: ClassVar[dict[str, tuple[Any, ...]]]  # of each component, dataclass fields
    built_in: ClassVar[Mapping[str, str]]
    is_reserved: ClassVar[bool]  # whether the engine makes its components, by `reserve`

    def __init_subclass__(cls, built_in: Mapping[str, str], is_reserved: bool = True) -> None:
        """Read the declaration, and make each function a family of kernels."""
        cls.is_reserved = is_reserved
        cls.built_in, cls.components, cls.settings, cls.roles = built_in, {}, {}, {}
        for name, value in list(vars(cls).items()):
            if isinstance(value, Default) or inspect.isfunction(value):
                cls.roles[name] = _read_role(name, value)
                setattr(cls, name, Family(name))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of all components, the package's own first."""
        return (*cls.built_in, *(name for name in cls.components if name not in cls.built_in))

    @classmethod
    def find(cls, name: str) -> Any:
        """Return a component by its name."""
        if name not in cls.components:
            import_module(cls.built_in[name])
        return cls.components[name]

    @classmethod
    def settings_of(cls, name: str) -> tuple[Any, ...]:
        """Return the settings of a component, as fields."""
        cls.find(name)
        return cls.settings[name]

    @classmethod
    def register(
        cls, name: str, *, settings: Mapping[str, Any] | None = None, **kernels: Any
    ) -> Callable[[type], type]:
        """Make the decorated class a component of this name, after checking it.

        `settings` are its own, by name, each made by `ruleplay.kernels.setting`. At a seam that
        no setting of a configuration is about, they decide by `serves(settings)`, a class method
        or static method, whether the component serves.
        """

        def enter(component: type) -> type:
            own = vars(component)
            found = {role: own[role] for role in cls.roles if role in own} | kernels
            cls._check(name, component, found)
            for role, declared in cls.roles.items():
                getattr(cls, role).member(component)(found.get(role, declared.default))
            cls.components[name] = component
            cls.settings[name] = _named_fields(settings or {})
            return component

        return enter

    @classmethod
    def _check(cls, name: str, component: type, kernels: Mapping[str, Any]) -> None:
        """Refuse a component that is none, or whose name is taken."""
        where = f"{cls.__name__} {name!r} ({component.__qualname__})"
        known = cls.components.get(name)
        if known is not None and known.__qualname__ != component.__qualname__:
            raise ConfigError(f"{where}: the name is taken by {known.__qualname__}")
        if not (issubclass(component, tuple) and hasattr(component, "_fields")):
            raise ConfigError(f"{where} must be a NamedTuple class")
        if component._fields and not hasattr(component, "reserve") and cls.is_reserved:
            raise ConfigError(f"{where} has fields and needs reserve(cls, sizes, settings)")
        for other in [*kernels, *vars(component)]:
            near = difflib.get_close_matches(other, cls.roles, n=1, cutoff=0.8)
            if other not in cls.roles and (other in kernels or (near and near[0] not in kernels)):
                hint = f"; did you mean {near[0]}?" if near else ""
                raise ConfigError(f"{where}: there is no kernel {other}{hint}")
        for role in cls.roles.values():
            _check_role(where, role, kernels.get(role.name))


def _named_fields(settings: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return settings as fields that know their name; the type is that of the default."""
    for name, field in settings.items():
        field.name = name
        if field.type is None:
            field.type = type(field.default)
    return tuple(settings.values())


def _check_role(where: str, role: Role, kernel: Any) -> None:
    """Refuse a kernel that is missing, or has other parameters than it must have."""
    listed = ", ".join(role.parameters)
    if kernel is None:
        if role.default is None:
            raise ConfigError(f"{where} must have a kernel {role.name}({listed})")
        return
    found = _parameters(kernel)
    if found[1:] != role.parameters[1:]:
        raise ConfigError(
            f"{where}: {role.name} must have the parameters ({listed}), got ({', '.join(found)})"
        )


def _read_role(name: str, value: Any) -> Role:
    kernel = value.kernel if isinstance(value, Default) else None
    function = value if kernel is None else kernel
    return Role(name, _parameters(function), inspect.getdoc(function) or "", kernel)


def _parameters(kernel: Any) -> tuple[str, ...]:
    function = getattr(kernel, "__wrapped__", kernel)
    return tuple(inspect.signature(function).parameters)
