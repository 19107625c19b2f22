"""Settings of components: declared where a component is registered, given beside all others.

A configuration holds those that differ from their defaults in `options`. Components are named by
a setting of the configuration, or, at the seams that it calls `switched`, chosen by settings of
their own.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ruleplay.config.fields import checked, label, rule_of
from ruleplay.core.components.registry import Seam
from ruleplay.errors import ConfigError
from ruleplay.output.names import unknown_name

if TYPE_CHECKING:
    from ruleplay.config.settings import Settings

Options = tuple[tuple[str, Any], ...]
Field = dataclasses.Field[Any]


def own_settings(config: "Settings | type[Settings]") -> list[Field]:
    """List the fields of a configuration that are its own settings."""
    return [field for field in dataclasses.fields(config) if field.name != "options"]


def option_of(config: "Settings", name: str) -> Any:
    """Return a setting of a component, as it is set or by default."""
    if not name.startswith("_"):
        for option, value in config.options:
            if option == name:
                return value
        for field in every_own_field(type(config)):
            if field.name == name:
                return field.default
    raise AttributeError(f"{type(config).__name__!r} object has no attribute {name!r}")


def checked_options(config: "Settings", given: Any) -> Options:
    """Return the options that are not at their defaults, each in its type, or refuse them."""
    try:
        pairs = dict(given)
    except (TypeError, ValueError):
        raise ConfigError(f"options must be settings by name, got {given!r}") from None
    if not pairs:
        return ()
    prefix = config.setting_prefix
    fields = {field.name: field for field in every_own_field(type(config))}
    found = []
    for name in sorted(pairs):
        if name not in fields:
            names = [field.name for field in own_settings(config)]
            what = f"setting of {type(config).__name__}"
            raise ConfigError(unknown_name(what, name, [*names, *fields]))
        value = checked(fields[name], pairs[name], prefix)
        if value != fields[name].default:
            found.append((name, value))
    _refuse_idle(config, dict(found), prefix)
    return tuple(found)


def _refuse_idle(config: "Settings", options: Mapping[str, Any], prefix: str) -> None:
    """Refuse settings of a component that the configuration does not name."""
    for field, seam in _naming(type(config)):
        served = getattr(config, field.name)
        used = {one.name for one in seam.settings_of(served)}
        for name in seam.names():
            for one in seam.settings_of(name):
                if one.name in options and one.name not in used:
                    raise ConfigError(
                        f"{label(one, prefix)} is a setting of {prefix}{field.name} = {name!r}, "
                        f"got {prefix}{field.name} = {served!r}"
                    )


def check_components(config: "Settings") -> None:
    """Let components refuse settings that contradict each other."""
    for field, seam in _naming(type(config)):
        _check(seam.find(getattr(config, field.name)), config)
    for seam in config.switched if config.options else ():
        for name in seam.names():
            if _is_set(config, seam, name):
                _check(seam.find(name), config)
        switched_component(config, seam)


def _check(component: Any, config: "Settings") -> None:
    if hasattr(component, "check_settings"):
        component.check_settings(config)


def switched_component(config: "Settings", seam: type[Seam]) -> str | None:
    """Return the name of the component that settings of its own switch on, if there is one."""
    if not config.options:
        return None
    serving = [
        name
        for name in seam.names()
        if _is_set(config, seam, name) and seam.find(name).serves(config)
    ]
    if len(serving) > 1:
        raise ConfigError(f"{seam.__name__} must be one of {' or '.join(map(repr, serving))}")
    return serving[0] if serving else None


def _is_set(config: "Settings", seam: type[Seam], name: str) -> bool:
    options = dict(config.options)
    return any(field.name in options for field in seam.settings_of(name))


def _naming(cls: "type[Settings]") -> Iterator[tuple[Field, type[Seam]]]:
    """Return the settings that name a component, and its seam."""
    for field in own_settings(cls):
        seam = rule_of(field).seam
        if seam is not None:
            yield field, seam


def own_fields_of(seam: type[Seam]) -> Iterator[Field]:
    """Return the settings of all components of a seam."""
    for name in seam.names():
        yield from seam.settings_of(name)


def every_own_field(cls: "type[Settings]") -> Iterator[Field]:
    """Return the settings of all components that a configuration could have."""
    seen = set()
    for seam in [*(seam for _, seam in _naming(cls)), *cls.switched]:
        for field in own_fields_of(seam):
            if field.name not in seen:
                seen.add(field.name)
                yield field
