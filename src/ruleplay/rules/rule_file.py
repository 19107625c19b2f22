"""Sets of rules as JSON: plain values that people and programs can read; nothing is executed."""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.harmless import visible_json
from ruleplay.inputs import checked_bounds, checked_integer, shown
from ruleplay.rules.table import Names

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

FORMAT, VERSION = "ruleplay-rules", 1
LARGEST_TEXT = 1 << 28  # characters

VALUES, COUNTS = ("prediction", "error", "fitness"), ("numerosity", "experience")
_UNUSUAL = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def write_rules(rules: "RuleSet") -> str:
    """Return a set of rules as JSON; the same set always gives the same text."""
    names = rules.names
    document = {
        "format": FORMAT,
        "version": VERSION,
        "decides": "first" if rules.ordered else "vote",
        "features": [
            {"name": name, "low": low, "high": high, "whole": whole}
            for name, low, high, whole in zip(
                names.features, rules.low.tolist(), rules.high.tolist(), rules.whole, strict=True
            )
        ],
        "actions": list(names.actions),
        "default_action": names.actions[rules.default_action],
        "error_threshold": rules.error_threshold,
        "prediction_limit": rules.prediction_limit,
        "missing_values": rules.missing_values,
        "rules": [_record(rules, i) for i in range(len(rules))],
    }
    text = json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False)
    return visible_json(text) + "\n"


def read_rules(source: str | Path) -> dict[str, Any]:
    """Return the parts of a set of rules from JSON text, or from the file at a path."""
    if not isinstance(source, (str, Path)):
        raise ConfigError(f"rules must be JSON text or a Path, got {shown(source)}")
    where = str(source) if isinstance(source, Path) else "rules"
    text = _read_text(source) if isinstance(source, Path) else source
    if len(text) > LARGEST_TEXT:
        raise ModelFileError(f"{where}: longer than {LARGEST_TEXT} characters")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{where}: not JSON: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f"{where}: not a file of rules")
    if document.get("version") != VERSION:
        found = document.get("version")
        raise ModelFileError(f"{where}: version {found!r} is not supported, only {VERSION}")
    try:
        return _parts(document)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise ModelFileError(f"{where}: {reason}") from None


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ModelFileError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ModelFileError(f"{path}: not JSON: no UTF-8 text") from None
    except ValueError as error:  # a path that no file can have
        raise ModelFileError(f"{path}: {error}") from None


def _record(rules: "RuleSet", i: int) -> dict[str, Any]:
    """Return one rule; open sides are null and features without bounds are left out."""
    condition = {}
    for k, name in enumerate(rules.names.features):
        sides = [float(rules.lower[i, k]), float(rules.upper[i, k])]
        if sides != [-math.inf, math.inf]:
            condition[name] = [side if math.isfinite(side) else None for side in sides]
    record = {"if": condition, "then": rules.names.actions[rules.action[i]]}
    record |= {name: _plain(getattr(rules, name)[i]) for name in VALUES}
    record |= {name: int(getattr(rules, name)[i]) for name in COUNTS}
    if rules.weights is not None:
        record["weights"] = [_plain(weight) for weight in rules.weights[i]]
    return record


def _plain(value: float) -> float | str:
    """Return a number; one that JSON has no sign for in words."""
    return float(value) if math.isfinite(value) else str(float(value))


def _parts(document: dict[str, Any]) -> dict[str, Any]:
    """Return checked parts."""
    features = document["features"]
    names = Names(
        _names("features", [feature["name"] for feature in features]),
        _names("actions", document["actions"]),
    )
    low, high = checked_bounds(
        [_number("low", feature["low"]) for feature in features],
        [_number("high", feature["high"]) for feature in features],
    )
    ordered = _one_of("decides", document["decides"], ("vote", "first")) == "first"
    limit = document["prediction_limit"]
    return {
        "low": low,
        "high": high,
        "names": names,
        "whole": tuple(_one_of("whole", feature["whole"], (True, False)) for feature in features),
        "default_action": _position("default_action", document["default_action"], names.actions),
        "ordered": ordered,
        "error_threshold": _number("error_threshold", document["error_threshold"], above=0.0),
        "prediction_limit": None if limit is None else _number("prediction_limit", limit, above=0),
        "missing_values": _one_of("missing_values", document["missing_values"], ("error", "match")),
        **_rule_parts(document["rules"], names, ordered),
    }


def _rule_parts(records: Any, names: Names, ordered: bool) -> dict[str, Any]:
    if not isinstance(records, list):
        raise ConfigError("rules must be a list")
    bounds = np.array(
        [[_sides(record["if"], name) for name in names.features] for record in records]
    ).reshape(len(records), len(names.features), 2)
    for record in records:
        for name in set(record["if"]) - set(names.features):
            raise ConfigError(f"a rule's condition names the unknown feature {name!r}")
    linear = {"weights" in record for record in records}
    if len(linear) > 1 or (ordered and linear == {True}):
        raise ConfigError("all rules of a vote, and none of a list, may have weights")
    parts: dict[str, Any] = {"lower": bounds[:, :, 0], "upper": bounds[:, :, 1]}
    parts["action"] = np.array(
        [_position("then", record["then"], names.actions) for record in records], np.int64
    )
    for name in VALUES:
        unusual = name == "prediction" and not ordered
        parts[name] = np.array(
            [_number(name, record[name], unusual=unusual) for record in records], np.float64
        )
    for name in COUNTS:
        counts = [checked_integer(name, record[name], 0, 2**62) for record in records]
        parts[name] = np.array(counts, np.int64)
    if linear == {True}:
        parts["weights"] = np.array([_weights(record, names) for record in records])
    return parts


def _weights(record: dict[str, Any], names: Names) -> list[float]:
    weights = record["weights"]
    if not isinstance(weights, list) or len(weights) != 1 + len(names.features):
        raise ConfigError(f"weights must be {1 + len(names.features)} numbers")
    return [_number("weights", weight, unusual=True) for weight in weights]


def _sides(condition: Any, name: str) -> tuple[float, float]:
    """Return the interval of a feature; open where it is not given."""
    if not isinstance(condition, dict):
        raise ConfigError("a rule's condition must be an object")
    sides = condition.get(name, [None, None])
    if not isinstance(sides, list) or len(sides) != 2:
        raise ConfigError(f"the interval of {name!r} must be [lower, upper], got {sides!r}")
    lower, upper = (
        default if side is None else _number(f"a bound of {name!r}", side)
        for side, default in zip(sides, (-math.inf, math.inf), strict=True)
    )
    return lower, upper


def _number(name: str, value: Any, above: float = -math.inf, unusual: bool = False) -> float:
    """Return a finite number, or one of the others where they are allowed, or refuse it."""
    if unusual and isinstance(value, str) and value in _UNUSUAL:
        return _UNUSUAL[value]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not value > above:
        raise ConfigError(f"{name} must be a number in ({above:g}, inf), got {value!r}")
    return float(value)


def _one_of(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    if not any(type(value) is type(item) and value == item for item in allowed):
        raise ConfigError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")
    return value


def _names(what: str, names: Any) -> tuple[str, ...]:
    good = isinstance(names, list) and all(isinstance(name, str) and name for name in names)
    if not good or not names or len(set(names)) != len(names):
        raise ConfigError(f"{what} must have different names, got {names!r}")
    return tuple(names)


def _position(what: str, name: Any, names: tuple[str, ...]) -> int:
    if not isinstance(name, str) or name not in names:
        raise ConfigError(f"{what} must be one of {', '.join(names)}, got {name!r}")
    return names.index(name)
