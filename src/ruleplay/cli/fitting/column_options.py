"""Read `--column NAME=KIND`, and check that the columns which options name are there."""

from collections.abc import Mapping

from ruleplay.errors import ConfigError
from ruleplay.output.names import unknown_name

TEXT, NUMBER, DATE, IGNORE = "text", "number", "date", "ignore"
KINDS = (TEXT, NUMBER, DATE, IGNORE)


def read_kinds(texts: list[str]) -> dict[str, str]:
    """Return what options say columns are: `zip=text`.

    >>> read_kinds(["zip=text", "a=b=number"])
    {'zip': 'text', 'a=b': 'number'}
    """
    kinds = {}
    for text in texts:
        name, sign, kind = text.rpartition("=")
        if not sign or kind not in KINDS:
            raise ConfigError(
                f"--column must be NAME=KIND with a kind among {', '.join(KINDS)}, got {text!r}"
            )
        kinds[name] = kind
    return kinds


def check_columns(names: list[str], target: str, kinds: Mapping[str, str]) -> None:
    """Refuse names that are no columns, and kinds that no target can be."""
    options = {name: "--drop" if kind == IGNORE else "--column" for name, kind in kinds.items()}
    for option, name in [("--target", target), *((options[name], name) for name in options)]:
        if name not in names:
            raise ConfigError(f"{option}: {unknown_name('column', name, names)}")
    if kinds.get(target, TEXT) not in (TEXT, NUMBER):
        raise ConfigError(
            f"{options[target]} {target!r}: this is the target, whose values are classes "
            f"(--column {target}=text) or a quantity (--column {target}=number)"
        )
