"""Give every configuration the same checks, digest and dictionary form."""

import dataclasses
import hashlib
import inspect
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ruleplay.config.fields import SettingRecord, checked, describe_field, rule_of
from ruleplay.config.options import (
    Options,
    check_components,
    checked_options,
    every_own_field,
    option_of,
    own_settings,
)
from ruleplay.core.components.registry import Seam
from ruleplay.errors import ConfigError

DIGEST_FORMAT = 1


class _Open(type):
    """Let a configuration be made with settings of components as with its own."""

    if not TYPE_CHECKING:  # for a type checker a configuration has the settings it declares

        def __call__(cls, **settings: Any) -> Any:
            own = {field.name for field in dataclasses.fields(cls)}
            others = {name: value for name, value in settings.items() if name not in own}
            if others:
                for name in others:
                    del settings[name]
                settings["options"] = {**dict(settings.get("options", ())), **others}
            return super().__call__(**settings)

        @property
        def __signature__(cls) -> inspect.Signature:
            _, *others = inspect.signature(cls.__init__).parameters.values()
            return inspect.Signature(others)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings(metaclass=_Open):
    """Check each field when an object is made; compare, store and identify objects by value.

    `options` are the settings of components that are not at their defaults. They are given and
    read as the others are.
    """

    setting_prefix: ClassVar[str] = ""
    switched: ClassVar[tuple[type[Seam], ...]] = ()  # seams whose settings choose the component

    options: Options = ()

    def __post_init__(self) -> None:
        """Cast every field to its type and refuse what is not allowed."""
        for field in own_settings(self):
            value = checked(field, getattr(self, field.name), self.setting_prefix)
            object.__setattr__(self, field.name, value)
        object.__setattr__(self, "options", checked_options(self, self.options))
        self._check_together()
        check_components(self)

    def _check_together(self) -> None:
        """Refuse values that are allowed alone and contradict each other."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a setting of a component."""
            return option_of(self, name)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings by name, as plain values that JSON can carry."""
        values = {field.name: getattr(self, field.name) for field in own_settings(self)}
        return values | dict(self.options)

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Self:
        """Build a configuration from settings by name; absent ones keep their defaults."""
        if not isinstance(settings, Mapping):
            raise ConfigError(f"settings of {cls.__name__} must be given by name, got {settings!r}")
        return cls(**{str(name): value for name, value in settings.items()})

    def digest(self) -> str:
        """Return a SHA-256 of the settings that is the same in every process."""
        return digest_of({"class": type(self).__name__, "settings": self.as_identity()})

    def as_identity(self) -> dict[str, Any]:
        """Return the settings that digests cover: later ones only if they differ from off."""
        values = {
            field.name: getattr(self, field.name)
            for field in own_settings(self)
            if not (rule_of(field).later and getattr(self, field.name) == field.default)
        }
        return values | dict(self.options)


def describe(cls: type[Settings]) -> list[SettingRecord]:
    """List a configuration's settings with symbol, default, allowed values and meaning.

    Those of the package's components come last.
    """
    fields = (*own_settings(cls), *every_own_field(cls))
    return [describe_field(field, cls.setting_prefix) for field in fields]


def digest_of(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of plain nested values, whatever the order of keys.

    Whole floats count as integers: 5 and 5.0 are one value, spelled twice.
    """
    canonical = _canonical({"format": DIGEST_FORMAT, **content})
    text = json.dumps(canonical, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _canonical(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _canonical(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_canonical(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
