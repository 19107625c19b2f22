"""Settings of components that are registered from outside the package.

A configuration holds them in `options`, beside its own fields; a component gets both (see
`chosen_settings`). Which there are is known by the components that the configuration names.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ruleplay.config.fields import checked, rule_of
from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    from ruleplay.config.settings import Settings

Options = tuple[tuple[str, Any], ...]


class Chosen:
    """What a component is set to: its own settings, and those of the configuration."""

    def __init__(self, config: "Settings") -> None:
        self._config = config
        self._own = {field.name: field.default for field in own_fields(config)}
        self._own.update(config.options)

    def __getattr__(self, name: str) -> Any:
        """Return a setting by its name."""
        own: dict[str, Any] = self.__dict__["_own"]
        return own[name] if name in own else getattr(self._config, name)


def checked_options(config: "Settings", given: Any) -> Options:
    """Return options in order, each in the type of its setting, or refuse them."""
    try:
        pairs = dict(given)
    except (TypeError, ValueError):
        raise ConfigError(f"options must be settings by name, got {given!r}") from None
    fields = {field.name: field for field in own_fields(config)}
    for name in pairs:
        if name not in fields:
            listed = ", ".join(fields) or "none"
            raise ConfigError(
                f"options must be settings of the components that are chosen ({listed}), "
                f"got {name!r}"
            )
    prefix = config.setting_prefix
    return tuple((name, checked(fields[name], pairs[name], prefix)) for name in sorted(pairs))


def own_fields(config: "Settings") -> "Iterator[dataclasses.Field[Any]]":
    """Return the settings of the components that a configuration names, as fields."""
    for field in dataclasses.fields(config):
        if field.name == "options":
            continue
        seam = rule_of(field).seam
        if seam is not None:
            yield from named_fields(seam.settings.get(getattr(config, field.name), {}))


def every_own_field(config_class: "type[Settings]") -> "Iterator[dataclasses.Field[Any]]":
    """Return the settings of all components that a configuration could name."""
    for field in dataclasses.fields(config_class):
        if field.name != "options" and (seam := rule_of(field).seam) is not None:
            for settings in seam.settings.values():
                yield from named_fields(settings)


def named_fields(settings: Mapping[str, Any]) -> "Iterator[dataclasses.Field[Any]]":
    """Return settings by name as fields; the type of each is that of its default."""
    for name, field in settings.items():
        field.name, field.type = name, type(field.default)
        yield field
