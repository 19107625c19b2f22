"""Give every configuration the same checks, digest and dictionary form."""

import dataclasses
import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from ruleplay.config.fields import SettingRecord, checked, describe_field, rule_of
from ruleplay.config.options import Options, checked_options
from ruleplay.errors import ConfigError

DIGEST_FORMAT = 1


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Check each field when an object is made; compare, store and identify objects by value."""

    setting_prefix: ClassVar[str] = ""

    options: Options = ()  # settings of components from outside the package, by name

    def __post_init__(self) -> None:
        """Cast every field to its type and refuse what is not allowed."""
        for field in own_settings(self):
            value = checked(field, getattr(self, field.name), self.setting_prefix)
            object.__setattr__(self, field.name, value)
        object.__setattr__(self, "options", checked_options(self, self.options))
        self._check_together()

    def _check_together(self) -> None:
        """Refuse values that are allowed alone and contradict each other."""

    def as_dict(self) -> dict[str, Any]:
        """Return the settings by name, as plain values that JSON can carry."""
        values = {field.name: getattr(self, field.name) for field in own_settings(self)}
        return values | ({"options": dict(self.options)} if self.options else {})

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Self:
        """Build a configuration from settings by name; absent ones keep their defaults."""
        names = [field.name for field in dataclasses.fields(cls)]
        for name in settings:
            if name not in names:
                raise ConfigError(unknown_name(f"setting of {cls.__name__}", name, names))
        return cls(**settings)

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
        return values | ({"options": dict(self.options)} if self.options else {})


def own_settings(
    config: "Settings | type[Settings]",
) -> "list[dataclasses.Field[Any]]":
    """List the fields of a configuration that are its own settings."""
    return [field for field in dataclasses.fields(config) if field.name != "options"]


def describe(cls: type[Settings]) -> list[SettingRecord]:
    """List a configuration's settings with symbol, default, allowed values and meaning."""
    return [describe_field(field, cls.setting_prefix) for field in own_settings(cls)]


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


def unknown_name(what: str, name: str, known: Iterable[str]) -> str:
    """Say that a name is unknown and which known ones it resembles."""
    known = list(known)
    close = difflib.get_close_matches(name, known)
    if close:
        return f"unknown {what}: {name!r}; did you mean {' or '.join(map(repr, close))}?"
    return f"unknown {what}: {name!r}; known are {', '.join(map(repr, known))}"
