"""Read settings by name, as text or as values, and turn them into configurations."""

import contextlib
import dataclasses
from collections.abc import Mapping
from typing import Any

from ruleplay.config.fields import checked, is_optional, kind_of
from ruleplay.config.keep import KeepConfig
from ruleplay.config.options import every_own_field, own_settings
from ruleplay.config.replay import ReplayConfig
from ruleplay.config.settings import Settings
from ruleplay.config.xcs import XCSConfig
from ruleplay.errors import ConfigError
from ruleplay.output.names import unknown_name

OWNERS: tuple[type[Settings], ...] = (XCSConfig, ReplayConfig, KeepConfig)
_WORDS = {"true": True, "false": False}


def setting_names(*, replay: bool = True) -> list[str]:
    """List the settings that presets and `--set` know, most with their prefix."""
    owners = [owner for owner in OWNERS if replay or owner is not ReplayConfig]
    return [
        owner.setting_prefix + field.name
        for owner in owners
        for field in (*own_settings(owner), *every_own_field(owner))
    ]


def typed_value(name: str, value: Any) -> Any:
    """Return a setting's value in the setting's own type; text is read as the type demands."""
    owner, field = _find(name)
    if isinstance(value, str) and kind_of(field) is not str:
        value = _read(value, kind_of(field), is_optional(field))
    return checked(field, value, owner.setting_prefix)


def build_configs(
    settings: Mapping[str, Any], *, replay: bool
) -> tuple[XCSConfig, ReplayConfig | None]:
    """Make the configurations from settings by name; without replay its settings are left out."""
    xcs = XCSConfig(**_values_of(XCSConfig, settings))
    return xcs, ReplayConfig(**_values_of(ReplayConfig, settings)) if replay else None


def build_keep(settings: Mapping[str, Any]) -> KeepConfig | None:
    """Make the configuration of what a run keeps; None if no setting is about that."""
    values = _values_of(KeepConfig, settings)
    return KeepConfig(**values) if values else None


def _values_of(owner: type[Settings], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of one configuration's fields among settings by name."""
    found = {name: _find(name) for name in settings}
    return {
        field.name: typed_value(name, settings[name])
        for name, (its_owner, field) in found.items()
        if its_owner is owner
    }


def _find(name: str) -> tuple[type[Settings], "dataclasses.Field[Any]"]:
    """Look up which configuration a setting belongs to; those of components come last."""
    for fields_of in (own_settings, every_own_field):
        for owner in OWNERS:
            for field in fields_of(owner):
                if owner.setting_prefix + field.name == name:
                    return owner, field
    raise ConfigError(unknown_name("setting", name, setting_names()))


def _read(text: str, kind: type, optional: bool) -> Any:
    """Read text as a value of the kind; text that is none of the kind stays as it is."""
    word = text.lower()
    if optional and word == "none":
        return None
    if kind is bool:
        return _WORDS.get(word, text)
    with contextlib.suppress(ValueError):
        return int(text) if kind is int else float(text)
    with contextlib.suppress(ValueError):
        return float(text)  # 5e4 is a fine way to write an integer
    return text
