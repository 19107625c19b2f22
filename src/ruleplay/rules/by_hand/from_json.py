"""Rules that people write as JSON: a list of {"if": {...}, "then": class}."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ruleplay.engine.inputs import shown
from ruleplay.errors import ConfigError
from ruleplay.output.names import unknown_name
from ruleplay.rules.by_hand.rule import Rule

NEEDED = ("if", "then")
# What files of rules say beside that; a rule is judged anew by the rows that a model learns from.
IGNORED = (
    "prediction",
    "error",
    "fitness",
    "numerosity",
    "experience",
    "weights",
    "origin",
)


def parse_json(text: str) -> Any:
    """Return what JSON text says; a name that an object has twice is refused."""
    try:
        return json.loads(text, object_pairs_hook=_without_repetition)
    except ConfigError:
        raise
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not JSON: {error}") from None


def rules_of_records(records: Any) -> tuple[Rule, ...]:
    """Return rules given as `Rule` or as plain values; an error says which of them is wrong."""
    if isinstance(records, Mapping):
        if "rules" not in records:
            raise ConfigError('an object must have "rules", a list of rules')
        records = records["rules"]
    if not isinstance(records, Sequence) or isinstance(records, str):
        raise ConfigError(f"rules must be a list, got {shown(records)}")
    return numbered(map(_rule, records))


def numbered(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return rules that are made one by one; what is wrong with one is said with its number."""
    made, source = [], iter(rules)
    while True:
        try:
            made.append(next(source))
        except StopIteration:
            return tuple(made)
        except ConfigError as error:
            raise ConfigError(f"rules[{len(made)}]: {error}") from None


def _rule(record: Any) -> Rule:
    if isinstance(record, Rule):
        return record
    if not isinstance(record, Mapping):
        raise ConfigError(f'must be {{"if": {{...}}, "then": class}}, got {shown(record)}')
    for name in NEEDED:
        if name not in record:
            raise ConfigError(f"{name!r} is missing")
    for name in record:
        if name not in (*NEEDED, *IGNORED):
            raise ConfigError(unknown_name("part of a rule", str(name), NEEDED))
    return Rule(record["if"], record["then"])


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ConfigError(f"{twice!r} must stand once only in an object, got it twice")
    return found
