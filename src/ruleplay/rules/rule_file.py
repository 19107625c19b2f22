"""Sets of rules as JSON: plain values that people and programs can read; nothing is executed.

A condition on numbers is [lower, upper], on categories {"in": [...]}. Files of version 1 know
no categories, no classes and no scaling apart from the features' ranges; in those of version 2
the categories that a rule allows are neighbours. A rule that a person wrote has an `origin`. Rules
about quantities, quadratic models, models with a weight for each category, and missing numbers
that count as another one need version 4.
"""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine.inputs import checked_bounds, checked_integer, shown
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.output.harmless import visible_json
from ruleplay.rules.features import Feature, Outcome, plain_label
from ruleplay.rules.models import MODELS, columns_of, n_weights
from ruleplay.rules.origins import LEARNED, ORIGINS
from ruleplay.rules.spelling import PLAIN, STYLES

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

FORMAT, VERSION, NEWEST = "ruleplay-rules", 3, 4
VERSIONS = (1, 2, VERSION, NEWEST)  # that can be read
LARGEST_TEXT = 1 << 28  # characters

RANGES = ("low", "mean", "high")
VALUES, COUNTS = ("prediction", "error", "fitness"), ("numerosity", "experience")
_UNUSUAL = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def write_rules(rules: "RuleSet") -> str:
    """Return a set of rules as JSON; the same set always gives the same text."""
    newer = _newer_parts(rules)
    document = {
        "format": FORMAT,
        "version": NEWEST if newer else VERSION,
        "decides": "first" if rules.ordered else "vote",
        "features": [_described(feature) for feature in rules.features],
        "actions": list(rules.outcome_names),
        "classes": [plain_label(label) for label in rules.labels] if rules.classifies else None,
        "default_action": rules.outcome_names[rules.default_action],
        "error_threshold": rules.error_threshold,
        "prediction_limit": rules.prediction_limit,
        "against_below": rules.against_below,
        "missing_values": rules.missing_values,
        "scaling": None if rules.scaling is None else rules.scaling.tolist(),
        **newer,
        "rules": write_records(rules),
    }
    text = json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False)
    return visible_json(text) + "\n"


def _newer_parts(rules: "RuleSet") -> dict[str, Any]:
    """Return what older versions do not know, if there is any of it."""
    parts: dict[str, Any] = {}
    if rules.quantities is not None:
        parts["quantities"] = dict(zip(RANGES, rules.quantities.tolist(), strict=True))
    if rules.weights is not None and rules.model != MODELS[0]:
        parts["model"] = rules.model
    if rules.nominal:
        parts["nominal"] = [rules.feature_names[k] for k in rules.nominal]
    if rules.fill is not None:
        parts["fill"] = [None if np.isnan(value) else value for value in rules.fill.tolist()]
    return parts


def write_records(rules: "RuleSet") -> list[dict[str, Any]]:
    """Return the rules as plain values, without what they have in common."""
    return [_record(rules, i) for i in range(len(rules))]


def read_rules(source: str | Path) -> dict[str, Any]:
    """Return the parts of a set of rules from JSON text, or from the file at a path."""
    if not isinstance(source, (str, Path)):
        raise ConfigError(f"rules must be JSON text or a Path, got {shown(source)}")
    where = str(source) if isinstance(source, Path) else "rules"
    text = read_text(source) if isinstance(source, Path) else source
    if len(text) > LARGEST_TEXT:
        raise ModelFileError(f"{where}: longer than {LARGEST_TEXT} characters")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{where}: not JSON: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f"{where}: not a file of rules")
    found = document.get("version")
    if not any(type(found) is int and found == version for version in VERSIONS):
        known = ", ".join(map(str, VERSIONS))
        raise ModelFileError(f"{where}: version {found!r} is not supported, only {known}")
    try:
        return _parts(document)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise ModelFileError(f"{where}: {reason}") from None


def read_text(path: Path) -> str:
    """Return the text of a file, or refuse it."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ModelFileError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ModelFileError(f"{path}: not JSON: not UTF-8") from None
    except ValueError as error:  # a path that no file can have
        raise ModelFileError(f"{path}: {error}") from None


def _described(feature: Feature) -> dict[str, Any]:
    """Return a feature; one of categories has these instead of a range."""
    if feature.categories:
        categories = list(map(plain_label, feature.categories))
        others = {"groups_others": True} if feature.groups_others else {}
        return {"name": feature.name, "categories": categories, **others}
    stand_in = {} if feature.stand_in is None else {"stand_in": feature.stand_in}
    described = {
        "name": feature.name,
        "low": feature.low,
        "high": feature.high,
        "whole": feature.whole,
        **stand_in,
    }
    return described if feature.written == PLAIN else {**described, "written": feature.written}


def _record(rules: "RuleSet", i: int) -> dict[str, Any]:
    """Return one rule; open sides are null and features without bounds are left out."""
    condition: dict[str, Any] = {}
    for k, feature in enumerate(rules.features):
        if not rules.limits(i, k):
            continue
        if feature.categories:
            condition[feature.name] = {"in": list(map(plain_label, rules.members(i, k)))}
        else:
            sides = [float(rules.lower[i, k]), float(rules.upper[i, k])]
            condition[feature.name] = [side if math.isfinite(side) else None for side in sides]
    record = {"if": condition, "then": rules.outcome_names[rules.action[i]]}
    record |= {name: _plain(getattr(rules, name)[i]) for name in VALUES}
    record |= {name: int(getattr(rules, name)[i]) for name in COUNTS}
    if rules.origin_of(i) != ORIGINS[LEARNED]:
        record["origin"] = rules.origin_of(i)
    if rules.weights is not None:
        record["weights"] = [_plain(weight) for weight in rules.weights[i]]
    return record


def _plain(value: float) -> float | str:
    """Return a number; one that JSON has no sign for in words."""
    return float(value) if math.isfinite(value) else str(float(value))


def _parts(document: dict[str, Any]) -> dict[str, Any]:
    """Return checked parts."""
    features, outcomes = _features(document["features"]), _outcomes(document)
    names = tuple(outcome.name for outcome in outcomes)
    ordered = _one_of("decides", document["decides"], ("vote", "first")) == "first"
    limit, against = document["prediction_limit"], document.get("against_below")
    missing = _one_of("missing_values", document["missing_values"], ("error", "match", "fill"))
    model = _one_of("model", document.get("model", MODELS[0]), MODELS)
    nominal = _nominal(document.get("nominal", []), features)
    n_columns, scaling = len(columns_of(features, nominal)), document.get("scaling")
    quantities = _quantities(document.get("quantities"), len(outcomes))
    size = 0 if ordered and quantities is None else n_weights(model, n_columns)
    if nominal and scaling is None:
        raise ConfigError("scaling must be given with nominal")
    if (against is None) != (document.get("classes") is None):
        raise ConfigError("against_below must be given with classes, and only with them")
    return {
        "features": features,
        "outcomes": outcomes,
        "default_action": _position("default_action", document["default_action"], names),
        "ordered": ordered,
        "error_threshold": _number("error_threshold", document["error_threshold"], above=0.0),
        "prediction_limit": None if limit is None else _number("prediction_limit", limit, above=0),
        "against_below": None if against is None else _number("against_below", against),
        "missing_values": missing,
        "scaling": _scaling(scaling, n_columns),
        "model": model,
        "nominal": nominal,
        "fill": _fill(document.get("fill"), features, missing),
        "quantities": quantities,
        **read_records(document["rules"], features, names, ordered, size),
    }


def _nominal(names: Any, features: tuple[Feature, ...]) -> tuple[int, ...]:
    """Return the checked places of features that have a column for each category."""
    with_categories = [feature.name if feature.categories else None for feature in features]
    places = [with_categories.index(name) if name else -1 for name in names]
    if -1 in places or sorted(set(places)) != places:
        raise ConfigError("nominal must name features of categories, in their order")
    return tuple(places)


def _fill(values: Any, features: tuple[Feature, ...], missing: str) -> NDArray[np.float64] | None:
    if (values is None) != (missing != "fill"):
        raise ConfigError("fill must be given with missing_values 'fill', and only with it")
    if values is None:
        return None
    if len(values) != len(features):
        raise ConfigError(f"fill must be {len(features)} numbers, null of categories")
    return np.array([np.nan if value is None else _number("fill", value) for value in values])


def _quantities(notes: Any, n_outcomes: int) -> NDArray[np.float64] | None:
    if notes is None:
        return None
    ranges = np.array([[_number(name, value) for value in notes[name]] for name in RANGES])
    if ranges.shape != (len(RANGES), n_outcomes) or (np.diff(ranges, axis=0) < 0.0).any():
        raise ConfigError(f"quantities must be {n_outcomes} times {', '.join(RANGES)}, in order")
    return ranges


def _features(described: Any) -> tuple[Feature, ...]:
    """Return checked features."""
    names = _names("features", [feature["name"] for feature in described])
    features = []
    for name, feature in zip(names, described, strict=True):
        if "categories" in feature:
            categories = _labels(f"the categories of {name!r}", feature["categories"])
            groups = _one_of("groups_others", feature.get("groups_others", False), (True, False))
            features.append(Feature.of_categories(name, categories, groups_others=groups))
            continue
        low, high = (_number(end, feature[end]) for end in ("low", "high"))
        whole = _one_of("whole", feature["whole"], (True, False))
        written = _one_of("written", feature.get("written", PLAIN), STYLES)
        gap = feature.get("stand_in")
        gap = None if gap is None else _number("stand_in", gap)
        features.append(Feature(name, low, high, whole, (), written, gap))
    checked_bounds([f.low for f in features], [f.high for f in features])
    return tuple(features)


def _outcomes(document: dict[str, Any]) -> tuple[Outcome, ...]:
    """Return checked actions, or classes."""
    names = _names("actions", document["actions"])
    labels: list[Any] = list(range(len(names)))
    if document.get("classes") is not None:
        labels = _labels("classes", document["classes"])
        if len(labels) != len(names):
            raise ConfigError(f"classes must be {len(names)}, one for each action")
    return tuple(map(Outcome, names, labels))


def _labels(what: str, values: Any) -> list[Any]:
    """Return different plain values, or refuse them."""
    good = isinstance(values, list) and all(type(v) in (str, bool, int, float) for v in values)
    if not good or not values or len(set(values)) != len(values):
        raise ConfigError(f"{what} must be different texts, numbers or truth values")
    return list(values)


def _scaling(bounds: Any, n_columns: int) -> NDArray[np.float64] | None:
    if bounds is None:
        return None
    low, high = checked_bounds(*([_number("scaling", end) for end in side] for side in bounds))
    if len(low) != n_columns:
        raise ConfigError(f"scaling must be two times {n_columns} numbers")
    return np.array([low, high])


def read_records(
    records: Any,
    features: tuple[Feature, ...],
    outcomes: tuple[str, ...],
    ordered: bool,
    size: int = 0,
) -> dict[str, Any]:
    """Return the checked parts of rules that `write_records` was given; models of a size."""
    if not isinstance(records, list):
        raise ConfigError("rules must be a list")
    conditions = [_checked_condition(record["if"], features) for record in records]
    bounds = np.array(
        [[_sides(condition, feature) for feature in features] for condition in conditions]
    ).reshape(len(records), len(features), 2)
    sets = [
        [flag for feature in features for flag in _category_flags(condition, feature)]
        for condition in conditions
    ]
    linear = {"weights" in record for record in records}
    if len(linear) > 1 or (linear == {True} and not size):
        raise ConfigError("all rules of a vote, and none of a list that decides, may have weights")
    parts: dict[str, Any] = {
        "lower": bounds[:, :, 0],
        "upper": bounds[:, :, 1],
        "allowed": np.array(sets, np.bool_).reshape(len(records), -1) if records else None,
    }
    parts["action"] = np.array(
        [_position("then", record["then"], outcomes) for record in records], np.int64
    )
    for name in VALUES:
        unusual = name == "prediction" and not ordered
        parts[name] = np.array(
            [_number(name, record[name], unusual=unusual) for record in records], np.float64
        )
    for name in COUNTS:
        counts = [checked_integer(name, record[name], 0, 2**62) for record in records]
        parts[name] = np.array(counts, np.int64)
    origins = [_one_of("origin", record.get("origin", ORIGINS[0]), ORIGINS) for record in records]
    parts["origin"] = np.array([ORIGINS.index(origin) for origin in origins], np.int64)
    if linear == {True}:
        parts["weights"] = np.array([_weights(record, size) for record in records])
    return parts


def _weights(record: dict[str, Any], size: int) -> list[float]:
    weights = record["weights"]
    if not isinstance(weights, list) or len(weights) != size:
        raise ConfigError(f"weights must be {size} numbers")
    return [_number("weights", weight, unusual=True) for weight in weights]


def _checked_condition(condition: Any, features: tuple[Feature, ...]) -> dict[str, Any]:
    """Return a rule's condition, which names known features only."""
    if not isinstance(condition, dict):
        raise ConfigError("a rule's condition must be an object")
    for name in set(condition) - {feature.name for feature in features}:
        raise ConfigError(f"a rule's condition names the unknown feature {name!r}")
    return condition


def _sides(condition: dict[str, Any], feature: Feature) -> tuple[float, float]:
    """Return the interval of a feature; open where it is not given, and of categories."""
    name = feature.name
    if name not in condition or feature.categories:
        return -math.inf, math.inf
    sides = condition[name]
    if not isinstance(sides, list) or len(sides) != 2:
        raise ConfigError(f"the interval of {name!r} must be [lower, upper], got {sides!r}")
    lower, upper = (
        default if side is None else _number(f"a bound of {name!r}", side)
        for side, default in zip(sides, (-math.inf, math.inf), strict=True)
    )
    return lower, upper


def _category_flags(condition: dict[str, Any], feature: Feature) -> list[bool]:
    """Tell of each category of a feature whether a condition allows it."""
    known = list(map(plain_label, feature.categories))
    if feature.name not in condition or not known:
        return [True] * len(known)
    chosen = condition[feature.name]
    values = chosen.get("in") if isinstance(chosen, dict) else None
    if not isinstance(values, list) or any(value not in known for value in values):
        raise ConfigError(f'{feature.name!r} must be {{"in": [...]}} of its categories')
    return [value in values for value in known]


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
