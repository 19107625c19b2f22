"""The parameters of learners: kept as they are given, explained by the declarations of settings."""

import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from ruleplay.config import ReplayConfig, Settings, XCSConfig
from ruleplay.config.fields import rule_of
from ruleplay.config.options import Field, own_settings

Made = TypeVar("Made", bound=Callable[..., None])


def keep_parameters(model: Any, given: Mapping[str, Any]) -> None:
    """Let a model have the parameters that `locals()` of its `__init__` holds."""
    for name in inspect.signature(type(model).__init__).parameters:
        if name != "self":
            setattr(model, name, given[name])


def settings_among(names: Mapping[str, Any], cls: type[Settings]) -> list[str]:
    """Return the settings of a configuration that parameters of these names are about."""
    prefix = cls.setting_prefix
    return [field.name for field in own_settings(cls) if prefix + field.name in names]


def explain_settings(init: Made) -> Made:
    """Add what is declared of settings to the docstring of an `__init__` that takes them."""
    parameters = inspect.signature(init).parameters
    documented = inspect.getdoc(init) or ""
    lines = [
        _entry(name, field, parameters[name].default)
        for name, field in _declared()
        if name in parameters and f"\n    {name}:" not in documented
    ]
    head = documented if "\nArgs:\n" in documented else f"{documented}\n\nArgs:"
    init.__doc__ = "\n".join([head, *lines])
    return init


def _declared() -> Iterator[tuple[str, Field]]:
    for cls in (XCSConfig, ReplayConfig):
        for field in own_settings(cls):
            yield cls.setting_prefix + field.name, field


def _entry(name: str, field: Field, default: Any) -> str:
    rule = rule_of(field)
    symbol = f" ({rule.symbol})" if rule.symbol else ""
    text = f"{name}: {rule.doc.rstrip('.')}{symbol}. Default {default!r}."
    indent = " " * 4
    return textwrap.fill(text, 96, initial_indent=indent, subsequent_indent=2 * indent)
