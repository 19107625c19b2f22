"""Read presets: TOML files that keep what a paper says apart from what we assume."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ruleplay.config import typed_value, unknown_name
from ruleplay.errors import ConfigError

_KEYS = ("extends", "title", "source", "steps", "agent", "problem", "paper", "assumed")
_NEEDED = ("title", "source", "steps")

_DEMANDS = {
    "paper": "{} stands under [paper] and must be a plain value",
    "assumed": "{} is assumed and must be written {{ value = ..., why = ... }}",
}

Origin = Literal["paper", "assumed"]


class Setting(NamedTuple):
    """A value of a preset and where it comes from."""

    name: str
    value: Any
    origin: Origin
    why: str = ""


@dataclass
class PresetParts:
    """Collect what a preset and the presets it extends say; the later word counts."""

    head: dict[str, Any] = field(default_factory=dict)
    problem: dict[str, Setting] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)


def list_presets() -> tuple[str, ...]:
    """List the bundled presets; files whose name starts with `_` only serve others."""
    return tuple(sorted(name for name in _bundled() if "/_" not in name))


def read_preset(name: str) -> PresetParts:
    """Read a bundled preset by name, or a preset of the user's own by its `.toml` path."""
    if name not in list_presets() and not name.endswith(".toml"):
        raise ConfigError(unknown_name("preset", name, list_presets()))
    parts = _collect(name, ())
    missing = [key for key in _NEEDED if key not in parts.head]
    missing += [] if "name" in parts.problem else ["problem.name"]
    if missing:
        raise ConfigError(f"preset {name!r} lacks {', '.join(missing)}")
    return parts


def _bundled() -> dict[str, Any]:
    """Map the names of all bundled files, `folder/stem`, to their resources."""
    folders = [item for item in files(__package__).iterdir() if item.is_dir()]
    return {
        f"{folder.name}/{item.name.removesuffix('.toml')}": item
        for folder in folders
        for item in folder.iterdir()
        if item.name.endswith(".toml")
    }


def _collect(name: str, children: tuple[str, ...]) -> PresetParts:
    """Read a file on top of those it extends, the last of which has the last word."""
    if name in children:
        raise ConfigError(f"preset {name!r} extends itself")
    content = _load(name)
    parents = content.pop("extends", [])
    parts = PresetParts()
    parents = [parents] if isinstance(parents, str) else parents
    if not isinstance(parents, list) or not all(isinstance(parent, str) for parent in parents):
        raise ConfigError(f"preset {name!r}: extends must name presets, got {parents!r}")
    for parent in parents:
        below = _collect(parent, (*children, name))
        parts.head |= below.head
        parts.problem |= below.problem
        parts.settings |= below.settings
    parts.problem.update(_settings(name, "problem", content))
    for table in ("paper", "assumed"):
        for key, setting in _settings(name, table, content).items():
            if setting.origin != table:
                raise ConfigError(f"preset {name!r}: {_DEMANDS[table].format(key)}")
            parts.settings[key] = setting._replace(value=typed_value(key, setting.value))
    parts.head.update(content)
    return parts


def _load(name: str) -> dict[str, Any]:
    """Parse one file and refuse keys that no preset has."""
    bundled = _bundled()
    if name not in bundled and not name.endswith(".toml"):
        raise ConfigError(unknown_name("preset", name, list_presets()))
    try:
        content = tomllib.loads((bundled.get(name) or Path(name)).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"preset {name!r} cannot be read: {error}") from error
    except RecursionError:
        raise ConfigError(f"preset {name!r} cannot be read: it is nested too deeply") from None
    for key in content:
        if key not in _KEYS:
            raise ConfigError(unknown_name(f"key of preset {name!r}", key, _KEYS))
    return content


def _settings(preset: str, table: str, content: dict[str, Any]) -> dict[str, Setting]:
    """Take one table out of a file: plain values, and assumptions with their reasons."""
    entries = content.pop(table, {})
    if not isinstance(entries, Mapping):
        raise ConfigError(f"preset {preset!r}: {table} must be a table, got {entries!r}")
    settings = {}
    for key, entry in entries.items():
        if not isinstance(entry, Mapping):
            settings[key] = Setting(key, entry, "paper")
        elif set(entry) == {"value", "why"}:
            settings[key] = Setting(key, entry["value"], "assumed", str(entry["why"]))
        else:
            raise ConfigError(f"preset {preset!r}: {_DEMANDS['assumed'].format(key)}")
    return settings
